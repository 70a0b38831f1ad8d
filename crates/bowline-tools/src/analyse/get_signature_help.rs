//! `get_signature_help`: the signatures of the call around a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answered::answered;
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;

/// Signatures of the call around a position, and which parameter it is at.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetSignatureHelpArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct GetSignatureHelp {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetSignatureHelp {
    type Args = GetSignatureHelpArgs;
    type Output = Value;
    const NAME: &'static str = "get_signature_help";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &GetSignatureHelpArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: GetSignatureHelpArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.signature_help(args.at.file(), at, &patience).await.map_err(explain)?;
        let hint = match found.value {
            Some(_) => "inspect_symbol tells more about the function",
            None => "there is no call around this place; put it between the parentheses of one",
        };
        // Never null: a client may go through the list.
        let help = found.value.clone().unwrap_or_else(|| json!({"signatures": []}));
        let mut answer = answered(&found, help, Some(hint.to_owned()));
        answer.indexed = None;
        Ok(answer)
    }
}
