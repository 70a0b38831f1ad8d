//! `format_range`: lays a stretch of a file out, or says how it would be.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::layout::{Applying, LaidOut, Layout, intent, lay_out};
use crate::patience::{patience, reporter, within};
use crate::place::Stretch;

/// Edits that format a range. `apply` writes them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FormatRangeArgs {
    #[serde(flatten)]
    pub within: Stretch,
    #[serde(flatten)]
    pub how: Layout,
    #[serde(flatten)]
    pub applying: Applying,
}

pub struct FormatRange {
    pub workspace: Arc<Workspace>,
}

impl Tool for FormatRange {
    type Args = FormatRangeArgs;
    type Output = LaidOut;
    const NAME: &'static str = "format_range";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Read;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &FormatRangeArgs) -> Intent {
        intent(args.within.file(), args.applying)
    }

    async fn run(&self, args: FormatRangeArgs, cx: &CallContext) -> Result<Answer<LaidOut>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let how = (args.how.formatting()?, args.applying);
        let span = args.within.span(&self.workspace, &patience).await?;
        lay_out(&self.workspace, Self::NAME, args.within.file(), Some(span), how, cx, &patience).await
    }
}
