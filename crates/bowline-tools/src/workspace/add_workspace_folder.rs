//! `add_workspace_folder`: tells every language server of one more folder.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::folders::{self, WireFolder};

/// Tell the language servers of one more folder of the workspace.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct AddWorkspaceFolderArgs {
    pub path: PathBuf,
}

#[derive(Debug, Serialize)]
pub struct AddWorkspaceFolderOutput {
    added: PathBuf,
    workspace_folders: Vec<WireFolder>,
}

pub struct AddWorkspaceFolder {
    pub workspace: Arc<Workspace>,
}

impl Tool for AddWorkspaceFolder {
    type Args = AddWorkspaceFolderArgs;
    type Output = AddWorkspaceFolderOutput;
    const NAME: &'static str = "add_workspace_folder";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, args: &AddWorkspaceFolderArgs) -> Intent {
        Intent::new(Effect::Draft, [Target::Path(args.path.clone())])
    }

    async fn run(
        &self,
        args: AddWorkspaceFolderArgs,
        _cx: &CallContext,
    ) -> Result<Answer<AddWorkspaceFolderOutput>, ToolError> {
        let folder = self.workspace.resolve(&args.path).map_err(explain)?;
        if !folder.is_dir() {
            return Err(ToolError::bad_arguments(format!("`{}` is not a directory", folder.display())));
        }
        self.workspace.add_folder(&folder).await;
        let workspace_folders = folders::all(&self.workspace);
        Ok(Answer::new(AddWorkspaceFolderOutput { added: folder, workspace_folders })
            .hint("servers know it from now on; answers take it in once they have read it"))
    }
}
