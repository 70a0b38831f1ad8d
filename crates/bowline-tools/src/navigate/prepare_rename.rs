//! `prepare_rename`: whether the symbol at a position can be renamed.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;
use crate::wire::WireSpan;

/// Whether the symbol at a position can be renamed, and its current name.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PrepareRenameArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct PrepareRename {
    pub workspace: Arc<Workspace>,
}

impl Tool for PrepareRename {
    type Args = PrepareRenameArgs;
    type Output = Value;
    const NAME: &'static str = "prepare_rename";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &PrepareRenameArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: PrepareRenameArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.prepare_rename(args.at.file(), at, &patience).await.map_err(explain)?;
        let file = self.workspace.resolve(args.at.file()).map_err(explain)?;
        Ok(match &found.value {
            Some(renamable) => {
                let range = WireSpan::from(renamable.span);
                let payload = json!({
                    "file": file,
                    "line": renamable.span.start.line,
                    "range": range,
                    "placeholder": renamable.placeholder,
                });
                Answer::new(payload)
                    .engine(found.engine)
                    .hint("find_references shows what a rename would touch")
            }
            None => {
                let words = format!("cannot rename at {}:{}:{}", file.display(), at.line, at.column);
                Answer::new(Value::String(words))
                    .engine(found.engine)
                    .hint("put the cursor on a name that the project declares")
            }
        })
    }
}
