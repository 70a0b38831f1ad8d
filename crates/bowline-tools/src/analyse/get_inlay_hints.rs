//! `get_inlay_hints`: types and parameter names that the code leaves out.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{InlayHint, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Stretch;
use crate::wire::WirePosition;

const USUAL: usize = 200;

/// Types and parameter names that the code of a range leaves out.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetInlayHintsArgs {
    #[serde(flatten)]
    pub within: Stretch,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WireHint {
    position: WirePosition,
    label: String,
    /// 1 a type, 2 a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tooltip: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    padding_left: bool,
    #[serde(skip_serializing_if = "is_false")]
    padding_right: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

pub struct GetInlayHints {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetInlayHints {
    type Args = GetInlayHintsArgs;
    type Output = Vec<WireHint>;
    const NAME: &'static str = "get_inlay_hints";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &GetInlayHintsArgs) -> Intent {
        Intent::read(args.within.file())
    }

    async fn run(
        &self,
        args: GetInlayHintsArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<WireHint>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let within = args.within.span(&self.workspace, &patience).await?;
        let found =
            self.workspace.inlay_hints(args.within.file(), within, &patience).await.map_err(explain)?;
        let total = found.value.len();
        let hints: Vec<WireHint> = found.value.iter().skip(offset).take(limit).map(wire).collect();
        let hint = more(hints.len(), offset, total).unwrap_or_else(|| match total {
            0 => "nothing is left out here, or hints are switched off in the server's settings".to_owned(),
            _ => "inspect_symbol tells more about a name".to_owned(),
        });
        let mut answer = answered(&found, hints, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}

fn wire(hint: &InlayHint) -> WireHint {
    WireHint {
        position: hint.at.into(),
        label: hint.label.clone(),
        kind: hint.kind,
        tooltip: hint.tooltip.as_deref().map(|text| bowline_std::text::cut(text, 500)),
        padding_left: hint.padding_left,
        padding_right: hint.padding_right,
    }
}
