//! `go_to_declaration`: where the symbol at a position is declared.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::{Goal, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::leading::lead;
use crate::page::Page;
use crate::place::Place;

/// Where the symbol at a position is declared.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GoToDeclarationArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(flatten)]
    pub page: Page,
}

pub struct GoToDeclaration {
    pub workspace: Arc<Workspace>,
}

impl Tool for GoToDeclaration {
    type Args = GoToDeclarationArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "go_to_declaration";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::leading::USUAL;

    fn intent(&self, args: &GoToDeclarationArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToDeclarationArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let nothing = "go_to_definition may know more";
        lead(&self.workspace, Goal::Declaration, (&args.at, &args.page), nothing, cx).await
    }
}
