//! `get_editing_context`: what somebody who is about to change a file wants to know, in one call.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, TokenSavings, Tool, ToolError};
use bowline_code::Symbol;
use bowline_workspace::{Caller, EditingContext, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyse::blast_radius::bounded;
use crate::answered::answered;
use crate::compact::{Base, ByFile, Detail, Shaped, shaped};
use crate::etag::{Tagged, tagged};
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::wire::{WireCaller, is_zero};

const MOST_SYMBOLS: usize = 500;
const MOST_CALLERS: usize = 20;
const MOST_CALLEES: usize = 200;
const MOST_IMPORTS: usize = 200;

/// How much of each a compact answer has: callers of a symbol, callees of a function, bytes of a signature, symbols.
#[derive(Debug, Clone, Copy)]
struct Level {
    callers: usize,
    callees: usize,
    signature: usize,
    symbols: usize,
}

/// From the most that is told to the least.
const LEVELS: [Level; 5] = [
    Level { callers: 20, callees: 20, signature: 300, symbols: 500 },
    Level { callers: 10, callees: 10, signature: 160, symbols: 500 },
    Level { callers: 5, callees: 4, signature: 100, symbols: 400 },
    Level { callers: 2, callees: 0, signature: 60, symbols: 300 },
    Level { callers: 0, callees: 0, signature: 0, symbols: 250 },
];

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
    /// full: every place by itself, with absolute paths. Default: compact where that is long.
    #[serde(default)]
    pub detail: Option<Detail>,
}

/// The same in few words.
#[derive(Debug, Serialize)]
pub struct CompactContext {
    /// What paths are relative to.
    root: PathBuf,
    file: String,
    language: String,
    /// `first-last kind name signature`, in the order of the file.
    symbols: Vec<String>,
    callers: Vec<CompactCallers>,
    /// By the function that calls: `name:line` by file; outside the workspace, names alone.
    callees: BTreeMap<String, ByFile>,
    /// `line: text`.
    imports: Vec<String>,
    /// What is not listed here and is in the full form.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

/// `name:lines`, by file.
#[derive(Debug, Serialize)]
struct CompactCallers {
    symbol: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    test_callers: ByFile,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    non_test_callers: ByFile,
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
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
    type Output = Tagged<Shaped<WireContext, CompactContext>>;
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
    ) -> Result<Answer<Self::Output>, ToolError> {
        let report = reporter(cx);
        let patience = bounded(patience(cx, &report));
        let found = self.workspace.editing_context(&args.file_path, &patience).await.map_err(explain)?;
        let (full, left_out) = wire(&found.value);
        let root = self.workspace.root_around(&found.value.path);
        let wire = shaped(full, args.detail, &LEVELS, |_, level| compact(&found.value, root, level));
        let mut said = found.value.missing.clone();
        if matches!(wire, Shaped::Compact(_)) {
            said.push("detail=full lists every place with its absolute path".to_owned());
        } else if left_out > 0 {
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
        callers: context
            .callers
            .iter()
            .map(|(symbol, callers)| wire_callers(symbol, callers, MOST_CALLERS))
            .collect(),
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

fn wire_callers(symbol: &str, callers: &[Caller], most: usize) -> WireCallers {
    let of = |tests: bool| -> Vec<WireCaller> {
        let mut wires: Vec<WireCaller> =
            callers.iter().filter(|caller| caller.is_test == tests).map(WireCaller::from).collect();
        wires.dedup();
        wires
    };
    let (mut tests, mut others) = (of(true), of(false));
    let more = tests.len().saturating_sub(most) + others.len().saturating_sub(most);
    tests.truncate(most);
    others.truncate(most);
    WireCallers { symbol: symbol.to_owned(), test_callers: tests, non_test_callers: others, more }
}

/// The context in few words, with so much of each.
fn compact(context: &EditingContext, root: Option<&Path>, level: Level) -> CompactContext {
    let base = Base(root);
    let mut symbols = Vec::new();
    flatten(&context.symbols, "", &mut symbols);
    let mut left_out = Vec::new();
    let mut leave = |what: &str, count: usize| {
        if count > 0 {
            left_out.push(format!("{count} {what}"));
        }
    };
    leave("symbols", symbols.len().saturating_sub(level.symbols));
    leave("imports", context.imports.len().saturating_sub(MOST_IMPORTS));
    let callers: Vec<CompactCallers> = context
        .callers
        .iter()
        .map(|(symbol, callers)| compact_callers(base, symbol, callers, level))
        .collect();
    leave("callers", callers.iter().map(|callers| callers.more).sum());
    let mut callees: BTreeMap<String, ByFile> = BTreeMap::new();
    let (mut taken, mut left) = (BTreeMap::<&str, usize>::new(), 0);
    for callee in &context.callees {
        let taken = taken.entry(&callee.from).or_default();
        if *taken == level.callees {
            left += 1;
            continue;
        }
        *taken += 1;
        let (file, told) = if base.holds(&callee.place.file) {
            (base.path(&callee.place.file), format!("{}:{}", callee.name, callee.place.line))
        } else {
            ("elsewhere".to_owned(), callee.name.clone())
        };
        let names = callees.entry(callee.from.clone()).or_default().entry(file).or_default();
        if !names.contains(&told) {
            names.push(told);
        }
    }
    leave("callees", left);
    CompactContext {
        root: root.unwrap_or(Path::new("/")).to_owned(),
        file: base.path(&context.path),
        language: context.language.clone(),
        symbols: symbols.iter().take(level.symbols).map(|symbol| compact_symbol(symbol, level)).collect(),
        callers,
        callees,
        imports: (context.imports.iter().take(MOST_IMPORTS))
            .map(|(line, text)| format!("{line}: {}", bowline_std::text::cut(text, level.signature.max(60))))
            .collect(),
        left_out,
    }
}

fn compact_symbol(symbol: &WireSymbol, level: Level) -> String {
    let lines = if symbol.line == symbol.end_line {
        symbol.line.to_string()
    } else {
        format!("{}-{}", symbol.line, symbol.end_line)
    };
    let mut told = format!("{lines} {} {}", symbol.kind, symbol.name);
    if let Some(signature) = symbol.signature.as_deref().filter(|_| level.signature > 0) {
        told.push_str(": ");
        // Signatures are often laid out over many lines.
        let words: Vec<&str> = signature.split_whitespace().collect();
        told.push_str(&bowline_std::text::cut(&words.join(" "), level.signature));
    }
    told
}

fn compact_callers(base: Base<'_>, symbol: &str, callers: &[Caller], level: Level) -> CompactCallers {
    let all = wire_callers(symbol, callers, level.callers);
    CompactCallers {
        symbol: all.symbol,
        test_callers: base.by_file(&all.test_callers),
        non_test_callers: base.by_file(&all.non_test_callers),
        more: all.more,
    }
}
