//! Rust: what a macro expands to, as rust-analyzer knows it.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError, erase};
use bowline_workspace::{About, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Extension;
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;

pub(super) const EXTENSION: Extension = Extension {
    language: "rust",
    tools: |house| vec![erase(ExpandMacro { workspace: Arc::clone(&house.workspace) })],
};

/// No reader needs more of one expansion.
const MOST_BYTES: usize = 64 << 10;

/// What the macro at a position expands to.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ExpandMacroArgs {
    #[serde(flatten)]
    pub at: Place,
}

#[derive(Debug, Serialize)]
pub(super) struct ExpandMacroOutput {
    name: String,
    expansion: String,
}

pub(super) struct ExpandMacro {
    workspace: Arc<Workspace>,
}

impl Tool for ExpandMacro {
    type Args = ExpandMacroArgs;
    type Output = ExpandMacroOutput;
    const NAME: &'static str = "expand_macro";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &ExpandMacroArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: ExpandMacroArgs,
        cx: &CallContext,
    ) -> Result<Answer<ExpandMacroOutput>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self
            .workspace
            .special("rust-analyzer/expandMacro", args.at.file(), About::Place(at), &patience)
            .await
            .map_err(explain)?;
        let text = |key: &str| found.value[key].as_str().map(str::to_owned);
        let (Some(name), Some(expansion)) = (text("name"), text("expansion")) else {
            return Err(ToolError::bad_arguments("there is no macro at this place")
                .hint("put the position on the name of a macro call, or of a derive"));
        };
        let output = ExpandMacroOutput { name, expansion: bowline_std::text::cut(&expansion, MOST_BYTES) };
        Ok(Answer::new(output).engine(found.engine).hint("go_to_definition leads to the macro itself"))
    }
}
