//! `suggest_fixes`: what the language server would do about a stretch of code.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Stretch;

const USUAL: usize = 50;

/// Fixes and refactorings that the language server proposes for a range. Nothing is changed.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SuggestFixesArgs {
    #[serde(flatten)]
    pub within: Stretch,
    #[serde(flatten)]
    pub page: Page,
}

pub struct SuggestFixes {
    pub workspace: Arc<Workspace>,
}

impl Tool for SuggestFixes {
    type Args = SuggestFixesArgs;
    type Output = Vec<Value>;
    const NAME: &'static str = "suggest_fixes";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &SuggestFixesArgs) -> Intent {
        Intent::read(args.within.file())
    }

    async fn run(&self, args: SuggestFixesArgs, cx: &CallContext) -> Result<Answer<Vec<Value>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let within = args.within.span(&self.workspace, &patience).await?;
        let found =
            self.workspace.code_actions(args.within.file(), within, &patience).await.map_err(explain)?;
        let total = found.value.len();
        let actions: Vec<Value> = found.value.iter().skip(offset).take(limit).cloned().collect();
        let hint = more(actions.len(), offset, total).unwrap_or_else(|| match total {
            0 => "the server proposes nothing here; get_diagnostics says where something is wrong".to_owned(),
            _ => "an action's `edit` is as the server wrote it; nothing has been changed".to_owned(),
        });
        let mut answer = answered(&found, actions, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}
