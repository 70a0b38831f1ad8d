//! `go_to_implementation`: what implements the interface, trait or method at a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::{Goal, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::leading::lead;
use crate::page::Page;
use crate::place::Place;

/// What implements the interface, trait or method at a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GoToImplementationArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(flatten)]
    pub page: Page,
}

pub struct GoToImplementation {
    pub workspace: Arc<Workspace>,
}

impl Tool for GoToImplementation {
    type Args = GoToImplementationArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "go_to_implementation";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::leading::USUAL;

    fn intent(&self, args: &GoToImplementationArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToImplementationArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let nothing = "nothing implements it, or the place is not an interface, trait or method";
        lead(&self.workspace, Goal::Implementation, (&args.at, &args.page), nothing, cx).await
    }
}
