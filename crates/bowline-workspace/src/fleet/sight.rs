//! Which projects can see which, remembered for as long as nothing they depend on changes.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::WalkState;

use super::news::Place;
use super::{Assigned, Fleet};
use crate::WorkspaceError;
use crate::workspace::Shared;

/// What a project provides is seen in its upper directories.
const PROVIDED_DEPTH: usize = 3;

/// How surely a project can see what another declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    No,
    /// Something there has a name that the other project provides, and may come from elsewhere.
    Maybe,
    /// It names the very place of the other project, or its package.
    Yes,
}

/// Says whether the project at the second place can see what the first declares, given the language and the files of
/// the second. Blocks.
pub(crate) type Sees = fn(&str, &Path, &Path, &[PathBuf]) -> Sight;

/// The project that declares, the one that may see it, and the language.
type Pair = (PathBuf, PathBuf, String);

#[derive(Default)]
pub(super) struct Sights(Mutex<HashMap<Pair, (Place, Sight)>>);

impl Sights {
    fn known(&self) -> MutexGuard<'_, HashMap<Pair, (Place, Sight)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fleet {
    /// Those of some projects that can see what the project of a server declares.
    pub(crate) async fn projects_that_see(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        own: &Assigned,
        others: Vec<PathBuf>,
        sees: Sees,
    ) -> Result<BTreeMap<PathBuf, Sight>, WorkspaceError> {
        let place = self.news.now();
        let root = own.server.root();
        let (mut seeing, mut unknown) = (BTreeMap::new(), Vec::new());
        for other in others {
            let pair = (root.to_owned(), other.clone(), own.language.clone());
            let counts = |path: &Path| {
                let is_provided = || {
                    path.strip_prefix(root).is_ok_and(|below| below.components().count() <= PROVIDED_DEPTH)
                };
                path.starts_with(&other) || is_provided()
            };
            let known = self.sights.known().get(&pair).copied();
            match known.filter(|(since, _)| self.news.none_since(*since, counts)) {
                Some((_, sight)) => {
                    seeing.insert(other, sight);
                }
                None => unknown.push(other),
            }
        }
        if unknown.is_empty() {
            seeing.retain(|_, sight| *sight != Sight::No);
            return Ok(seeing);
        }
        let (fleet, shared, own) = (Arc::clone(self), Arc::clone(shared), own.clone());
        let found = super::fresh::blocking(move || {
            let mut found = Vec::new();
            for other in unknown {
                let sight = fleet.look_into(&shared, &own, &other, sees);
                let pair = (own.server.root().to_owned(), other.clone(), own.language.clone());
                fleet.sights.known().insert(pair, (place, sight));
                found.push((other, sight));
            }
            found
        })
        .await?;
        seeing.extend(found);
        seeing.retain(|_, sight| *sight != Sight::No);
        Ok(seeing)
    }

    /// Looks through a project for what it brings in. One with links may hold anything. Blocks.
    fn look_into(&self, shared: &Shared, own: &Assigned, other: &Path, sees: Sees) -> Sight {
        let (files, has_links) = (Mutex::new(Vec::new()), Mutex::new(false));
        let walked = shared.of_servers.run_below(other, &|entry| {
            if entry.path_is_symlink() {
                *has_links.lock().unwrap_or_else(PoisonError::into_inner) = true;
                return WalkState::Quit;
            }
            if own.server.spec().language_of(entry.path()).is_some() {
                files.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
            }
            WalkState::Continue
        });
        let has_links = has_links.into_inner().unwrap_or_else(PoisonError::into_inner);
        let files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
        match sees(&own.language, own.server.root(), other, &files) {
            Sight::No if walked.unreadable > 0 || has_links => Sight::Maybe,
            sight => sight,
        }
    }
}
