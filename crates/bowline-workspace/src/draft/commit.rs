//! From a draft to the disk, through the one writer.

use std::path::{Path, PathBuf};

use bowline_write::{Change, ContentHash, Plan, Receipt, WriteError};

use super::patch::{changed, patches, unified};
use super::{Draft, DraftError, DraftState, Files, Patch};
use crate::{Leave, Patience, Workspace, WorkspaceError};

/// What was written.
#[derive(Debug, Clone)]
pub struct Committed {
    pub receipt: Receipt,
    pub patches: Vec<Patch>,
}

impl Workspace {
    /// The files that a commit would write, by their real paths. `target` is a directory to write them to, laid out
    /// as they are below the draft's root, in place of the files themselves.
    pub fn files_of_commit(
        &self,
        draft: &Draft,
        target: Option<&Path>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let files = draft.held().files.clone();
        Ok(self.aimed(draft, files, target)?.into_iter().map(|(path, _)| path).collect())
    }

    /// What a commit would do. The draft stays as it is.
    pub fn preview_commit(&self, draft: &Draft) -> Result<Vec<Patch>, WorkspaceError> {
        let held = draft.held();
        draft.may(&held, "committed", DraftState::can_be_committed)?;
        Ok(patches(&held.files, draft.root()))
    }

    /// Writes what a draft would change: all of it, or nothing. A draft whose files have changed since is refused.
    pub async fn commit_draft(
        &self,
        draft: &Draft,
        target: Option<&Path>,
        label: &str,
        leave: Leave,
        patience: &Patience<'_>,
    ) -> Result<Committed, WorkspaceError> {
        let files = {
            let held = draft.held();
            draft.may(&held, "committed", DraftState::can_be_committed)?;
            held.files.clone()
        };
        if target.is_none() {
            self.check_unchanged(draft, patience).await?;
        }
        let files = self.aimed(draft, files, target)?;
        let base = target.unwrap_or_else(|| draft.root());
        let changes = files.iter().map(|(path, file)| {
            let before = file.before.as_ref().map(|text| ContentHash::of(text.as_bytes()));
            Change {
                path: path.clone(),
                // In another directory a file may also be missing altogether.
                before: before.filter(|_| target.is_none() || path.symlink_metadata().is_ok()),
                after: file.after.as_ref().map(|text| text.as_bytes().to_vec()),
                like: file.like.clone(),
                mode: None,
                diff: Some(unified(
                    path.strip_prefix(base).unwrap_or(path),
                    file.before.as_deref(),
                    file.after.as_deref(),
                )),
            }
        });
        let plan = Plan { label: label.to_owned(), undoes: None, changes: changes.collect() };
        let receipt = match self.write(plan, leave).await {
            Err(WorkspaceError::Write(error)) => match *error {
                WriteError::Changed { path, .. } => return Err(self.overtaken(draft, &files, path)),
                other => return Err(other.into()),
            },
            written => written?,
        };
        draft.held().state = DraftState::Committed;
        Ok(Committed { receipt, patches: patches(&files, base) })
    }

    /// The files where they would be written.
    fn aimed(&self, draft: &Draft, files: Files, target: Option<&Path>) -> Result<Files, WorkspaceError> {
        let files = files.into_iter().filter(|(_, file)| file.is_changed());
        let Some(target) = target else {
            return Ok(files.collect());
        };
        let target = self.resolve(target)?;
        if !target.is_dir() {
            return Err(WorkspaceError::NotADirectory { path: target });
        }
        let mut aimed = Files::new();
        for (path, mut file) in files {
            let inside = path.strip_prefix(draft.root()).unwrap_or(&path);
            let there = self.resolve(&target.join(inside))?;
            if file.after.is_none() && !there.exists() {
                continue;
            }
            // Its permissions are those of the file that it is a version of.
            file.like.get_or_insert(path);
            if there.exists() {
                file.like = None;
            }
            aimed.insert(there, file);
        }
        Ok(aimed)
    }

    /// Somebody else wrote in the very moment.
    fn overtaken(&self, draft: &Draft, files: &Files, path: PathBuf) -> WorkspaceError {
        draft.held().state = DraftState::Dirty;
        let most = self.shared.options.max_named_file_bytes;
        let now = bowline_std::fs::read_text_straight(&path, most).ok().map(|(text, _)| text);
        let was = files.get(&path).and_then(|file| file.before.as_deref());
        let error: DraftError = changed(&path, was, now.as_deref());
        error.into()
    }
}
