//! `insert_after_symbol`: code below a symbol.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changed::Changed;
use crate::symbol_edit::SymbolArgs;

/// Insert code below a symbol.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct InsertAfterSymbolArgs {
    #[serde(flatten)]
    pub symbol: SymbolArgs,
    pub code: String,
}

pub struct InsertAfterSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for InsertAfterSymbol {
    type Args = InsertAfterSymbolArgs;
    type Output = Changed;
    const NAME: &'static str = "insert_after_symbol";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &InsertAfterSymbolArgs) -> Intent {
        Intent::write([&args.symbol.file_path])
    }

    async fn run(&self, args: InsertAfterSymbolArgs, cx: &CallContext) -> Result<Answer<Changed>, ToolError> {
        let (code, preview) = (args.code.clone(), Some(args.code));
        let edit = |file, symbol| Edit::After { file, symbol, code };
        args.symbol.change(&self.workspace, Self::NAME, "Inserted code after", preview, edit, cx).await
    }
}
