//! `explore`: the short name of `explore_symbol`.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::exploring::{Explored, explore};
use crate::place::Place;

/// Same as explore_symbol.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExploreArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct Explore {
    pub workspace: Arc<Workspace>,
}

impl Tool for Explore {
    type Args = ExploreArgs;
    type Output = Explored;
    const NAME: &'static str = "explore";
    const MOST: Effect = Effect::Read;
    const SHOWS_CONTENT: bool = true;

    fn intent(&self, args: &ExploreArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: ExploreArgs, cx: &CallContext) -> Result<Answer<Explored>, ToolError> {
        explore(&self.workspace, &args.at, cx).await
    }
}
