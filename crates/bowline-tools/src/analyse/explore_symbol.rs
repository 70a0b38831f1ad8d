//! `explore_symbol`: everything about one symbol in one call.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::exploring::{Explored, explore};
use crate::place::Place;

/// One symbol in one call: type and documentation, source, callers, references, tests.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExploreSymbolArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct ExploreSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for ExploreSymbol {
    type Args = ExploreSymbolArgs;
    type Output = Explored;
    const NAME: &'static str = "explore_symbol";
    const MOST: Effect = Effect::Read;
    const SHOWS_CONTENT: bool = true;

    fn intent(&self, args: &ExploreSymbolArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: ExploreSymbolArgs, cx: &CallContext) -> Result<Answer<Explored>, ToolError> {
        explore(&self.workspace, &args.at, cx).await
    }
}
