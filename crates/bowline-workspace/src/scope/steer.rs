//! When a server is limited, and to what; how that follows the files that are worked on.
//!
//! The scope grows with each package that is worked on, up to a few; then the one that was left longest ago goes. To
//! move at once would make two packages that are worked on in turn cost a reload each time.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bowline_lsp::{Limiting, Scope, Server, ServerSpec};
use bowline_std::fs::read_text;
use ignore::WalkState;

use super::elsewhere::Around;
use super::{LARGE, Package, ScopeWish, Scoped, Tongue, detect};
use crate::fleet::Assigned;
use crate::walk::Walker;
use crate::{Patience, Workspace, WorkspaceError};

/// So many packages are worked on at once.
const MOST_PACKAGES: usize = 8;
/// After so many questions that widened it, a scope is lifted, where no more files than this lie outside.
const MAX_WIDENED: usize = 2;
const MAX_LIFTED: usize = 5000;
/// So many places a scope is widened by.
const MOST_EXTRA: usize = 200;
/// A project that was small is looked at again after this time, before its server starts.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
const MOST_MANIFEST: u64 = 1 << 20;

/// The scopes of all servers of a workspace.
#[derive(Default)]
pub(crate) struct Scopes {
    known: Mutex<HashMap<Key, State>>,
    /// Held by whoever decides or changes one, so that it is done once.
    turn: tokio::sync::Mutex<()>,
    /// What lies outside each, with the place in the log of changes and the scope that it was found for.
    around: Mutex<HashMap<Key, Outside>>,
}

/// A place in the log of changes, a scope, and what lies outside it.
type Outside = (u64, Scope, Arc<Around>);

/// A project and the name of its server.
type Key = (PathBuf, String);

struct State {
    mode: Mode,
    decided: Instant,
}

enum Mode {
    /// It is not limited: the project is small, or says itself what is looked at.
    Whole,
    /// Somebody wants it so.
    Lifted,
    ByHand(Scope),
    Following(Following),
}

/// A scope that follows what is worked on.
#[derive(Default)]
struct Following {
    /// The latest first. `None` is a package that is the whole project.
    packages: Vec<Option<Package>>,
    /// Places elsewhere that questions were about.
    extra: BTreeSet<String>,
    /// How often it was widened.
    widened: usize,
}

impl Following {
    /// Without the single files.
    fn base(&self) -> Option<Scope> {
        let packages: Option<Vec<&Package>> = self.packages.iter().map(Option::as_ref).collect();
        Scope::new(packages?.into_iter().flat_map(|package| package.all.clone()))
    }

    fn scope(&self) -> Option<Scope> {
        let base = self.base()?;
        Scope::new(base.places().iter().chain(&self.extra).cloned())
    }

    fn holds(&self, root: &Path, file: &Path) -> Option<usize> {
        self.packages.iter().position(|package| {
            package.as_ref().is_some_and(|package| {
                Scope::new(package.own.iter().cloned()).is_some_and(|own| own.covers(root, file))
            })
        })
    }

    fn take(&mut self, package: Option<Package>) {
        let own = |package: &Option<Package>| package.as_ref().map(|package| package.own.clone());
        self.packages.retain(|known| own(known) != own(&package));
        self.packages.insert(0, package);
        self.packages.truncate(MOST_PACKAGES);
    }
}

impl Scopes {
    fn known(&self) -> MutexGuard<'_, HashMap<Key, State>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, server: &Server, mode: Mode) {
        self.known().insert(key(server), State { mode, decided: Instant::now() });
    }

    /// What lies outside a scope, where nothing has changed since it was found out.
    pub(super) fn around(&self, server: &Server, place: u64, scope: &Scope) -> Option<Arc<Around>> {
        let known = self.around.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, of, around) = known.get(&key(server))?;
        (*since == place && of == scope).then(|| Arc::clone(around))
    }

    pub(super) fn note_around(&self, server: &Server, place: u64, scope: Scope, around: Arc<Around>) {
        let mut known = self.around.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key(server), (place, scope, around));
    }

    fn is_decided(&self, server: &Server) -> bool {
        self.known().get(&key(server)).is_some_and(|state| {
            let may_have_grown = matches!(state.mode, Mode::Whole)
                && !server.is_at_work()
                && state.decided.elapsed() > LOOK_AGAIN;
            !may_have_grown
        })
    }

    /// The places of a scope, without single files that it was widened by.
    pub(super) fn base(&self, server: &Server) -> Option<Vec<String>> {
        let known = self.known();
        let scope = match &known.get(&key(server))?.mode {
            Mode::Following(following) => following.base()?,
            Mode::ByHand(scope) => scope.clone(),
            Mode::Whole | Mode::Lifted => return None,
        };
        Some(scope.places().to_vec())
    }

    /// Does something with a scope that follows, where there is one.
    fn following<T>(&self, server: &Server, with: impl FnOnce(&mut Following) -> T) -> Option<T> {
        match &mut self.known().get_mut(&key(server))?.mode {
            Mode::Following(following) => Some(with(following)),
            _ => None,
        }
    }
}

fn key(server: &Server) -> Key {
    (server.root().to_owned(), server.name().to_owned())
}

impl Workspace {
    /// Somebody works on a file from now on: the scope of its server follows. What it is then, if there is one.
    pub async fn opened(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Option<Scoped>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(assigned) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(None);
        };
        self.follow(&assigned, &real, patience).await?;
        Ok(self.scoped(&assigned.server))
    }

    /// What the server of a file is limited to, if it is. Nothing is decided.
    pub fn scope_of(&self, path: &Path) -> Result<Option<Scoped>, WorkspaceError> {
        let assigned = self.fleet.of_file(&self.resolve(path)?, &self.shared.roots);
        Ok(assigned.and_then(|assigned| self.scoped(&assigned.server)))
    }

    fn scoped(&self, server: &Server) -> Option<Scoped> {
        let scope = server.scope()?;
        let places = self.fleet.scopes.base(server).unwrap_or_else(|| scope.places().to_vec());
        Some(Scoped {
            server: server.name().to_owned(),
            root: server.root().to_owned(),
            places,
            by_hand: self.is_by_hand(server),
        })
    }

    pub(super) fn is_by_hand(&self, server: &Server) -> bool {
        let known = self.fleet.scopes.known();
        known.get(&key(server)).is_some_and(|state| matches!(state.mode, Mode::ByHand(_)))
    }

    /// Limits the server of a language to some directories of its project, or lifts that. Relative ones count from
    /// `directory`.
    pub async fn set_scope(
        &self,
        language: &str,
        directory: &Path,
        wish: &ScopeWish,
        patience: &Patience<'_>,
    ) -> Result<Option<Scoped>, WorkspaceError> {
        let (root, file) = self.project_in(language, directory, patience).await?;
        let server = self.server_of(language, &root)?;
        if server.spec().limiting().is_none() {
            if *wish == ScopeWish::Lift {
                return Ok(None);
            }
            return Err(WorkspaceError::ScopesItself {
                server: server.name().to_owned(),
                language: language.to_owned(),
            });
        }
        let _turn = self.fleet.scopes.turn.lock().await;
        let mode = match wish {
            ScopeWish::Lift => Mode::Lifted,
            ScopeWish::Auto => {
                drop(_turn);
                self.fleet.scopes.known().remove(&key(&server));
                server.set_scope(None).await;
                if let Some(file) = file {
                    let assigned = Assigned { server: Arc::clone(&server), language: language.to_owned() };
                    self.follow(&assigned, &file, patience).await?;
                }
                return Ok(self.scoped(&server));
            }
            ScopeWish::Places(places) => {
                if let Some(word) = own_word(server.spec(), &root) {
                    return Err(WorkspaceError::OwnScope { server: server.name().to_owned(), word });
                }
                let mut named = Vec::new();
                for place in places {
                    named.push(self.named_place(&root, directory, place)?);
                }
                // The root itself is no limit.
                let is_all = named.iter().any(String::is_empty);
                Scope::new(named).filter(|_| !is_all).map_or(Mode::Lifted, Mode::ByHand)
            }
        };
        let scope = if let Mode::ByHand(scope) = &mode { Some(scope.clone()) } else { None };
        self.fleet.scopes.set(&server, mode);
        server.set_scope(scope).await;
        Ok(self.scoped(&server))
    }

    /// A directory that somebody named, relative to the root of the project.
    fn named_place(&self, root: &Path, directory: &Path, place: &str) -> Result<String, WorkspaceError> {
        let bad =
            |reason: &str| WorkspaceError::BadScope { place: place.to_owned(), reason: reason.to_owned() };
        let written = directory.join(place);
        if !written.is_dir() {
            return Err(bad("there is no such directory"));
        }
        let real = self.resolve(&written)?;
        let relative = real.strip_prefix(root).map_err(|_| bad("it is outside the server's project"))?;
        relative.to_str().map(str::to_owned).ok_or_else(|| bad("its name is no text"))
    }

    /// Decides whether a server is to be limited, if nobody has, and begins with the package of this file. What is
    /// asked about single files needs no more.
    pub(crate) async fn steer(
        &self,
        assigned: &Assigned,
        file: &Path,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        let server = &assigned.server;
        if self.tongue(assigned).is_none() || self.fleet.scopes.is_decided(server) {
            return Ok(());
        }
        let _turn = self.fleet.scopes.turn.lock().await;
        if self.fleet.scopes.is_decided(server) {
            return Ok(());
        }
        let (spec, root) = (server.spec().clone(), server.root().to_owned());
        let is_large = self
            .blocking(patience, move |work| {
                Ok(own_word(&spec, &root).is_none() && is_large(&work.shared.of_servers, &spec, &root))
            })
            .await?;
        let mode = if is_large { Mode::Following(Following::default()) } else { Mode::Whole };
        self.fleet.scopes.set(server, mode);
        if is_large {
            self.take_package(assigned, file, patience).await?;
        }
        Ok(())
    }

    /// The scope follows a file that is worked on.
    pub(crate) async fn follow(
        &self,
        assigned: &Assigned,
        file: &Path,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        self.steer(assigned, file, patience).await?;
        let (server, scopes) = (&assigned.server, &self.fleet.scopes);
        if self.tongue(assigned).is_none() || scopes.following(server, |_| ()).is_none() {
            return Ok(());
        }
        let _turn = scopes.turn.lock().await;
        // The user may have written a configuration meanwhile.
        if own_word(server.spec(), server.root()).is_some() {
            scopes.set(server, Mode::Whole);
            server.set_scope(None).await;
            return Ok(());
        }
        let holds = scopes.following(server, |following| {
            let index = following.holds(server.root(), file)?;
            let package = following.packages.remove(index);
            following.packages.insert(0, package);
            Some(())
        });
        if holds == Some(None) {
            self.take_package(assigned, file, patience).await?;
        }
        Ok(())
    }

    /// Adds the package of a file to a scope that follows. By whoever has the turn.
    async fn take_package(
        &self,
        assigned: &Assigned,
        file: &Path,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        let Some(tongue) = self.tongue(assigned) else {
            return Ok(());
        };
        let server = &assigned.server;
        let (root, file) = (server.root().to_owned(), file.to_owned());
        let package = self.blocking(patience, move |_| Ok(detect(tongue, &root, &file))).await?;
        let scope = self.fleet.scopes.following(server, |following| {
            following.take(package);
            following.scope()
        });
        if let Some(scope) = scope
            && scope != server.scope()
        {
            tracing::debug!(server = server.name(), ?scope, "the scope follows");
            server.set_scope(scope).await;
        }
        Ok(())
    }

    /// Widens a scope that follows by places elsewhere, of so many files. `false`: it does not follow, or they are too
    /// many. Each time the server reads its project again: where that goes on, it is given the whole, once.
    pub(super) async fn widen(&self, server: &Server, places: &BTreeSet<String>, elsewhere: usize) -> bool {
        let _turn = self.fleet.scopes.turn.lock().await;
        let is_seen = |scope: &Scope| {
            places.iter().all(|place| scope.covers(server.root(), &server.root().join(place)))
        };
        if server.scope().is_some_and(|scope| !is_seen(&scope)) {
            let times = self.fleet.scopes.following(server, |following| {
                following.widened += 1;
                following.widened
            });
            if elsewhere <= MAX_LIFTED && times.is_some_and(|times| times > MAX_WIDENED) {
                tracing::debug!(server = server.name(), "the scope is lifted: questions are about all of it");
                self.fleet.scopes.set(server, Mode::Whole);
                server.set_scope(None).await;
                return true;
            }
        }
        let widened = self.fleet.scopes.following(server, |following| {
            if places.len() > MOST_EXTRA {
                return None;
            }
            if following.extra.union(places).count() > MOST_EXTRA {
                following.extra.clear();
            }
            following.extra.extend(places.iter().cloned());
            Some(following.scope())
        });
        let Some(Some(scope)) = widened else {
            return false;
        };
        if scope != server.scope() {
            server.set_scope(scope).await;
        }
        true
    }

    /// The language by whose packages this server is limited, if it is one that is.
    pub(super) fn tongue(&self, assigned: &Assigned) -> Option<Tongue> {
        let is_wanted = self.shared.options.selective_indexing;
        let server = &assigned.server;
        server.spec().limiting().filter(|_| is_wanted)?;
        // For one that is not installed nobody needs to count files.
        (server.is_at_work() || server.program().is_ok()).then(|| Tongue::of_language(&assigned.language))?
    }
}

/// Whether a project has so many files of a server's languages that it is limited. Stops counting there. Blocks.
fn is_large(walker: &Walker, spec: &ServerSpec, root: &Path) -> bool {
    let count = AtomicUsize::new(0);
    walker.run(&|entry| {
        let counts = entry.path().starts_with(root) && spec.language_of(entry.path()).is_some();
        if counts && count.fetch_add(1, Ordering::Relaxed) + 1 >= LARGE {
            return WalkState::Quit;
        }
        WalkState::Continue
    });
    count.into_inner() >= LARGE
}

/// Where the user says which files a server looks at. What it is told by settings does not count then, and should not.
pub(crate) fn own_word(spec: &ServerSpec, root: &Path) -> Option<String> {
    if spec.limiting() != Some(Limiting::Settings) {
        return None;
    }
    if spec.settings.as_ref().is_some_and(|settings| settings.pointer("/python/analysis/include").is_some()) {
        return Some("`python.analysis.include` of its settings".to_owned());
    }
    if root.join("pyrightconfig.json").exists() {
        return Some("`pyrightconfig.json`".to_owned());
    }
    let manifest = read_text(&root.join("pyproject.toml"), MOST_MANIFEST);
    let is_there = manifest.is_ok_and(|(text, _)| text.contains("tool.pyright"));
    is_there.then(|| "`[tool.pyright]` of `pyproject.toml`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_that_was_left_longest_ago_goes() {
        let package = |name: String| Package { own: vec![name.clone()], all: vec![name] };
        let mut following = Following::default();
        for number in 0..MOST_PACKAGES + 2 {
            following.take(Some(package(format!("p{number}"))));
        }
        let scope = following.scope().unwrap();
        assert_eq!(scope.places().len(), MOST_PACKAGES);
        assert!(!scope.places().contains(&"p1".to_owned()) && scope.places().contains(&"p2".to_owned()));
        following.take(None);
        assert_eq!(following.scope(), None, "one that is everything");
    }
}
