//! `get_completions`: what could be written at a position.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;

const USUAL: usize = 50;
/// No reader needs more of one description.
const MOST_BYTES: usize = 1 << 10;

/// What could be written at a position, best first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetCompletionsArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetCompletionsOutput {
    is_incomplete: bool,
    total: usize,
    /// As the server wrote them: an edit in one can be applied as it is.
    items: Vec<Value>,
}

pub struct GetCompletions {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetCompletions {
    type Args = GetCompletionsArgs;
    type Output = GetCompletionsOutput;
    const NAME: &'static str = "get_completions";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &GetCompletionsArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GetCompletionsArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetCompletionsOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.completions(args.at.file(), at, &patience).await.map_err(explain)?;
        let total = found.value.items.len();
        let items: Vec<Value> =
            found.value.items.iter().skip(offset).take(limit).cloned().map(shortened).collect();
        let hint = more(items.len(), offset, total).unwrap_or_else(|| match total {
            0 => "nothing fits here; put the position behind a dot or the beginning of a name".to_owned(),
            _ => "inspect_symbol explains a name once it is written".to_owned(),
        });
        let output = GetCompletionsOutput { is_incomplete: found.value.is_incomplete, total, items };
        let mut answer = answered(&found, output, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}

/// Without what only an editor could send back, and with descriptions that can be read.
fn shortened(mut item: Value) -> Value {
    if let Some(fields) = item.as_object_mut() {
        fields.shift_remove("data");
        fields.shift_remove("command");
        let text = match fields.get_mut("documentation") {
            Some(Value::Object(markup)) => markup.get_mut("value"),
            other => other,
        };
        if let Some(Value::String(text)) = text {
            *text = bowline_std::text::cut(text, MOST_BYTES);
        }
    }
    item
}
