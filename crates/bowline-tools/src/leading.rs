//! Where a name leads, as `go_to_declaration`, `go_to_implementation` and `go_to_type_definition` answer it.

use bowline_call::{Answer, CallContext, ToolError};
use bowline_code::Location;
use bowline_workspace::{Goal, Workspace};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;

pub(crate) const USUAL: usize = 100;

/// `nothing`: what an empty answer may mean.
pub(crate) async fn lead(
    workspace: &Workspace,
    goal: Goal,
    (at, page): (&Place, &Page),
    nothing: &str,
    cx: &CallContext,
) -> Result<Answer<Vec<Location>>, ToolError> {
    let (limit, offset) = page.bounds(USUAL)?;
    let report = reporter(cx);
    let patience = patience(cx, &report);
    let file = at.file();
    let at = at.position(workspace, None, &patience).await?;
    let found = workspace.go_to(goal, file, at, &patience).await.map_err(explain)?;
    let total = found.value.len();
    let shown = found.value.iter().skip(offset).take(limit);
    let places: Vec<Location> = shown.map(|definition| definition.location.clone()).collect();
    let hint = more(places.len(), offset, total).unwrap_or_else(|| match total {
        0 if !found.indexed => "none is known, and not everything was looked at".to_owned(),
        0 => nothing.to_owned(),
        _ => "get_symbol_source shows the code at a place".to_owned(),
    });
    Ok(answered(&found, places, Some(hint)))
}
