//! Drafts that last for one call, and the way from a draft to the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{CallContext, Clearance, ToolError};
use bowline_workspace::{Committed, Draft, Edit, Leave, Patience, Workspace};

use crate::explain::explain;

/// A draft that goes with the call it was made for.
pub(crate) struct Passing<'a> {
    workspace: &'a Arc<Workspace>,
    draft: Draft,
}

impl<'a> Passing<'a> {
    /// A draft for one edit. Without a root it is about the root that the edit's first file lies in.
    pub(crate) fn begin(
        workspace: &'a Arc<Workspace>,
        root: Option<&Path>,
        language: Option<&str>,
        edit: &Edit,
    ) -> Result<Self, ToolError> {
        let files = edit.files();
        let about = root.or_else(|| files.first().map(PathBuf::as_path));
        let about = about.ok_or_else(|| ToolError::bad_arguments("the edit names no file"))?;
        let draft = workspace.new_passing_draft(about, language.unwrap_or_default()).map_err(explain)?;
        Ok(Self { workspace, draft })
    }

    /// A draft of whatever lies below the roots.
    pub(crate) fn wide(workspace: &'a Arc<Workspace>) -> Result<Self, ToolError> {
        Ok(Self { workspace, draft: workspace.new_wide_draft().map_err(explain)? })
    }

    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
    }
}

impl Drop for Passing<'_> {
    fn drop(&mut self) {
        self.workspace.destroy_draft(self.draft.id());
    }
}

/// Writes a draft: the gate sees the very files, and what is begun is brought to its end.
pub(crate) async fn commit(
    workspace: &Workspace,
    draft: &Draft,
    target: Option<&Path>,
    label: &str,
    cx: &CallContext,
    patience: &Patience<'_>,
) -> Result<Committed, ToolError> {
    let files = workspace.files_of_commit(draft, target).map_err(explain)?;
    let leave = leave(cx, files).await?;
    cx.finish(workspace.commit_draft(draft, target, label, leave, patience)).await.map_err(explain)
}

/// Leave to write these very files, which lasts as long as the write.
pub(crate) async fn leave(cx: &CallContext, files: Vec<PathBuf>) -> Result<Leave, ToolError> {
    let clearance: Clearance = cx.clear(files).await?;
    Ok(Box::new(move |path| clearance.covers(path)))
}
