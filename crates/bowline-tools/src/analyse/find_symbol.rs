//! `find_symbol`: symbols of the whole workspace by name.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Span;
use bowline_workspace::{Patience, SymbolHit, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::wire::WireSpan;

const USUAL: usize = 50;
/// Each needs its file to be read.
const USUAL_WITH_HOVER: usize = 3;

/// Symbols by name: the very name first, then names that contain it, then what servers find similar.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct FindSymbolArgs {
    #[serde(default)]
    pub query: String,
    /// hover adds signatures.
    #[serde(default)]
    pub detail_level: DetailLevel,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DetailLevel {
    #[default]
    Basic,
    Hover,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum FindSymbolOutput {
    Basic(Vec<FoundSymbol>),
    Hover { total: usize, symbols: Vec<FoundSymbol>, enriched: Vec<Enriched>, pagination: Pagination },
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundSymbol {
    name: String,
    kind: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    container_name: String,
    file: PathBuf,
    line: u32,
    location: WireLocation,
}

#[derive(Debug, Clone, Serialize)]
struct WireLocation {
    uri: String,
    range: WireSpan,
}

#[derive(Debug, Serialize)]
pub struct Enriched {
    #[serde(flatten)]
    symbol: FoundSymbol,
    hover: String,
}

#[derive(Debug, Serialize)]
pub struct Pagination {
    offset: usize,
    limit: usize,
    more: bool,
}

pub struct FindSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for FindSymbol {
    type Args = FindSymbolArgs;
    type Output = FindSymbolOutput;
    const NAME: &'static str = "find_symbol";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, _args: &FindSymbolArgs) -> Intent {
        Intent::read_workspace()
    }

    async fn run(
        &self,
        args: FindSymbolArgs,
        cx: &CallContext,
    ) -> Result<Answer<FindSymbolOutput>, ToolError> {
        let with_hover = args.detail_level == DetailLevel::Hover;
        let (limit, offset) = args.page.bounds(if with_hover { USUAL_WITH_HOVER } else { USUAL })?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let found =
            self.workspace.find_symbols(&args.query, limit, offset, &patience).await.map_err(explain)?;
        let (hits, total) = (&found.value.hits, found.value.total);
        let missing = more(hits.len(), offset, total);
        let symbols: Vec<FoundSymbol> = hits.iter().map(wire).collect();
        let payload = if with_hover {
            let pagination = Pagination { offset, limit, more: missing.is_some() };
            let mut enriched = Vec::with_capacity(hits.len());
            for (hit, symbol) in hits.iter().zip(&symbols) {
                let hover = self.hover(hit, &patience).await;
                enriched.push(Enriched { symbol: symbol.clone(), hover });
            }
            FindSymbolOutput::Hover { total, symbols, enriched, pagination }
        } else {
            FindSymbolOutput::Basic(symbols)
        };
        let hint = missing.unwrap_or_else(|| match total {
            0 => "no symbol is called so; a part of the name, or its letters in order, will do".to_owned(),
            _ => "get_symbol_source shows the code of one, find_references its uses".to_owned(),
        });
        Ok(answered(&found, payload, Some(hint)))
    }
}

impl FindSymbol {
    /// What a reader would see on hovering: the signature, or the first line where there is none. Nothing where the
    /// file has changed since it was found.
    async fn hover(&self, hit: &SymbolHit, patience: &Patience<'_>) -> String {
        let Ok(found) = self.workspace.symbol_at(&hit.path, hit.symbol.selection.start, patience).await
        else {
            return String::new();
        };
        let source = found.value;
        let first_line = || source.source.lines().next().unwrap_or_default().trim().to_owned();
        source.symbol.detail.clone().unwrap_or_else(first_line)
    }
}

fn wire(hit: &SymbolHit) -> FoundSymbol {
    let Span { start, .. } = hit.symbol.selection;
    FoundSymbol {
        name: hit.symbol.name.clone(),
        kind: hit.symbol.kind.into(),
        container_name: hit.symbol.container.clone(),
        file: hit.path.clone(),
        line: start.line,
        location: WireLocation {
            uri: bowline_code::uri::of(&hit.path),
            range: WireSpan::from(hit.symbol.selection),
        },
    }
}
