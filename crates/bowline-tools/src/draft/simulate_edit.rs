//! `simulate_edit`: an edit in a draft.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::edits::EditArgs;
use crate::explain::explain;
use crate::patience::{patience, reporter};

/// So many files are listed.
const MOST_FILES: usize = 200;

/// Edit a draft: a range, a text, a symbol, several files, or a fix, format or rename by the language server.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SimulateEditArgs {
    pub session_id: String,
    #[serde(flatten)]
    pub edit: EditArgs,
}

pub struct SimulateEdit {
    pub workspace: Arc<Workspace>,
}

impl Tool for SimulateEdit {
    type Args = SimulateEditArgs;
    type Output = Value;
    const NAME: &'static str = "simulate_edit";
    const MOST: Effect = Effect::Draft;

    fn accept(arguments: &mut Value) {
        EditArgs::accept(arguments);
    }

    fn intent(&self, args: &SimulateEditArgs) -> Intent {
        Intent::new(Effect::Draft, args.edit.files().into_iter().map(Target::Path))
    }

    async fn run(&self, args: SimulateEditArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let report = reporter(cx);
        let draft = self.workspace.draft(&args.session_id).map_err(|error| explain(error.into()))?;
        let edit = args.edit.edit()?;
        let touched =
            self.workspace.change_draft(&draft, edit, &patience(cx, &report)).await.map_err(explain)?;
        let payload = json!({
            "session_id": draft.id(),
            "edit_applied": true,
            "version_after": draft.version(),
            "files": touched.iter().take(MOST_FILES).collect::<Vec<_>>(),
            "files_touched": touched.len(),
        });
        Ok(Answer::new(payload).hint("evaluate_session says what it would do; nothing is written yet"))
    }
}
