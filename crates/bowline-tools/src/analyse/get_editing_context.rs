//! `get_editing_context`: what somebody who is about to change a file wants to know, in one call.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, TokenSavings, Tool, ToolError};
use bowline_code::Symbol;
use bowline_workspace::{Caller, EditingContext, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyse::blast_radius::bounded;
use crate::answered::answered;
use crate::etag::{Tagged, tagged};
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::wire::{WireCaller, is_zero};

const MOST_SYMBOLS: usize = 500;
const MOST_CALLERS: usize = 20;
const MOST_CALLEES: usize = 200;
const MOST_IMPORTS: usize = 200;

/// A file before an edit: symbols with signatures, callers, callees, imports.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetEditingContextArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    /// etag of an earlier answer.
    #[serde(default)]
    pub if_none_match: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct WireContext {
    file: PathBuf,
    language: String,
    symbols: Vec<WireSymbol>,
    callers: Vec<WireCallers>,
    callees: Vec<WireCallee>,
    imports: Vec<WireImport>,
}

#[derive(Debug, Serialize)]
struct WireSymbol {
    name: String,
    kind: &'static str,
    line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
}

#[derive(Debug, Serialize)]
struct WireCallers {
    symbol: String,
    test_callers: Vec<WireCaller>,
    non_test_callers: Vec<WireCaller>,
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
}

#[derive(Debug, Serialize)]
struct WireCallee {
    from: String,
    name: String,
    file: PathBuf,
    line: u32,
}

#[derive(Debug, Serialize)]
struct WireImport {
    line: u32,
    text: String,
}

pub struct GetEditingContext {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetEditingContext {
    type Args = GetEditingContextArgs;
    type Output = Tagged<WireContext>;
    const NAME: &'static str = "get_editing_context";
    const MOST: Effect = Effect::Read;
    const SLOW: bool = true;

    fn intent(&self, args: &GetEditingContextArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(
        &self,
        args: GetEditingContextArgs,
        cx: &CallContext,
    ) -> Result<Answer<Tagged<WireContext>>, ToolError> {
        let report = reporter(cx);
        let patience = bounded(patience(cx, &report));
        let found = self.workspace.editing_context(&args.file_path, &patience).await.map_err(explain)?;
        let (wire, left_out) = wire(&found.value);
        let mut said = found.value.missing.clone();
        if left_out > 0 {
            said.push(format!("and {left_out} more entries; list_symbols and find_references show them"));
        }
        said.push("get_symbol_source shows the code of one symbol".to_owned());
        let returned = serde_json::to_string(&wire).map_or(0, |text| text.len());
        let answer = answered(&found, wire, Some(said.join("\n")))
            .savings(TokenSavings::of(returned, found.value.bytes));
        // Callers are in it: a file that has not changed may well have new ones.
        let document = self.workspace.read(&args.file_path, &patience).await.map_err(explain)?;
        tagged(answer, document.text(), args.if_none_match.as_deref())
    }
}

/// The context as it is told, and how much of it is not.
fn wire(context: &EditingContext) -> (WireContext, usize) {
    let mut symbols = Vec::new();
    flatten(&context.symbols, "", &mut symbols);
    let left_out = symbols.len().saturating_sub(MOST_SYMBOLS)
        + context.callees.len().saturating_sub(MOST_CALLEES)
        + context.imports.len().saturating_sub(MOST_IMPORTS);
    symbols.truncate(MOST_SYMBOLS);
    let callees = context.callees.iter().take(MOST_CALLEES).map(|callee| WireCallee {
        from: callee.from.clone(),
        name: callee.name.clone(),
        file: callee.place.file.clone(),
        line: callee.place.line,
    });
    let imports = context.imports.iter().take(MOST_IMPORTS);
    let wire = WireContext {
        file: context.path.clone(),
        language: context.language.clone(),
        symbols,
        callers: context.callers.iter().map(|(symbol, callers)| wire_callers(symbol, callers)).collect(),
        callees: callees.collect(),
        imports: imports
            .map(|(line, text)| WireImport { line: *line, text: bowline_std::text::cut(text, 300) })
            .collect(),
    };
    (wire, left_out)
}

fn flatten(symbols: &[Symbol], around: &str, all: &mut Vec<WireSymbol>) {
    for symbol in symbols {
        let name = if around.is_empty() { symbol.name.clone() } else { format!("{around}.{}", symbol.name) };
        all.push(WireSymbol {
            kind: symbol.kind.name(),
            line: symbol.selection.start.line,
            end_line: symbol.range.end.line,
            signature: symbol.detail.as_deref().map(|detail| bowline_std::text::cut(detail, 300)),
            name: name.clone(),
        });
        if !symbol.kind.is_callable() {
            flatten(&symbol.children, &name, all);
        }
    }
}

fn wire_callers(symbol: &str, callers: &[Caller]) -> WireCallers {
    let of = |tests: bool| -> Vec<WireCaller> {
        let mut wires: Vec<WireCaller> =
            callers.iter().filter(|caller| caller.is_test == tests).map(WireCaller::from).collect();
        wires.dedup();
        wires
    };
    let (mut tests, mut others) = (of(true), of(false));
    let more = tests.len().saturating_sub(MOST_CALLERS) + others.len().saturating_sub(MOST_CALLERS);
    tests.truncate(MOST_CALLERS);
    others.truncate(MOST_CALLERS);
    WireCallers { symbol: symbol.to_owned(), test_callers: tests, non_test_callers: others, more }
}
