//! `find_references`: every place that uses the symbol at a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;

const USUAL: usize = 200;

/// Every use of the symbol at a position, across the workspace.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FindReferencesArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(default)]
    pub include_declaration: bool,
    #[serde(flatten)]
    pub page: Page,
}

pub struct FindReferences {
    pub workspace: Arc<Workspace>,
}

impl Tool for FindReferences {
    type Args = FindReferencesArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "find_references";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &FindReferencesArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: FindReferencesArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<Location>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self
            .workspace
            .references(args.at.file(), at, args.include_declaration, &patience)
            .await
            .map_err(explain)?;
        let places: Vec<Location> = found.value.places.iter().skip(offset).take(limit).cloned().collect();
        let hint = more(places.len(), offset, found.value.total).unwrap_or_else(|| match found.value.total {
            0 if !found.indexed => "no use is known, and not everything was looked at".to_owned(),
            0 => {
                let name = match found.value.name.as_str() {
                    "" => "it".to_owned(),
                    name => format!("`{name}`"),
                };
                format!("nothing refers to {name} by that name; it may be dead, or used by a name that is made at run time")
            }
            _ => "find_callers groups calls by function; blast_radius tells tests from others".to_owned(),
        });
        Ok(answered(&found, places, Some(hint)))
    }
}
