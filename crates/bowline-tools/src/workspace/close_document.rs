//! `close_document`: takes a file away from the language servers that have it open.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;

/// Close a file at the language servers that have it open.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CloseDocumentArgs {
    pub file_path: PathBuf,
}

pub struct CloseDocument {
    pub workspace: Arc<Workspace>,
}

impl Tool for CloseDocument {
    type Args = CloseDocumentArgs;
    type Output = String;
    const NAME: &'static str = "close_document";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &CloseDocumentArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(&self, args: CloseDocumentArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let _ = cx;
        let closed = self.workspace.close_document(&args.file_path).map_err(explain)?;
        let hint = match closed.as_slice() {
            [] => "no language server had it open".to_owned(),
            servers => format!("closed at {}; it is opened again when it is asked about", servers.join(", ")),
        };
        Ok(Answer::new(format!("Document closed: {}", args.file_path.display())).hint(hint))
    }
}
