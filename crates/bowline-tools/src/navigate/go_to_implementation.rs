//! `go_to_implementation`: what implements the interface, trait or method at a position.

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

    fn intent(&self, args: &GoToImplementationArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GoToImplementationArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self
            .workspace
            .go_to(Goal::Implementation, args.at.file(), at, &patience)
            .await
            .map_err(explain)?;
        let total = found.value.len();
        let places: Vec<Location> = found
            .value
            .iter()
            .skip(offset)
            .take(limit)
            .map(|definition| definition.location.clone())
            .collect();
        let hint = more(places.len(), offset, total).unwrap_or_else(|| match total {
            0 if !found.indexed => "none is known, and not everything was looked at".to_owned(),
            0 => "nothing implements it, or the place is not an interface, trait or method".to_owned(),
            _ => "get_symbol_source shows the code at a place".to_owned(),
        });
        Ok(answered(&found, places, Some(hint)))
    }
}
