//! `list_workspace_folders`: the folders that language servers work in.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::folders::{self, WireFolder};

/// The folders of the workspace.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListWorkspaceFoldersArgs {}

#[derive(Debug, Serialize)]
pub struct ListWorkspaceFoldersOutput {
    workspace_folders: Vec<WireFolder>,
}

pub struct ListWorkspaceFolders {
    pub workspace: Arc<Workspace>,
}

impl Tool for ListWorkspaceFolders {
    type Args = ListWorkspaceFoldersArgs;
    type Output = ListWorkspaceFoldersOutput;
    const NAME: &'static str = "list_workspace_folders";
    const MOST: Effect = Effect::Read;

    fn intent(&self, _args: &ListWorkspaceFoldersArgs) -> Intent {
        Intent::new(Effect::Read, [])
    }

    async fn run(
        &self,
        _args: ListWorkspaceFoldersArgs,
        _cx: &CallContext,
    ) -> Result<Answer<ListWorkspaceFoldersOutput>, ToolError> {
        Ok(Answer::new(ListWorkspaceFoldersOutput { workspace_folders: folders::all(&self.workspace) })
            .hint("add_workspace_folder tells servers of another one within the roots"))
    }
}
