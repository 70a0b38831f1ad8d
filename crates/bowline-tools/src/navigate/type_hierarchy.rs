//! `type_hierarchy`: the types above and below the type at a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Ways, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;
use crate::wire::WireItem;

const USUAL: usize = 100;

/// Supertypes and subtypes of the type at a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct TypeHierarchyArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(default)]
    pub direction: Direction,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[serde(alias = "incoming")]
    Supertypes,
    #[serde(alias = "outgoing")]
    Subtypes,
    #[default]
    Both,
}

#[derive(Debug, Serialize)]
pub struct TypeHierarchyOutput {
    items: Vec<WireItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    supertypes: Option<Vec<WireItem>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtypes: Option<Vec<WireItem>>,
}

pub struct TypeHierarchy {
    pub workspace: Arc<Workspace>,
}

impl Tool for TypeHierarchy {
    type Args = TypeHierarchyArgs;
    type Output = TypeHierarchyOutput;
    const NAME: &'static str = "type_hierarchy";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &TypeHierarchyArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: TypeHierarchyArgs,
        cx: &CallContext,
    ) -> Result<Answer<TypeHierarchyOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let ways =
            Ways { up: args.direction != Direction::Subtypes, down: args.direction != Direction::Supertypes };
        let found = self.workspace.types(args.at.file(), at, ways, &patience).await.map_err(explain)?;
        let hierarchy = &found.value;
        let total = [&hierarchy.up, &hierarchy.down].into_iter().flatten().map(Vec::len).max().unwrap_or(0);
        let page = |items: &Vec<bowline_workspace::HierarchyItem>| -> Vec<WireItem> {
            items.iter().skip(offset).take(limit).map(WireItem::from).collect()
        };
        let output = TypeHierarchyOutput {
            items: hierarchy.items.iter().map(WireItem::from).collect(),
            supertypes: hierarchy.up.as_ref().map(page),
            subtypes: hierarchy.down.as_ref().map(page),
        };
        let shown = total.saturating_sub(offset).min(limit);
        let hint = more(shown, offset, total).unwrap_or_else(|| match hierarchy.items.is_empty() {
            true => "there is no type at this place".to_owned(),
            false => "go_to_implementation finds what implements its methods".to_owned(),
        });
        Ok(answered(&found, output, Some(hint)))
    }
}
