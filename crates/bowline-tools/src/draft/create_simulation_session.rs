//! `create_simulation_session`: begins a draft.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::explain::explain;

/// Begin a draft: edits in memory that are evaluated before anything is written.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateSimulationSessionArgs {
    pub workspace_root: PathBuf,
    pub language: String,
}

pub struct CreateSimulationSession {
    pub workspace: Arc<Workspace>,
}

impl Tool for CreateSimulationSession {
    type Args = CreateSimulationSessionArgs;
    type Output = Value;
    const NAME: &'static str = "create_simulation_session";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, args: &CreateSimulationSessionArgs) -> Intent {
        Intent::new(Effect::Draft, [Target::Path(args.workspace_root.clone())])
    }

    async fn run(
        &self,
        args: CreateSimulationSessionArgs,
        _cx: &CallContext,
    ) -> Result<Answer<Value>, ToolError> {
        if args.language.is_empty() {
            return Err(ToolError::bad_arguments("language is empty"));
        }
        let draft = self.workspace.new_draft(&args.workspace_root, &args.language).map_err(explain)?;
        let payload = json!({"session_id": draft.id(), "status": draft.state().as_str()});
        Ok(Answer::new(payload).hint("simulate_edit drafts an edit, evaluate_session says what it would do"))
    }
}
