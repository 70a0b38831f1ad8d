//! From a draft to the disk, through the one writer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_std::fs::{ReadError, read_text_straight};
use bowline_write::{Change, ContentHash, Plan, Receipt, WriteError};

use super::patch::{changed, patches};
use super::{Draft, DraftError, DraftState, Drafted, Files, Patch};
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
        Ok(self.aimed(draft, files, target)?.into_keys().collect())
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
        let writing = Writing::begin(draft)?;
        if target.is_none() {
            self.check_unchanged(draft, patience).await?;
        }
        let files = self.aimed(draft, writing.files.clone(), target)?;
        let base = target.map_or_else(|| Ok(draft.root().to_owned()), |target| self.resolve(target))?;
        let patches = patches(&files, &base);
        let changes = patches.iter().filter_map(|Patch { path, diff, .. }| {
            let file = files.get(path)?;
            Some(Change {
                path: path.clone(),
                before: file.before.as_ref().map(|text| ContentHash::of(text.as_bytes())),
                after: file.after.as_ref().map(|text| text.as_bytes().to_vec()),
                like: file.like.clone(),
                mode: None,
                diff: Some(diff.clone()),
            })
        });
        let plan = Plan { label: label.to_owned(), undoes: None, changes: changes.collect() };
        let receipt = match self.write(plan, leave).await {
            Err(WorkspaceError::Write(error)) => match *error {
                WriteError::Changed { path, .. } => {
                    if target.is_none() {
                        draft.held().state = DraftState::Dirty;
                    }
                    return Err(self.overtaken(&files, &path));
                }
                other => return Err(other.into()),
            },
            written => written?,
        };
        draft.held().state = DraftState::Committed;
        Ok(Committed { receipt, patches })
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
        for (path, file) in files {
            let inside = path.strip_prefix(draft.root()).unwrap_or(&path);
            let there = self.resolve(&target.join(inside))?;
            let now: Option<Arc<str>> = self.read_if_there(&there)?;
            // What is there must be what the draft was made from, or not be there at all.
            if now.is_some() && now != file.before {
                return Err(changed(&there, file.before.as_deref(), now.as_deref()).into());
            }
            // A new one gets the permissions of the file that it is a version of.
            let like = now.is_none().then_some(path).filter(|path| path.exists()).or(file.like);
            if now != file.after {
                aimed.insert(there, Drafted { before: now, after: file.after, like });
            }
        }
        Ok(aimed)
    }

    fn read_if_there(&self, path: &Path) -> Result<Option<Arc<str>>, WorkspaceError> {
        match read_text_straight(path, self.shared.options.max_named_file_bytes) {
            Ok((text, _)) => Ok(Some(text.into())),
            Err(ReadError::NotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Somebody else wrote in the very moment.
    fn overtaken(&self, files: &Files, path: &Path) -> WorkspaceError {
        let now = self.read_if_there(path).ok().flatten();
        let was = files.get(path).and_then(|file| file.before.as_deref());
        changed(path, was, now.as_deref()).into()
    }
}

/// A draft on its way to the disk: until this is dropped, it stays what it is.
struct Writing<'a> {
    draft: &'a Draft,
    files: Files,
}

impl<'a> Writing<'a> {
    fn begin(draft: &'a Draft) -> Result<Self, DraftError> {
        let mut held = draft.held();
        draft.may(&held, "committed", DraftState::can_be_committed)?;
        held.is_being_written = true;
        Ok(Self { draft, files: held.files.clone() })
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.draft.held().is_being_written = false;
    }
}
