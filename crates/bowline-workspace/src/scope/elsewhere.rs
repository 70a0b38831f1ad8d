//! What a limited server has not looked at, and when that does not matter.
//!
//! A file that does not hold the name of something cannot use it, unless somebody gave it another name on the way. So
//! the server is made to look at every file elsewhere that holds the name, and then at what it found: if all of that
//! is written with this name, nothing went by another one. Where JavaScript exports something without its name, or
//! under another, that proves nothing.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bowline_code::{Encoding, LineTable, Location, Position};
use bowline_lsp::{Readiness, Scope, ServerSpec};
use bowline_std::fs::{read_bounded, read_text};
use bowline_syntax::word_hash;
use ignore::WalkState;

use super::Tongue;
use super::wish::describe;
use crate::query::name_at;
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

/// So many files that the index leaves out are read for a name.
const MOST_UNLISTED: usize = 500;
const MOST_UNLISTED_BYTES: u64 = 64 << 20;
/// More of their content is not kept for the next question.
const MAX_KEPT_BYTES: usize = 4 << 20;
/// So many files elsewhere are named one by one; of more, the directories. pyright compares every file with every
/// name on the list.
const MOST_NAMED: usize = 32;
/// So many files are read for other names of something.
const MOST_SUSPECTS: usize = 2000;
/// A server reads no more of a file, either.
const MOST_BYTES: u64 = 8 << 20;

/// What lies beyond the scope of a server, seen by a question about a name.
pub(crate) struct Beyond {
    tongue: Tongue,
    root: PathBuf,
    /// The scope, without what other questions widened it by.
    scope: Scope,
    name: Option<Named>,
    /// Files of its languages that are not in the scope.
    elsewhere: Arc<Vec<PathBuf>>,
    /// Of these, those that hold the name.
    holders: BTreeSet<PathBuf>,
    /// Every file was looked at for the name.
    is_known: bool,
    /// Files that may give it another name.
    may_rename: bool,
}

/// A name that is asked about.
#[derive(Clone)]
struct Named {
    text: String,
    /// Nothing outside its file can use it.
    is_local: bool,
    /// It may be another name of something, given in this file.
    is_alias: bool,
}

impl Workspace {
    /// What lies beyond the scope of a file's server for the names at these positions, after the scope has followed the
    /// file and was widened by what holds them. `None`: the server is not limited, or there was no time to find out.
    /// Takes at most half of the time there is.
    pub(crate) async fn beyond_each(
        &self,
        path: &Path,
        ats: &[Position],
        patience: &Patience<'_>,
    ) -> Result<Vec<Option<Beyond>>, WorkspaceError> {
        let half = |due: Instant| Instant::now() + due.saturating_duration_since(Instant::now()) / 2;
        let hasty = Patience { deadline: patience.deadline.map(half), ..patience.clone() };
        match self.look_beyond(path, ats, &hasty).await {
            Ok(Some(beyond)) => Ok(beyond.into_iter().map(Some).collect()),
            Ok(None) => Ok(ats.iter().map(|_| None).collect()),
            Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
            Err(error) => {
                tracing::debug!(%error, "nobody knows what is beyond the scope");
                Ok(ats.iter().map(|_| None).collect())
            }
        }
    }

    /// What a reader is told of an answer about the whole project by a server that has not seen all of it: because it
    /// cannot load it, or is limited.
    pub(crate) fn doubt(&self, path: &Path) -> Option<String> {
        let real = self.resolve(path).ok()?;
        let server = self.fleet.of_file(&real, &self.shared.roots)?.server;
        let life = server.current()?;
        match life.readiness() {
            Readiness::Stuck(why) => {
                Some(format!("`{}` could not load the whole project: {why}", server.name()))
            }
            Readiness::Ready | Readiness::Busy(_) => self.scope_note(path).or_else(|| {
                let knows_all = life.knows_all_files();
                (!knows_all).then(|| format!("`{}` knows only files that it was shown", server.name()))
            }),
        }
    }

    /// What a reader is told of an answer about the whole project by a server that is limited.
    pub(crate) fn scope_note(&self, path: &Path) -> Option<String> {
        let scoped = self.scope_of(path).ok()??;
        Scope::new(scoped.places).map(|scope| note_of_unknown(&scope))
    }

    async fn look_beyond(
        &self,
        path: &Path,
        ats: &[Position],
        patience: &Patience<'_>,
    ) -> Result<Option<Vec<Beyond>>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(assigned) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(None);
        };
        self.follow(&assigned, &real, patience).await?;
        let server = &assigned.server;
        let (Some(scope), Some(tongue)) = (server.scope(), Tongue::of_language(&assigned.language)) else {
            return Ok(None);
        };
        let scope = self.fleet.scopes.base(server).and_then(Scope::new).unwrap_or(scope);
        let ats = ats.to_vec();
        let names = self
            .blocking(patience, move |work| {
                Ok(ats.iter().map(|at| named(work, &real, *at)).collect::<Vec<_>>())
            })
            .await?;
        let hash = |name: &Option<Named>| word_hash(name.as_ref().map_or("", |name| &name.text));
        let hashes: Vec<u32> = names.iter().map(hash).collect();
        let ((holding, listed), indexed) = self
            .ask(patience, move |store| {
                let mut known: HashMap<u32, Vec<PathBuf>> = HashMap::new();
                for hash in &hashes {
                    if !known.contains_key(hash) {
                        known.insert(*hash, store.holding(*hash)?);
                    }
                }
                let holding: Vec<Vec<PathBuf>> =
                    hashes.iter().map(|hash| known.get(hash).cloned().unwrap_or_default()).collect();
                Ok((holding, store.files()?))
            })
            .await?;
        // Nothing has changed since it was last looked at, as far as is watched.
        let place = self.fleet.watches_all(&self.shared).then(|| self.fleet.news_end());
        let limited_to = scope.clone();
        let known = place.and_then(|place| self.fleet.scopes.around(server, place, &scope));
        let listed: HashSet<PathBuf> = listed.into_iter().map(|(path, ..)| path).collect();
        let (root, spec) = (server.root().to_owned(), server.spec().clone());
        let (each, around) = self
            .blocking(patience, move |work| {
                let around = match known {
                    Some(around) => around,
                    None => Arc::new(Around::look(work, &spec, &root, &scope, &listed)),
                };
                let of_name = |(name, holding): (Option<Named>, Vec<PathBuf>)| {
                    let mut beyond = Beyond {
                        tongue,
                        root: root.clone(),
                        scope: scope.clone(),
                        name,
                        elsewhere: Arc::clone(&around.elsewhere),
                        holders: BTreeSet::new(),
                        is_known: indexed && around.is_known,
                        may_rename: true,
                    };
                    beyond.look(&spec, &holding, &around.unlisted);
                    beyond
                };
                let each: Vec<Beyond> = names.into_iter().zip(holding).map(of_name).collect();
                Ok((each, around))
            })
            .await?;
        let elsewhere = around.elsewhere.len();
        if let Some(place) = place.filter(|_| around.is_small()) {
            self.fleet.scopes.note_around(server, place, limited_to, around);
        }
        let places: BTreeSet<String> = each.iter().flat_map(Beyond::places).collect();
        if !places.is_empty() {
            self.widen(server, &places, elsewhere).await;
        }
        Ok(Some(each))
    }
}

/// What is in a project besides a scope.
pub(super) struct Around {
    elsewhere: Arc<Vec<PathBuf>>,
    /// Those of them that the index leaves out, with what is in them.
    unlisted: Vec<(PathBuf, Vec<u8>)>,
    /// Everything could be looked at.
    is_known: bool,
}

impl Around {
    /// Whether it is worth keeping.
    fn is_small(&self) -> bool {
        self.unlisted.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() <= MAX_KEPT_BYTES
    }

    /// Blocks.
    fn look(work: &Work, spec: &ServerSpec, root: &Path, scope: &Scope, listed: &HashSet<PathBuf>) -> Self {
        let found = Mutex::new(Vec::new());
        let walked = work.shared.of_servers.run(&|entry| {
            let path = entry.path();
            let is_elsewhere =
                path.starts_with(root) && spec.language_of(path).is_some() && !scope.covers(root, path);
            if is_elsewhere {
                found.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
            }
            if work.stopped() { WalkState::Quit } else { WalkState::Continue }
        });
        let elsewhere = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<&PathBuf> = elsewhere.iter().filter(|path| !listed.contains(*path)).collect();
        let mut is_known = walked.unreadable == 0 && missing.len() <= MOST_UNLISTED;
        let (mut unlisted, mut left) = (Vec::new(), MOST_UNLISTED_BYTES);
        for path in missing.into_iter().take(MOST_UNLISTED) {
            match read_bounded(path, left.min(MOST_BYTES)) {
                Ok((bytes, _)) => {
                    left = left.saturating_sub(bytes.len() as u64);
                    unlisted.push((path.clone(), bytes));
                }
                Err(_) => is_known = false,
            }
        }
        Self { elsewhere: Arc::new(elsewhere), unlisted, is_known }
    }
}

fn named(work: &Work, path: &Path, at: Position) -> Option<Named> {
    let document = work.read(path).ok()?;
    let name = name_at(&document, at).ok()?;
    let is_local = document.parsed().ok()?.local(&name).is_some();
    let is_alias = before_each(document.text(), &name.text).any(|before| before.ends_with(" as"));
    Some(Named { text: name.text, is_local, is_alias })
}

impl Beyond {
    /// Looks for the name in files elsewhere. Blocks.
    fn look(&mut self, spec: &ServerSpec, holding: &[PathBuf], unlisted: &[(PathBuf, Vec<u8>)]) {
        let Some(Named { text: name, .. }) = self.name.clone() else {
            return;
        };
        let ours = |path: &&PathBuf| path.starts_with(&self.root) && spec.language_of(path).is_some();
        let all: Vec<&PathBuf> = holding.iter().filter(ours).collect();
        let is_elsewhere = |path: &&&PathBuf| !self.scope.covers(&self.root, path);
        let listed = all.iter().filter(is_elsewhere).map(|path| (*path).clone());
        let others = unlisted.iter().filter(|(_, bytes)| holds(bytes, name.as_bytes()));
        self.holders = listed.chain(others.map(|(path, _)| path.clone())).collect();
        self.may_rename = self.tongue == Tongue::JavaScript
            && (all.len() > MOST_SUSPECTS
                || all.into_iter().chain(&self.holders).any(|path| {
                    read_text(path, MOST_BYTES).map_or(true, |(text, _)| exports_otherwise(&text, &name))
                }));
    }

    /// What the scope has to be widened by, so that every file is looked at that holds the name.
    fn places(&self) -> BTreeSet<String> {
        let relative = |path: &Path| path.strip_prefix(&self.root).ok()?.to_str().map(str::to_owned);
        let by_name = self.holders.len() <= MOST_NAMED;
        let place = |file: &PathBuf| match file.parent() {
            Some(directory) if !by_name && directory != self.root => relative(directory),
            _ => relative(file),
        };
        self.holders.iter().filter_map(place).collect()
    }

    /// Whether an answer of a server that was limited so can have left nothing out. Blocks.
    pub(crate) fn is_complete(&self, limited_to: &Scope, places: &[Location]) -> bool {
        let Some(Named { text: name, is_local, is_alias }) = &self.name else {
            return false;
        };
        if *is_local {
            return true;
        }
        let sees = |path: &Path| limited_to.covers(&self.root, path);
        let as_before = self.scope.places().iter().all(|place| sees(&self.root.join(place)));
        if !self.is_known || !as_before {
            return false;
        }
        // Either there is nothing else, or nothing of this name.
        self.unseen(limited_to).next().is_none()
            || !self.may_rename
                && self.holders.iter().all(|holder| sees(holder))
                && !is_alias
                && all_written_so(places, name)
    }

    fn unseen<'a>(&'a self, limited_to: &'a Scope) -> impl Iterator<Item = &'a PathBuf> {
        let is_unseen = move |file: &&PathBuf| !limited_to.covers(&self.root, file);
        self.elsewhere.iter().filter(is_unseen)
    }

    /// What a reader is told of an answer that may have left something out.
    pub(crate) fn note(&self, limited_to: &Scope) -> String {
        let unseen = self.unseen(limited_to).count();
        let files = if unseen == 1 { "1 file".to_owned() } else { format!("{unseen} files") };
        format!(
            "{}: {files} elsewhere were not looked at; start_lsp with scope \"\" lifts it",
            describe(self.scope.places())
        )
    }
}

/// The same, where nobody knows what is elsewhere.
pub(crate) fn note_of_unknown(limited_to: &Scope) -> String {
    format!(
        "{}: what is elsewhere was not looked at; start_lsp with scope \"\" lifts it",
        describe(limited_to.places())
    )
}

fn holds(bytes: &[u8], name: &[u8]) -> bool {
    !name.is_empty() && bytes.windows(name.len()).any(|window| window == name)
}

/// What stands before each place that holds a name.
fn before_each<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(name).map(|(at, _)| text[..at].trim_end())
}

/// Whether a text may hand something of this name on under another.
fn exports_otherwise(text: &str, name: &str) -> bool {
    let nameless = ["export default", "export =", "module.exports", "exports.", "exports["];
    if nameless.iter().any(|words| text.contains(words)) {
        return true;
    }
    before_each(text, name).any(|before| before.ends_with(" as"))
        || text.match_indices(name).any(|(at, _)| text[at + name.len()..].trim_start().starts_with("as "))
}

/// Whether every place holds this name. Blocks.
fn all_written_so(places: &[Location], name: &str) -> bool {
    let mut last: Option<(&Path, String, LineTable)> = None;
    places.iter().all(|place| {
        if last.as_ref().is_none_or(|(file, ..)| *file != place.file) {
            let Ok((text, _)) = read_text(&place.file, MOST_BYTES) else {
                return false;
            };
            let lines = LineTable::new(&text);
            last = Some((&place.file, text, lines));
        }
        let Some((_, text, lines)) = &last else {
            return false;
        };
        let written =
            lines.offset(text, place.span().start, Encoding::Utf16).ok().and_then(|at| text.get(at..));
        written.is_some_and(|written| written.starts_with(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_without_its_name_may_go_by_another() {
        for text in [
            "export default function greet() {}",
            "export { greet as hi }",
            "import { x as greet } from 'x'",
            "module.exports = greet",
        ] {
            assert!(exports_otherwise(text, "greet"), "{text}");
        }
        assert!(!exports_otherwise("import * as all from 'x'; export { greet }", "greet"));
    }
}
