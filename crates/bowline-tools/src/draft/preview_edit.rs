//! `preview_edit`: what one edit would do, without a draft to look after.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::drafted::Passing;
use crate::edits::EditArgs;
use crate::evaluated::{Evaluated, Looking, evaluated, meaning};
use crate::explain::explain;
use crate::patience::{for_draft, patience, reporter};

/// Which errors one edit would introduce and resolve, in every file it can reach. Nothing is written.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PreviewEditArgs {
    /// Keeps the edit in this draft.
    #[serde(default)]
    pub session_id: Option<String>,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub workspace_root: Option<PathBuf>,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language: Option<String>,
    #[serde(flatten)]
    pub edit: EditArgs,
    #[serde(default)]
    pub scope: Looking,
    #[serde(default)]
    pub timeout_ms: Option<i64>,
}

pub struct PreviewEdit {
    pub workspace: Arc<Workspace>,
}

impl Tool for PreviewEdit {
    type Args = PreviewEditArgs;
    type Output = Evaluated;
    const NAME: &'static str = "preview_edit";
    const MOST: Effect = Effect::Draft;
    const ANSWERS: &'static [&'static str] = &["safe_to_apply", "confidence"];
    const SLOW: bool = true;

    fn accept(arguments: &mut Value) {
        EditArgs::accept(arguments);
    }

    fn intent(&self, args: &PreviewEditArgs) -> Intent {
        let files = args.workspace_root.iter().cloned().chain(args.edit.files());
        Intent::new(Effect::Draft, files.map(Target::Path))
    }

    async fn run(&self, args: PreviewEditArgs, cx: &CallContext) -> Result<Answer<Evaluated>, ToolError> {
        let report = reporter(cx);
        let patience = for_draft(patience(cx, &report), args.timeout_ms, &self.workspace)?;
        let edit = args.edit.edit()?;
        // Gone with the call, unless it was there before.
        let passing;
        let draft = match &args.session_id {
            Some(id) => self.workspace.draft(id).map_err(|error| explain(error.into()))?,
            None => {
                let (root, language) = (args.workspace_root.as_deref(), args.language.as_deref());
                passing = Passing::begin(&self.workspace, root, language, &edit)?;
                passing.draft().clone()
            }
        };
        self.workspace.change_draft(&draft, edit, &patience).await.map_err(explain)?;
        let evaluation =
            self.workspace.evaluate_draft(&draft, args.scope.into(), &patience).await.map_err(explain)?;
        let hint = meaning(&evaluation, "safe_apply_edit or a session with commit_session writes it");
        Ok(Answer::new(evaluated(draft.id(), args.scope, &evaluation)).hint(hint))
    }
}
