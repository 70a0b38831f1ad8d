//! `destroy_session`: lets go of a draft.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Let go of a draft, in whatever state it is.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DestroySessionArgs {
    pub session_id: String,
}

pub struct DestroySession {
    pub workspace: Arc<Workspace>,
}

impl Tool for DestroySession {
    type Args = DestroySessionArgs;
    type Output = Value;
    const NAME: &'static str = "destroy_session";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &DestroySessionArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(&self, args: DestroySessionArgs, _cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let id = bowline_std::text::cut(&args.session_id, 100);
        Ok(Answer::new(if self.workspace.destroy_draft(&args.session_id) {
            json!({"session_id": id, "status": "destroyed"})
        } else {
            let note = "there is no such session: it was destroyed before, or never created";
            json!({"session_id": id, "status": "already_destroyed", "note": note})
        }))
    }
}
