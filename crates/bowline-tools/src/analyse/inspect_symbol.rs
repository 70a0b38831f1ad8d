//! `inspect_symbol`: type and documentation of the symbol at a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;

/// No reader needs more of one hover.
const MOST_BYTES: usize = 16 << 10;

/// Type and documentation of the symbol at a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct InspectSymbolArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct InspectSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for InspectSymbol {
    type Args = InspectSymbolArgs;
    type Output = String;
    const NAME: &'static str = "inspect_symbol";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &InspectSymbolArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: InspectSymbolArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.hover(args.at.file(), at, &patience).await.map_err(explain)?;
        let text = found.value.as_ref().map(|hover| bowline_std::text::cut(&hover.text, MOST_BYTES));
        let hint = match text {
            Some(_) => "go_to_definition leads to it, find_references to its uses",
            None => "the language server has nothing to say about this place; put it on a name",
        };
        Ok(answered(&found, text.unwrap_or_default(), Some(hint.to_owned())))
    }
}
