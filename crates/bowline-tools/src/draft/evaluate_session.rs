//! `evaluate_session`: what a draft would do.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::evaluated::{Evaluated, Looking, evaluated, meaning};
use crate::explain::explain;
use crate::patience::{for_draft, patience, reporter};

/// Which errors a draft would introduce and resolve, in every file it can reach.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct EvaluateSessionArgs {
    pub session_id: String,
    #[serde(default)]
    pub scope: Looking,
    #[serde(default)]
    pub timeout_ms: Option<i64>,
}

pub struct EvaluateSession {
    pub workspace: Arc<Workspace>,
}

impl Tool for EvaluateSession {
    type Args = EvaluateSessionArgs;
    type Output = Evaluated;
    const NAME: &'static str = "evaluate_session";
    const MOST: Effect = Effect::Read;
    const ANSWERS: &'static [&'static str] = &["safe_to_apply", "confidence"];
    const SLOW: bool = true;

    fn intent(&self, args: &EvaluateSessionArgs) -> Intent {
        let files = self.workspace.draft(&args.session_id).map(|draft| draft.files()).unwrap_or_default();
        Intent::new(Effect::Read, files.into_iter().map(Target::Path))
    }

    async fn run(&self, args: EvaluateSessionArgs, cx: &CallContext) -> Result<Answer<Evaluated>, ToolError> {
        let report = reporter(cx);
        let patience = for_draft(patience(cx, &report), args.timeout_ms, &self.workspace)?;
        let draft = self.workspace.draft(&args.session_id).map_err(|error| explain(error.into()))?;
        let evaluation = self
            .workspace
            .evaluate_draft(&draft, args.scope.into(), &patience)
            .await
            .map_err(|error| explain(error).named(Self::NAME))?;
        let hint = meaning(&evaluation, "commit_session with apply writes it");
        Ok(Answer::new(evaluated(draft.id(), args.scope, &evaluation)).hint(hint))
    }
}
