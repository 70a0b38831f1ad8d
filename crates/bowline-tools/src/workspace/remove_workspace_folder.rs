//! `remove_workspace_folder`: takes a folder back.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::folders::{self, WireFolder};

/// Take back a folder that was added.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RemoveWorkspaceFolderArgs {
    pub path: PathBuf,
}

#[derive(Debug, Serialize)]
pub struct RemoveWorkspaceFolderOutput {
    removed: PathBuf,
    workspace_folders: Vec<WireFolder>,
}

pub struct RemoveWorkspaceFolder {
    pub workspace: Arc<Workspace>,
}

impl Tool for RemoveWorkspaceFolder {
    type Args = RemoveWorkspaceFolderArgs;
    type Output = RemoveWorkspaceFolderOutput;
    const NAME: &'static str = "remove_workspace_folder";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, args: &RemoveWorkspaceFolderArgs) -> Intent {
        Intent::new(Effect::Draft, [Target::Path(args.path.clone())])
    }

    async fn run(
        &self,
        args: RemoveWorkspaceFolderArgs,
        _cx: &CallContext,
    ) -> Result<Answer<RemoveWorkspaceFolderOutput>, ToolError> {
        let folder = self.workspace.resolve(&args.path).map_err(explain)?;
        if !self.workspace.remove_folder(&folder).await {
            return Err(ToolError::bad_arguments(format!("`{}` was not added", folder.display()))
                .hint("list_workspace_folders shows the folders; roots stay"));
        }
        let workspace_folders = folders::all(&self.workspace);
        Ok(Answer::new(RemoveWorkspaceFolderOutput { removed: folder, workspace_folders })
            .hint("servers no longer look there; roots cannot be removed"))
    }
}
