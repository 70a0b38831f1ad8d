//! `find_callers`: who calls the function at a position, and whom it calls.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::calls::{Asked, find};
use crate::page::Page;
use crate::place::Place;

/// Who calls the function at a position (incoming), and whom it calls (outgoing).
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FindCallersArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(default)]
    pub direction: Direction,
    /// Also callers that start it concurrently, told by patterns of text.
    #[serde(default)]
    pub cross_concurrent: bool,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Incoming,
    Outgoing,
    #[default]
    Both,
}

pub struct FindCallers {
    pub workspace: Arc<Workspace>,
}

impl Tool for FindCallers {
    type Args = FindCallersArgs;
    type Output = Value;
    const NAME: &'static str = "find_callers";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::calls::USUAL;

    fn intent(&self, args: &FindCallersArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: FindCallersArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let asked = Asked {
            at: &args.at,
            page: &args.page,
            up: args.direction != Direction::Outgoing,
            down: args.direction != Direction::Incoming,
            concurrent: args.cross_concurrent,
        };
        find(&self.workspace, asked, cx).await
    }
}
