//! `get_symbol_source`: the text of the innermost symbol around a position.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, TokenSavings, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::etag::{Tagged, tagged};
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;

/// No answer is longer than this; a symbol that is gets cut, and says so.
const MAX_BYTES: usize = 100_000;

/// The source of the innermost symbol around a line.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetSymbolSourceArgs {
    #[serde(flatten)]
    pub at: Place,
    /// etag of an earlier answer.
    #[serde(default)]
    pub if_none_match: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct GetSymbolSourceOutput {
    symbol_name: String,
    symbol_kind: &'static str,
    file: PathBuf,
    start_line: u32,
    end_line: u32,
    source: String,
}

pub struct GetSymbolSource {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetSymbolSource {
    type Args = GetSymbolSourceArgs;
    type Output = Tagged<GetSymbolSourceOutput>;
    const NAME: &'static str = "get_symbol_source";
    const MOST: Effect = Effect::Read;
    const SHOWS_CONTENT: bool = true;

    fn intent(&self, args: &GetSymbolSourceArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GetSymbolSourceArgs,
        cx: &CallContext,
    ) -> Result<Answer<Tagged<GetSymbolSourceOutput>>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, Some(1), &patience).await?;
        let found = self.workspace.symbol_at(args.at.file(), at, &patience).await.map_err(explain)?;
        let symbol = found.value;
        let savings = TokenSavings::of(symbol.source.len().min(MAX_BYTES), symbol.bytes);
        let output = GetSymbolSourceOutput {
            symbol_name: symbol.symbol.name,
            symbol_kind: symbol.symbol.kind.name(),
            file: symbol.path,
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            source: bowline_std::text::cut(&symbol.source, MAX_BYTES),
        };
        let answer = Answer::new(output)
            .engine(found.engine)
            .savings(savings)
            .hint("find_references shows its uses; inspect_symbol its type");
        let document = self.workspace.read(args.at.file(), &patience).await.map_err(explain)?;
        tagged(answer, document.text(), args.if_none_match.as_deref())
    }
}
