//! `replace_symbol_body`: another body for a function, method or type.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changed::Changed;
use crate::symbol_edit::SymbolArgs;

/// Replace the body of a symbol: with its braces, or what is between them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReplaceSymbolBodyArgs {
    #[serde(flatten)]
    pub symbol: SymbolArgs,
    pub new_body: String,
}

pub struct ReplaceSymbolBody {
    pub workspace: Arc<Workspace>,
}

impl Tool for ReplaceSymbolBody {
    type Args = ReplaceSymbolBodyArgs;
    type Output = Changed;
    const NAME: &'static str = "replace_symbol_body";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &ReplaceSymbolBodyArgs) -> Intent {
        Intent::write([&args.symbol.file_path])
    }

    async fn run(&self, args: ReplaceSymbolBodyArgs, cx: &CallContext) -> Result<Answer<Changed>, ToolError> {
        let (new_body, preview) = (args.new_body.clone(), Some(args.new_body));
        let edit = |file, symbol| Edit::Body { file, symbol, new_body };
        args.symbol.change(&self.workspace, Self::NAME, "Replaced body of", preview, edit, cx).await
    }
}
