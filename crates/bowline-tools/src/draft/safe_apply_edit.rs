//! `safe_apply_edit`: makes an edit if it is known to be safe.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Receipt, Tool, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::drafted::{Passing, commit};
use crate::evaluated::{Evaluated, Looking, counts, evaluated, meaning};
use crate::explain::explain;
use crate::patience::{for_draft, patience, reporter};

/// Replace a text that stands in a file once, if that is proved to break nothing.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SafeApplyEditArgs {
    pub file_path: PathBuf,
    pub old_text: String,
    pub new_text: String,
}

/// What the edit does, and whether it was made.
#[derive(Debug, Serialize)]
pub struct SafelyApplied {
    applied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    #[serde(flatten)]
    evaluated: Evaluated,
}

pub struct SafeApplyEdit {
    pub workspace: Arc<Workspace>,
}

impl Tool for SafeApplyEdit {
    type Args = SafeApplyEditArgs;
    type Output = SafelyApplied;
    const NAME: &'static str = "safe_apply_edit";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &SafeApplyEditArgs) -> Intent {
        Intent::write([&args.file_path])
    }

    async fn run(
        &self,
        args: SafeApplyEditArgs,
        cx: &CallContext,
    ) -> Result<Answer<SafelyApplied>, ToolError> {
        apply(&self.workspace, args, Self::NAME, cx).await
    }
}

/// Makes the edit if it is safe, under the name of either tool.
pub(super) async fn apply(
    workspace: &Arc<Workspace>,
    args: SafeApplyEditArgs,
    label: &str,
    cx: &CallContext,
) -> Result<Answer<SafelyApplied>, ToolError> {
    let report = reporter(cx);
    let patience = for_draft(patience(cx, &report), None, workspace)?;
    let summary = EditSummary {
        mode: "text".to_owned(),
        file_path: Some(args.file_path.clone()),
        old_text_preview: Some(args.old_text.clone()),
        new_text_preview: Some(args.new_text.clone()),
        ..EditSummary::default()
    };
    let edit = Edit::Text { file: args.file_path, old_text: args.old_text, new_text: args.new_text };
    let passing = Passing::begin(workspace, None, None, &edit)?;
    let draft = passing.draft();
    workspace.change_draft(draft, edit, &patience).await.map_err(explain)?;
    let evaluation =
        workspace.evaluate_draft(draft, Looking::File.into(), &patience).await.map_err(explain)?;
    let wire = evaluated(draft.id(), Looking::File, &evaluation);
    if !evaluation.is_safe() {
        let hint = format!("nothing was written: {}", meaning(&evaluation, ""));
        let summary = EditSummary { apply: Some(false), ..summary };
        let receipt = Receipt { summary: Some(summary), ..Receipt::default() };
        let refused = SafelyApplied { applied: false, receipt: None, evaluated: wire };
        return Ok(Answer::new(refused).hint(hint).receipt(receipt));
    }
    let committed = commit(workspace, draft, None, label, cx, &patience).await?;
    let (before, after) = counts(&evaluation);
    let files = committed.receipt.files.iter().map(|file| file.path.clone()).collect();
    let id = committed.receipt.id;
    let summary = EditSummary { apply: Some(true), receipt: Some(id.clone()), ..summary };
    let receipt = Receipt { files, summary: Some(summary), before: Some(before), after: Some(after) };
    let hint = format!("written, and proved safe; undo_write takes it back, by its receipt {id}");
    let applied = SafelyApplied { applied: true, receipt: Some(id), evaluated: wire };
    Ok(Answer::new(applied).hint(hint).receipt(receipt))
}
