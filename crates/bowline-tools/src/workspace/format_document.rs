//! `format_document`: lays a file out, or says how it would be.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::layout::{Applying, LaidOut, Layout, intent, lay_out};
use crate::patience::{patience, reporter, within};

/// Edits that format a file. `apply` writes them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FormatDocumentArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(flatten)]
    pub how: Layout,
    #[serde(flatten)]
    pub applying: Applying,
}

pub struct FormatDocument {
    pub workspace: Arc<Workspace>,
}

impl Tool for FormatDocument {
    type Args = FormatDocumentArgs;
    type Output = LaidOut;
    const NAME: &'static str = "format_document";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Read;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &FormatDocumentArgs) -> Intent {
        intent(&args.file_path, args.applying)
    }

    async fn run(&self, args: FormatDocumentArgs, cx: &CallContext) -> Result<Answer<LaidOut>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let how = (args.how.formatting()?, args.applying);
        lay_out(&self.workspace, Self::NAME, &args.file_path, None, how, cx, &patience).await
    }
}
