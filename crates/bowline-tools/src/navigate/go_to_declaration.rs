//! `go_to_declaration`: where the symbol at a position is declared.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::{Goal, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;

const USUAL: usize = 100;

/// Where the symbol at a position is declared; differs from its definition in C and C++.
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

    fn intent(&self, args: &GoToDeclarationArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToDeclarationArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found =
            self.workspace.go_to(Goal::Declaration, args.at.file(), at, &patience).await.map_err(explain)?;
        let total = found.value.len();
        let places: Vec<Location> = found
            .value
            .iter()
            .skip(offset)
            .take(limit)
            .map(|definition| definition.location.clone())
            .collect();
        let hint = more(places.len(), offset, total).unwrap_or_else(|| match total {
            0 => "go_to_definition may know more".to_owned(),
            _ => "get_symbol_source shows the code at a place".to_owned(),
        });
        Ok(answered(&found, places, Some(hint)))
    }
}
