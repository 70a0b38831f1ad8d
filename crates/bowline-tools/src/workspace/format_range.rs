//! `format_range`: the edits that would lay a stretch of a file out.

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
use crate::place::Stretch;

/// Edits that format a range, as the language server proposes them. Nothing is changed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FormatRangeArgs {
    #[serde(flatten)]
    pub within: Stretch,
    #[serde(flatten)]
    pub how: Layout,
}

pub struct FormatRange {
    pub workspace: Arc<Workspace>,
}

impl Tool for FormatRange {
    type Args = FormatRangeArgs;
    type Output = Vec<Value>;
    const NAME: &'static str = "format_range";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &FormatRangeArgs) -> Intent {
        Intent::read(args.within.file())
    }

    async fn run(&self, args: FormatRangeArgs, cx: &CallContext) -> Result<Answer<Vec<Value>>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let how = args.how.formatting()?;
        let within = args.within.span(&self.workspace, &patience).await?;
        let file = args.within.file();
        let found = self.workspace.formatting(file, Some(within), how, &patience).await.map_err(explain)?;
        let edits = found.value.clone();
        let hint = told(&edits);
        let mut answer = answered(&found, edits, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}
