//! `go_to_definition`: where the symbol at a position is defined.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::{Engine, Location};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;

/// A name that is defined more often than this is not worth listing whole.
const MOST_DEFINITIONS: usize = 100;

/// Where the symbol at a position is defined.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GoToDefinitionArgs {
    #[serde(flatten)]
    pub at: Place,
}

pub struct GoToDefinition {
    pub workspace: Arc<Workspace>,
}

impl Tool for GoToDefinition {
    type Args = GoToDefinitionArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "go_to_definition";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &GoToDefinitionArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToDefinitionArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.definition(args.at.file(), at, &patience).await.map_err(explain)?;
        let total = found.value.len();
        let places: Vec<Location> =
            found.value.iter().take(MOST_DEFINITIONS).map(|definition| definition.location.clone()).collect();
        let hint = match total {
            0 => "it is not defined in this workspace; it may come from a library".to_owned(),
            _ if total > 1 && found.engine == Engine::Syntax => several(places.len(), total),
            _ => "get_symbol_source shows its code, find_references its uses".to_owned(),
        };
        Ok(answered(&found, places, Some(hint)))
    }
}

fn several(shown: usize, total: usize) -> String {
    let missing = if total > shown { format!("; and {} more", total - shown) } else { String::new() };
    format!("found by name and scope; several definitions share the name, best guesses first{missing}")
}
