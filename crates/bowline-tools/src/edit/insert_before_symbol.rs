//! `insert_before_symbol`: code above a symbol.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changed::Changed;
use crate::symbol_edit::SymbolArgs;

/// Insert code above a symbol, its doc comment and its attributes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct InsertBeforeSymbolArgs {
    #[serde(flatten)]
    pub symbol: SymbolArgs,
    pub code: String,
}

pub struct InsertBeforeSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for InsertBeforeSymbol {
    type Args = InsertBeforeSymbolArgs;
    type Output = Changed;
    const NAME: &'static str = "insert_before_symbol";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &InsertBeforeSymbolArgs) -> Intent {
        Intent::write([&args.symbol.file_path])
    }

    async fn run(
        &self,
        args: InsertBeforeSymbolArgs,
        cx: &CallContext,
    ) -> Result<Answer<Changed>, ToolError> {
        let (code, preview) = (args.code.clone(), Some(args.code));
        let edit = |file, symbol| Edit::Before { file, symbol, code };
        args.symbol.change(&self.workspace, Self::NAME, "Inserted code before", preview, edit, cx).await
    }
}
