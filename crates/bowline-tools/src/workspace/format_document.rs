//! `format_document`: the edits that would lay a file out.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::answered::answered;
use crate::explain::explain;
use crate::layout::{Layout, told};
use crate::patience::{patience, reporter};

/// Edits that format a file, as the language server proposes them. Nothing is changed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FormatDocumentArgs {
    pub file_path: PathBuf,
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(flatten)]
    pub how: Layout,
}

pub struct FormatDocument {
    pub workspace: Arc<Workspace>,
}

impl Tool for FormatDocument {
    type Args = FormatDocumentArgs;
    type Output = Vec<Value>;
    const NAME: &'static str = "format_document";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &FormatDocumentArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(&self, args: FormatDocumentArgs, cx: &CallContext) -> Result<Answer<Vec<Value>>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let how = args.how.formatting()?;
        let file = &args.file_path;
        let found = self.workspace.formatting(file, None, how, &patience).await.map_err(explain)?;
        let edits = found.value.clone();
        let hint = told(&edits);
        let mut answer = answered(&found, edits, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}
