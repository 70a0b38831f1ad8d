//! Uses in other projects of the same workspace. A server knows its own project; a monorepo has many, and one may use
//! what another declares.
//!
//! Where the name is written in a project of the same language that can see the one that declares it, its server is
//! asked too: it knows how that project finds the file. A file that holds the name and of which no server says anything
//! leaves a doubt, and the answer says so.

mod visible;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bowline_code::{Location, Position};
use bowline_lsp::{Limiting, Server};
use bowline_syntax::word_hash;

use super::definition::name_at;
use super::references::{ReferencesTo, Told};
use super::served::{Reach, Served};
use super::{Found, References};
use crate::fleet::{Assigned, Sight};
use crate::scope::own_word;
use crate::{Patience, Workspace, WorkspaceError};

/// So many other projects are asked about one file's names.
const MOST_ASKED: usize = 4;
/// So many files are named.
const MOST_NAMED: usize = 5;
/// How long other projects may take to answer. What they have not said by then is a doubt.
const MAX_TIME: Duration = Duration::from_secs(3);

type Answers = Vec<Result<Found<References>, WorkspaceError>>;

/// What one other project has of the names that are asked about.
struct Holding {
    server: Arc<Server>,
    /// Files that hold a name, by the index of the position that has it.
    files: BTreeMap<usize, Vec<PathBuf>>,
    sight: Sight,
}

impl Workspace {
    /// Adds what the servers of other projects know to what one server found, for each position of a file.
    pub(super) async fn with_neighbours(
        &self,
        path: &Path,
        ats: &[Position],
        mut found: Answers,
        patience: &Patience<'_>,
    ) -> Result<Answers, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(own) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(found);
        };
        // What was found by name was looked for everywhere.
        let is_asked = |found: &Result<Found<References>, WorkspaceError>| {
            found.as_ref().is_ok_and(|found| found.engine == bowline_code::Engine::Server)
        };
        let asked: Vec<usize> = (0..ats.len()).filter(|index| is_asked(&found[*index])).collect();
        // A caller with minutes to spare gets the whole answer.
        let is_long = patience.is_long();
        let hurried = if is_long { patience.clone() } else { patience.within(MAX_TIME) };
        let holding = match self.held_elsewhere(&real, ats, &asked, &own, &hurried).await {
            Ok(holding) => holding,
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            Err(error) => {
                let why = format!("other projects were not looked at: {error}");
                asked.iter().for_each(|index| doubt(&mut found[*index], &why));
                return Ok(found);
            }
        };
        for (number, mut holding) in holding.into_iter().enumerate() {
            // The server of a project around the other one may have seen it all.
            holding.files.retain(|index, files| !knows(&found[*index], files));
            let of_all =
                |why: &str| holding.files.keys().map(|index| (*index, why.to_owned())).collect::<Vec<_>>();
            let is_unlikely = holding.sight == Sight::Maybe && !is_long;
            let doubts = if is_unlikely && holding.server.current().is_none() {
                // It takes a server of its own to find out, and most often it is another of that name.
                of_all("its server does not run; start_lsp with its root_dir starts it")
            } else if number < MOST_ASKED {
                let assigned =
                    Assigned { server: Arc::clone(&holding.server), language: own.language.clone() };
                self.ask_neighbour(&real, ats, &assigned, &holding, &mut found, &hurried).await?
            } else {
                of_all("too many projects hold the name")
            };
            for (index, why) in doubts {
                let files = holding.files.get(&index).map(Vec::as_slice).unwrap_or_default();
                doubt(&mut found[index], &self.unexplained(&holding.server, files, &why));
            }
        }
        Ok(found)
    }

    /// An answer about the whole workspace, of a server that may not know all of it: with every doubt that there is.
    pub(super) async fn qualified<T>(
        &self,
        mut found: Found<T>,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<T>, WorkspaceError> {
        let doubts = [self.doubt(path), self.neighbours_doubt(path, at, patience).await?];
        let told: Vec<String> = found.note.take().into_iter().chain(doubts.into_iter().flatten()).collect();
        if !told.is_empty() {
            found.indexed = false;
            found.note = Some(told.join("\n"));
        }
        Ok(found)
    }

    /// What to say of an answer about one project, where the name is also written in others.
    async fn neighbours_doubt(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(own) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(None);
        };
        let holding = self.held_elsewhere(&real, &[at], &[0], &own, patience).await?;
        let told: Vec<String> = holding
            .iter()
            .flat_map(|holding| holding.files.values().map(|files| (&holding.server, files)))
            .map(|(server, files)| self.unexplained(server, files, "only its own project was asked"))
            .collect();
        Ok((!told.is_empty()).then(|| told.join("\n")))
    }

    /// Files of other projects that hold the names at these positions, and can see the file.
    async fn held_elsewhere(
        &self,
        real: &Path,
        ats: &[Position],
        asked: &[usize],
        own: &Assigned,
        patience: &Patience<'_>,
    ) -> Result<Vec<Holding>, WorkspaceError> {
        let projects = self.fleet.projects_like(&own.server, &self.shared.roots);
        if asked.is_empty() || projects.len() < 2 {
            return Ok(Vec::new());
        }
        let names = self.names_that_leave(real, ats, asked, &own.language, patience).await?;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let is_other = |root: &&PathBuf| *root != own.server.root() && !self.is_seen_by(own, root);
        let others: Vec<PathBuf> = projects.iter().filter(is_other).cloned().collect();
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let seeing = self.fleet.projects_that_see(&self.shared, own, others, visible::sees).await?;
        if seeing.is_empty() {
            return Ok(Vec::new());
        }
        let hashes: BTreeMap<usize, u32> =
            names.iter().map(|(index, name)| (*index, word_hash(name))).collect();
        let (holding, _) = self
            .ask(patience, move |store| {
                let mut known: BTreeMap<u32, Vec<PathBuf>> = BTreeMap::new();
                for hash in hashes.values() {
                    if !known.contains_key(hash) {
                        known.insert(*hash, store.holding(*hash)?);
                    }
                }
                let of = |hash: &u32| known.get(hash).cloned().unwrap_or_default();
                Ok(hashes.iter().map(|(index, hash)| (*index, of(hash))).collect::<Vec<_>>())
            })
            .await?;
        let mut by_root: BTreeMap<PathBuf, Holding> = BTreeMap::new();
        for (index, files) in holding {
            for file in files {
                if let Some(assigned) = self.fleet.of_file(&file, &self.shared.roots)
                    && assigned.server.name() == own.server.name()
                    && !Arc::ptr_eq(&assigned.server, &own.server)
                    && let Some(sight) = seeing.get(assigned.server.root())
                {
                    let root = assigned.server.root().to_owned();
                    let empty = || Holding { server: assigned.server, files: BTreeMap::new(), sight: *sight };
                    by_root.entry(root).or_insert_with(empty).files.entry(index).or_default().push(file);
                }
            }
        }
        Ok(by_root.into_values().collect())
    }

    /// The names at these positions that other projects could use. Of what no grammar reads, nothing is known.
    async fn names_that_leave(
        &self,
        real: &Path,
        ats: &[Position],
        asked: &[usize],
        language: &str,
        patience: &Patience<'_>,
    ) -> Result<Vec<(usize, String)>, WorkspaceError> {
        let (path, language) = (real.to_owned(), language.to_owned());
        let places: Vec<(usize, Position)> = asked.iter().map(|index| (*index, ats[*index])).collect();
        let names = self.reading(patience, move |work| {
            let document = work.read(&path)?;
            let parsed = document.parsed()?;
            let leaves = |(index, at): (usize, Position)| {
                let name = name_at(&document, at).ok()?;
                let may_leave =
                    parsed.local(&name).is_none() && visible::may_leave_project(&language, &name.text);
                may_leave.then_some((index, name.text))
            };
            Ok(places.into_iter().filter_map(leaves).collect())
        });
        match names.await {
            Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
            names => Ok(names.unwrap_or_default()),
        }
    }

    /// Asks the server of another project about all names at once, and adds what it knows. Says of which something is
    /// left in doubt, and why.
    async fn ask_neighbour(
        &self,
        real: &Path,
        ats: &[Position],
        assigned: &Assigned,
        holding: &Holding,
        found: &mut Answers,
        patience: &Patience<'_>,
    ) -> Result<Vec<(usize, String)>, WorkspaceError> {
        let of_all = |why: String| Ok(holding.files.keys().map(|index| (*index, why.clone())).collect());
        let server = &assigned.server;
        let Some(first) = holding.files.values().flatten().next() else {
            return Ok(Vec::new());
        };
        // Some load a project only once a file of it is open.
        match self.serve_by(assigned, first, None, Reach::Project, patience, super::cross::Nothing).await? {
            Served::Answer { .. } => {}
            Served::Nobody => return of_all("it has no server".to_owned()),
            Served::Without(reason) => return of_all(reason.into_error().to_string()),
        }
        let asked: Vec<Position> = holding.files.keys().map(|index| ats[*index]).collect();
        let told: Mutex<Vec<Option<Told>>> = Mutex::new(vec![None; asked.len()]);
        let inquiry =
            ReferencesTo { ats: &asked, include_declaration: false, told: &told, step: &|_: usize| () };
        let was_open = server.current().is_some_and(|life| life.shown(real).is_some());
        let at = asked.first().copied();
        let served = self.serve_by(assigned, real, at, Reach::Project, patience, inquiry).await;
        if !was_open && let Some(life) = server.current() {
            life.close(real);
        }
        let complete = match served? {
            Served::Answer { value: (knows_all, scope), indexed } => knows_all && scope.is_none() && indexed,
            Served::Nobody => return of_all("it has no server".to_owned()),
            Served::Without(reason) => return of_all(reason.into_error().to_string()),
        };
        let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut doubts = Vec::new();
        for ((index, files), told) in holding.files.iter().zip(told) {
            let places = match told {
                Some(Ok(places)) => places,
                Some(Err(error)) => {
                    doubts.push((*index, error.to_string()));
                    continue;
                }
                None => {
                    doubts.push((*index, "its server gave no answer".to_owned()));
                    continue;
                }
            };
            let Ok(found) = &mut found[*index] else { continue };
            let theirs = places.into_iter().filter(|place| place.file.starts_with(server.root()));
            let mut all: Vec<Location> = found.value.places.drain(..).chain(theirs).collect();
            all.sort_unstable();
            all.dedup();
            found.value.total = all.len();
            found.value.places = all;
            if !complete {
                doubts.push((*index, "its server has not seen everything".to_owned()));
            } else if !explains(found, files) {
                doubts.push((*index, "its server does not say that it is this one".to_owned()));
            }
        }
        Ok(doubts)
    }

    /// Whether a server has seen another project as a part of its own: one that looks at everything below its root, and
    /// is not told otherwise.
    fn is_seen_by(&self, own: &Assigned, other: &Path) -> bool {
        let server = &own.server;
        other.starts_with(server.root())
            && server.spec().limiting() == Some(Limiting::Settings)
            && server.scope().is_none()
            && own_word(server.spec(), server.root()).is_none()
    }

    fn unexplained(&self, server: &Server, files: &[PathBuf], why: &str) -> String {
        let shown = |path: &Path| {
            let root = self.shared.roots.around(path);
            let below = root.and_then(|root| path.strip_prefix(root).ok());
            below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path).display().to_string()
        };
        let mut named: Vec<String> = files.iter().take(MOST_NAMED).map(|file| shown(file)).collect();
        if files.len() > MOST_NAMED {
            named.push(format!("and {} more", files.len() - MOST_NAMED));
        }
        format!(
            "the name is also written in the project `{}` ({}): {why}",
            shown(server.root()),
            named.join(", ")
        )
    }
}

/// Whether an answer has a place in each of these files.
fn explains(found: &Found<References>, files: &[PathBuf]) -> bool {
    let known: BTreeSet<&PathBuf> = found.value.places.iter().map(|place| &place.file).collect();
    files.iter().all(|file| known.contains(file))
}

fn knows(found: &Result<Found<References>, WorkspaceError>, files: &[PathBuf]) -> bool {
    found.as_ref().is_ok_and(|found| explains(found, files))
}

/// Adds a doubt to an answer.
fn doubt(found: &mut Result<Found<References>, WorkspaceError>, told: &str) {
    if let Ok(found) = found {
        found.indexed = false;
        found.note =
            Some(found.note.take().map_or_else(|| told.to_owned(), |note| format!("{note}\n{told}")));
    }
}
