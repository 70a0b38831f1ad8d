//! `discard_session`: drops the edits of a draft.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::explain::explain;

/// Drop the edits of a draft.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DiscardSessionArgs {
    pub session_id: String,
}

pub struct DiscardSession {
    pub workspace: Arc<Workspace>,
}

impl Tool for DiscardSession {
    type Args = DiscardSessionArgs;
    type Output = Value;
    const NAME: &'static str = "discard_session";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &DiscardSessionArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(&self, args: DiscardSessionArgs, _cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let draft = self.workspace.draft(&args.session_id).map_err(|error| explain(error.into()))?;
        draft.discard().map_err(|error| explain(error.into()))?;
        Ok(Answer::new(json!({"session_id": draft.id(), "status": draft.state().as_str()})))
    }
}
