//! `list_symbols`: what a file holds, as a tree or as an outline.

use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, TokenSavings, Tool, ToolError};
use bowline_code::Symbol;
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::compact::{MAX_COMPACT, MAX_FULL};
use crate::etag::{Tagged, tagged};
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::wire::WireSpan;

/// Symbols on a page, where one is asked for.
const USUAL: usize = 1000;
/// More of a tree is cut: generated files hold tens of thousands of symbols.
const MAX_TREE: usize = 20_000;

/// The symbols of a file. Far cheaper than reading it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListSymbolsArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    /// outline is the shortest, tree has ranges. Default: tree, or outline where that is long.
    #[serde(default)]
    pub format: Option<Format>,
    /// etag of an earlier answer.
    #[serde(default)]
    pub if_none_match: Option<String>,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Tree,
    Outline,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ListSymbolsOutput {
    Tree(Vec<WireSymbol>),
    Outline(String),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WireSymbol {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    kind: u8,
    range: WireSpan,
    selection_range: WireSpan,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<WireSymbol>,
}

pub struct ListSymbols {
    pub workspace: Arc<Workspace>,
}

impl Tool for ListSymbols {
    type Args = ListSymbolsArgs;
    type Output = Tagged<ListSymbolsOutput>;
    const NAME: &'static str = "list_symbols";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &ListSymbolsArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(
        &self,
        args: ListSymbolsArgs,
        cx: &CallContext,
    ) -> Result<Answer<Tagged<ListSymbolsOutput>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let found = self.workspace.outline(&args.file_path, &patience).await.map_err(explain)?;
        let is_limited = args.page.limit.is_some();
        let Listed { output, missing } =
            listed(&found.value.symbols, args.format, (limit, offset), is_limited);
        let returned = match &output {
            ListSymbolsOutput::Outline(text) => text.len(),
            tree => serde_json::to_string(tree).map_or(0, |text| text.len()),
        };
        let is_outline = matches!(output, ListSymbolsOutput::Outline(_));
        let hint = if missing.is_some() {
            missing
        } else if is_outline && args.format.is_none() {
            Some("format=tree has the ranges; get_symbol_source shows the code of one of them".to_owned())
        } else if found.value.has_error {
            Some("the file has syntax errors; symbols near them may be missing".to_owned())
        } else {
            Some("get_symbol_source shows the code of one of them".to_owned())
        };
        let mut answer =
            answered(&found, output, hint).savings(TokenSavings::of(returned, found.value.bytes));
        // One file is always known whole.
        answer.indexed = None;
        let document = self.workspace.read(&args.file_path, &patience).await.map_err(explain)?;
        tagged(answer, document.text(), args.if_none_match.as_deref())
    }
}

/// What is told of a file's symbols.
struct Listed {
    output: ListSymbolsOutput,
    /// What is missing, and how to get it.
    missing: Option<String>,
}

/// The symbols in the form that is wanted. Where no form is named, a long tree is told as an outline; where no number
/// is, an outline that is too long leaves out what is inside of others, the innermost first, and then has pages.
fn listed(
    symbols: &[Symbol],
    format: Option<Format>,
    (limit, offset): (usize, usize),
    is_limited: bool,
) -> Listed {
    let total = count(symbols);
    let page = |limit: usize| {
        let (mut page, mut index) = (symbols.to_vec(), 0);
        cut(&mut page, offset..offset.saturating_add(limit), &mut index);
        page
    };
    let told = |output, limit: usize| {
        let shown = total.saturating_sub(offset).min(limit);
        Listed { output, missing: more(shown, offset, total) }
    };
    let limit = if is_limited { limit } else { MAX_TREE };
    if format != Some(Format::Outline) {
        let tree = ListSymbolsOutput::Tree(page(limit).into_iter().map(wire).collect());
        let is_short = || serde_json::to_string(&tree).is_ok_and(|text| text.len() <= MAX_FULL);
        if format == Some(Format::Tree) || is_short() {
            return told(tree, limit);
        }
    }
    if is_limited {
        let mut limit = limit.min(total.saturating_sub(offset));
        let mut text = outline(&page(limit));
        while text.len() > MAX_COMPACT && limit > 1 {
            limit = fitting(limit, &text);
            text = outline(&page(limit));
        }
        return told(ListSymbolsOutput::Outline(text), limit);
    }
    let mut left = symbols.to_vec();
    let mut text = outline(&left);
    let mut depth = depth(&left);
    while text.len() > MAX_COMPACT && depth > 1 {
        depth -= 1;
        prune(&mut left, depth);
        text = outline(&left);
    }
    let (all, inside) = (count(&left), total - count(&left));
    let inside =
        (inside > 0).then(|| format!("and {inside} inside of these; limit lists them in their order"));
    let mut index = 0;
    cut(&mut left, offset..usize::MAX, &mut index);
    let (mut shown, mut limit) = (all.saturating_sub(offset), usize::MAX);
    text = outline(&left);
    while text.len() > MAX_COMPACT && shown > 1 {
        limit = fitting(shown, &text);
        let (mut page, mut index) = (left.clone(), 0);
        cut(&mut page, 0..limit, &mut index);
        text = outline(&page);
        shown = limit;
    }
    let missing: Vec<String> = more(shown.min(limit), offset, all).into_iter().chain(inside).collect();
    let missing = (!missing.is_empty()).then(|| missing.join("; "));
    Listed { output: ListSymbolsOutput::Outline(text), missing }
}

/// How many of the symbols of a text fit, and a little less: lines are not of one length.
fn fitting(shown: usize, text: &str) -> usize {
    (shown * MAX_COMPACT / text.len() * 9 / 10).max(1)
}

/// How deep symbols stand inside of each other.
fn depth(symbols: &[Symbol]) -> usize {
    symbols.iter().map(|symbol| 1 + depth(&symbol.children)).max().unwrap_or(0)
}

/// Leaves out what stands deeper.
fn prune(symbols: &mut [Symbol], depth: usize) {
    for symbol in symbols {
        if depth <= 1 {
            symbol.children.clear();
        } else {
            prune(&mut symbol.children, depth - 1);
        }
    }
}

fn count(symbols: &[Symbol]) -> usize {
    symbols.iter().map(|symbol| 1 + count(&symbol.children)).sum()
}

/// Keeps the symbols of one page, counted in reading order, and those that hold them.
fn cut(symbols: &mut Vec<Symbol>, page: Range<usize>, index: &mut usize) {
    symbols.retain_mut(|symbol| {
        let is_on_page = page.contains(index);
        *index += 1;
        cut(&mut symbol.children, page.clone(), index);
        is_on_page || !symbol.children.is_empty()
    });
}

fn wire(symbol: Symbol) -> WireSymbol {
    WireSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: symbol.kind.into(),
        range: symbol.range.into(),
        selection_range: symbol.selection.into(),
        children: symbol.children.into_iter().map(wire).collect(),
    }
}

/// `name [Kind] :line`, two spaces a level.
fn outline(symbols: &[Symbol]) -> String {
    fn add(symbols: &[Symbol], depth: usize, text: &mut String) {
        for symbol in symbols {
            let line = symbol.selection.start.line;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:depth$}{} [{}] :{line}",
                "",
                symbol.name,
                symbol.kind.name(),
                depth = depth * 2
            );
            add(&symbol.children, depth + 1, text);
        }
    }
    let mut text = String::new();
    add(symbols, 0, &mut text);
    text.truncate(text.trim_end().len());
    text
}
