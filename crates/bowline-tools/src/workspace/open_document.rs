//! `open_document`: shows a file to its language server before it is asked about.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// Show a file to its language server. Not needed: every tool does it by itself.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OpenDocumentArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    /// Must be what the file holds.
    #[serde(default)]
    pub text: Option<String>,
}

pub struct OpenDocument {
    pub workspace: Arc<Workspace>,
}

impl Tool for OpenDocument {
    type Args = OpenDocumentArgs;
    type Output = String;
    const NAME: &'static str = "open_document";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &OpenDocumentArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(&self, args: OpenDocumentArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        if let Some(text) = &args.text {
            let document = self.workspace.read(&args.file_path, &patience).await.map_err(explain)?;
            if document.text() != text {
                // A server that is shown something else would answer for a project that nobody has.
                return Err(ToolError::bad_arguments(
                    "`text` differs from the file; servers see files as they are",
                )
                .hint("leave `text` out"));
            }
        }
        let opened = self.workspace.open_document(&args.file_path, &patience).await.map_err(explain)?;
        let hint = match (&opened.server, opened.note) {
            (_, Some(note)) => note,
            (Some(server), None) if opened.ready => {
                format!("`{server}` has it open; get_diagnostics says what is wrong in it")
            }
            (Some(server), None) => format!("`{server}` has it open, and is still reading the project"),
            (None, None) => "there is no language server for it; syntax answers".to_owned(),
        };
        Ok(Answer::new(format!("Document opened: {}", opened.path.display())).hint(hint))
    }
}
