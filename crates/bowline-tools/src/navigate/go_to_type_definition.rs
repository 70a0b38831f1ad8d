//! `go_to_type_definition`: where the type of the symbol at a position is defined.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::{Goal, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::leading::lead;
use crate::page::Page;
use crate::place::Place;

/// Where the type of the symbol at a position is defined.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GoToTypeDefinitionArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(flatten)]
    pub page: Page,
}

pub struct GoToTypeDefinition {
    pub workspace: Arc<Workspace>,
}

impl Tool for GoToTypeDefinition {
    type Args = GoToTypeDefinitionArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "go_to_type_definition";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::leading::USUAL;

    fn intent(&self, args: &GoToTypeDefinitionArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToTypeDefinitionArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let nothing = "the type may be built in; inspect_symbol names it";
        lead(&self.workspace, Goal::TypeDefinition, (&args.at, &args.page), nothing, cx).await
    }
}
