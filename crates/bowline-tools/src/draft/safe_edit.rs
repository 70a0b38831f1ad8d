//! `safe_edit`: `safe_apply_edit` by its short name.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::draft::safe_apply_edit::{SafeApplyEditArgs, SafelyApplied, apply};

/// safe_apply_edit by its short name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SafeEditArgs {
    #[serde(flatten)]
    pub edit: SafeApplyEditArgs,
}

pub struct SafeEdit {
    pub workspace: Arc<Workspace>,
}

impl Tool for SafeEdit {
    type Args = SafeEditArgs;
    type Output = SafelyApplied;
    const NAME: &'static str = "safe_edit";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &SafeEditArgs) -> Intent {
        Intent::write([&args.edit.file_path])
    }

    async fn run(&self, args: SafeEditArgs, cx: &CallContext) -> Result<Answer<SafelyApplied>, ToolError> {
        apply(&self.workspace, args.edit, Self::NAME, cx).await
    }
}
