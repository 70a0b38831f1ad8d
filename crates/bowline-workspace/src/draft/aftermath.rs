//! What is wrong after a draft was written: in its files, and in those that can tell that they are others now.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bowline_code::Severity;

use super::{Draft, Problem};
use crate::dependants::Edited;
use crate::fleet::is_prose;
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of files that are looked at, those that were written first.
const MAX_FILES: usize = 100;

/// The problems of files as they are now. Where something is not known, nothing is said to be right.
#[derive(Debug, Default)]
pub struct Aftermath {
    pub problems: Vec<Problem>,
    /// So many files were looked at, with evidence.
    pub checked: usize,
    /// Those of which nothing is known, and why.
    pub unknown: Vec<(PathBuf, String)>,
    /// So many more would have to be looked at.
    pub left_out: usize,
}

impl Aftermath {
    pub fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.diagnostic.severity == severity).count()
    }

    /// Every file that can tell was looked at.
    pub fn is_known(&self) -> bool {
        self.unknown.is_empty() && self.left_out == 0
    }
}

impl Workspace {
    /// Fresh diagnostics of what drafts have written and of what can tell, the written files first, as far as the time
    /// goes.
    pub async fn aftermath<'a>(
        &self,
        drafts: impl IntoIterator<Item = &'a Draft>,
        patience: &Patience<'_>,
    ) -> Result<Aftermath, WorkspaceError> {
        let files = drafts.into_iter().flat_map(|draft| draft.held().files.clone());
        let changed = files.filter(|(_, file)| file.is_changed());
        let edited: Vec<Edited> =
            changed.map(|(path, file)| Edited { path, before: file.before, after: file.after }).collect();
        let there = edited.iter().filter(|edited| edited.after.is_some() && !is_prose(&edited.path));
        let mut written: Vec<PathBuf> = there.map(|edited| edited.path.clone()).collect();
        written.sort_unstable();
        written.dedup();
        let mut aftermath =
            Aftermath { left_out: written.len().saturating_sub(MAX_FILES), ..Aftermath::default() };
        written.truncate(MAX_FILES);
        self.look_at(&written, &mut aftermath, patience).await?;
        let mut seen: BTreeSet<PathBuf> = edited.iter().map(|edited| edited.path.clone()).collect();
        let mut others = Vec::new();
        for root in self.roots() {
            match self.dependants(edited.clone(), root, MAX_FILES, patience).await {
                Ok(reached) => {
                    aftermath.left_out += reached.left_out;
                    others.extend(reached.files.into_iter().filter(|path| seen.insert(path.clone())));
                }
                Err(WorkspaceError::NotReady { .. }) => {
                    let why = "which files depend on it was not found out in time".to_owned();
                    aftermath.unknown.push((root.clone(), why));
                }
                Err(error) => return Err(error),
            }
        }
        let room = MAX_FILES.saturating_sub(written.len());
        aftermath.left_out += others.len().saturating_sub(room);
        others.truncate(room);
        self.look_at(&others, &mut aftermath, patience).await?;
        Ok(aftermath)
    }

    async fn look_at(
        &self,
        paths: &[PathBuf],
        aftermath: &mut Aftermath,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        for file in self.diagnostics(paths, patience).await?.files {
            match file.known {
                Ok((found, _)) => {
                    aftermath.checked += 1;
                    let path = file.path;
                    let problem = |diagnostic| Problem { path: path.clone(), diagnostic };
                    aftermath.problems.extend(found.into_iter().map(problem));
                }
                Err(error) => aftermath.unknown.push((file.path, error.to_string())),
            }
        }
        Ok(())
    }
}
