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
use crate::etag::{Tagged, tagged};
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::wire::WireSpan;

/// Generated files hold tens of thousands; nobody reads that many.
const USUAL: usize = 1000;

/// The symbols of a file. Far cheaper than reading it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListSymbolsArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    /// outline is the shortest.
    #[serde(default)]
    pub format: Format,
    /// etag of an earlier answer.
    #[serde(default)]
    pub if_none_match: Option<String>,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
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
        let mut symbols = found.value.symbols.clone();
        let total = count(&symbols);
        let mut index = 0;
        cut(&mut symbols, offset..offset.saturating_add(limit), &mut index);
        let shown = total.saturating_sub(offset).min(limit);
        let output = match args.format {
            Format::Tree => ListSymbolsOutput::Tree(symbols.into_iter().map(wire).collect()),
            Format::Outline => ListSymbolsOutput::Outline(outline(&symbols)),
        };
        let returned = match &output {
            ListSymbolsOutput::Outline(text) => text.len(),
            tree => serde_json::to_string(tree).map_or(0, |text| text.len()),
        };
        let hint = if let Some(more) = more(shown, offset, total) {
            Some(more)
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
