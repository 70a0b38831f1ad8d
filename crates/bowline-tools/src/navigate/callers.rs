//! `callers`: who calls the function at a position: `find_callers`, one way.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::calls::{Asked, find};
use crate::navigate::find_callers::Direction;
use crate::page::Page;
use crate::place::Place;

/// Who calls the function at a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CallersArgs {
    #[serde(flatten)]
    pub at: Place,
    /// Always incoming; taken for clients that send it.
    #[serde(default)]
    pub direction: Direction,
    #[serde(default)]
    pub cross_concurrent: bool,
    #[serde(flatten)]
    pub page: Page,
}

pub struct Callers {
    pub workspace: Arc<Workspace>,
}

impl Tool for Callers {
    type Args = CallersArgs;
    type Output = Value;
    const NAME: &'static str = "callers";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::calls::USUAL;

    fn intent(&self, args: &CallersArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(&self, args: CallersArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let asked = Asked {
            at: &args.at,
            page: &args.page,
            up: true,
            down: false,
            concurrent: args.cross_concurrent,
        };
        find(&self.workspace, asked, cx).await
    }
}
