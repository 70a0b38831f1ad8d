//! One symbol in one answer, as `explore_symbol` and `explore` give it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bowline_call::{Answer, CallContext, TokenSavings, ToolError};
use bowline_workspace::{SymbolSource, Workspace};
use serde::Serialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::place::Place;
use crate::wire::WireCaller;

/// More callers are counted.
const MOST_CALLERS: usize = 10;
const MOST_FILES: usize = 5;
/// More of a text is cut.
const MOST_SOURCE: usize = 16 << 10;
const MOST_TYPE: usize = 4 << 10;

#[derive(Debug, Serialize)]
pub struct Explored {
    type_info: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<WireSource>,
    callers: Vec<WireCaller>,
    callers_count: usize,
    references: WireReferences,
    test_callers_count: usize,
}

#[derive(Debug, Serialize)]
struct WireSource {
    symbol_name: String,
    file: PathBuf,
    start_line: u32,
    end_line: u32,
    source: String,
}

#[derive(Debug, Serialize)]
struct WireReferences {
    count: usize,
    top_files: Vec<PathBuf>,
}

pub(crate) async fn explore(
    workspace: &Workspace,
    at: &Place,
    cx: &CallContext,
) -> Result<Answer<Explored>, ToolError> {
    let report = reporter(cx);
    let patience = patience(cx, &report);
    let file = at.file();
    let at = at.position(workspace, None, &patience).await?;
    let found = workspace.explore(file, at, &patience).await.map_err(explain)?;
    let explored = &found.value;
    let mut by_file: BTreeMap<&PathBuf, usize> = BTreeMap::new();
    for caller in &explored.callers {
        *by_file.entry(&caller.place.file).or_default() += 1;
    }
    let mut files: Vec<(&PathBuf, usize)> = by_file.into_iter().collect();
    files.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    // Each once, those outside tests first.
    let mut callers: Vec<(bool, WireCaller)> = Vec::new();
    for caller in &explored.callers {
        let wire = WireCaller::from(caller);
        if !callers.iter().any(|(_, known)| known.name == wire.name && known.file == wire.file) {
            callers.push((caller.is_test, wire));
        }
    }
    callers.sort_by_key(|(is_test, _)| *is_test);
    let callers_count = callers.len();
    let left_out = callers_count.saturating_sub(MOST_CALLERS);
    let output = Explored {
        type_info: bowline_std::text::cut(explored.hover.as_deref().unwrap_or_default(), MOST_TYPE),
        source: explored.source.as_ref().map(wire),
        callers: callers.into_iter().take(MOST_CALLERS).map(|(_, caller)| caller).collect(),
        callers_count,
        references: WireReferences {
            count: explored.total,
            top_files: files.into_iter().take(MOST_FILES).map(|(file, _)| file.clone()).collect(),
        },
        test_callers_count: explored.callers.iter().filter(|caller| caller.is_test).count(),
    };
    let mut said = explored.missing.clone();
    said.push(if left_out > 0 {
        format!("and {left_out} more callers; find_references lists every use")
    } else {
        "find_callers follows the calls; blast_radius counts what a change would reach".to_owned()
    });
    let returned = serde_json::to_string(&output).map_or(0, |text| text.len());
    let whole = explored.source.as_ref().map(|source| source.bytes);
    let answer = answered(&found, output, Some(said.join("\n")));
    Ok(match whole {
        Some(whole) => answer.savings(TokenSavings::of(returned, whole)),
        None => answer,
    })
}

fn wire(source: &SymbolSource) -> WireSource {
    WireSource {
        symbol_name: source.symbol.name.clone(),
        file: source.path.clone(),
        start_line: source.start_line,
        end_line: source.end_line,
        source: bowline_std::text::cut(&source.source, MOST_SOURCE),
    }
}
