//! `undo_write`: takes a write back.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Receipt, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::drafted::leave;
use crate::explain::explain;

/// Take a write of bowline back, by its receipt.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct UndoWriteArgs {
    pub receipt: String,
}

pub struct UndoWrite {
    pub workspace: Arc<Workspace>,
}

impl Tool for UndoWrite {
    type Args = UndoWriteArgs;
    type Output = Value;
    const NAME: &'static str = "undo_write";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Draft;

    fn intent(&self, args: &UndoWriteArgs) -> Intent {
        match self.workspace.files_of_receipt(&args.receipt) {
            Ok(files) => Intent::write(files),
            // Nothing is taken back by a receipt that is not there.
            Err(_) => Intent::new(Effect::Draft, []),
        }
    }

    async fn run(&self, args: UndoWriteArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let files = self.workspace.files_of_receipt(&args.receipt).map_err(explain)?;
        let leave = leave(cx, files).await?;
        let written = cx.finish(self.workspace.undo(&args.receipt, leave)).await.map_err(explain)?;
        let files: Vec<_> = written.files.iter().map(|file| file.path.clone()).collect();
        let payload = json!({"undone": args.receipt, "receipt": written.id, "files": files});
        let summary = EditSummary {
            mode: Self::NAME.to_owned(),
            target: Some(args.receipt),
            receipt: Some(written.id.clone()),
            ..EditSummary::default()
        };
        let receipt = Receipt { files, summary: Some(summary), ..Receipt::default() };
        let hint = format!("undo_write with the receipt {} makes the change again", written.id);
        Ok(Answer::new(payload).hint(hint).receipt(receipt))
    }
}
