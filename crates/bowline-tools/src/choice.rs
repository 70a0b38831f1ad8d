//! Which tools are offered: all of them, the few that most work needs, or those that are named.

use std::collections::BTreeSet;
use std::sync::Arc;

use bowline_call::AnyTool;

use crate::{House, extensions};

/// What most work needs: to look around, to see what a change would reach and do, and to make it.
pub const CORE: [&str; 26] = [
    "blast_radius",
    "commit_session",
    "create_simulation_session",
    "detect_changes",
    "evaluate_session",
    "explore_symbol",
    "find_callers",
    "find_references",
    "find_symbol",
    "get_diagnostics",
    "get_editing_context",
    "get_symbol_source",
    "go_to_definition",
    "go_to_implementation",
    "go_to_symbol",
    "inspect_symbol",
    "list_symbols",
    "preview_edit",
    "rename_symbol",
    "replace_symbol_body",
    "run_build",
    "run_tests",
    "safe_apply_edit",
    "simulate_edit",
    "start_lsp",
    "undo_write",
];

/// Somebody chose a tool that there is not.
#[derive(Debug, thiserror::Error)]
#[error("there is no tool `{name}` to choose; `core`, `full`, or any of: {}", .known.join(", "))]
pub struct NoSuchTool {
    name: String,
    known: Vec<String>,
}

/// Every tool there is, and the names of those that are offered.
pub type Chosen = (Vec<Arc<dyn AnyTool>>, BTreeSet<String>);

/// What is offered where somebody says so. `words`: `core`, `full` and names, separated by commas. `guiding` are the tools
/// about skills, which every set has.
pub fn chosen(
    house: &House,
    guiding: Vec<Arc<dyn AnyTool>>,
    words: Option<&str>,
) -> Result<Chosen, NoSuchTool> {
    let guides: BTreeSet<String> = guiding.iter().map(|tool| tool.spec().name.clone()).collect();
    let own: Vec<_> = crate::all(house).into_iter().chain(guiding).collect();
    let full: BTreeSet<String> = own.iter().map(|tool| tool.spec().name.clone()).collect();
    let extended = extensions::all(house);
    let used = extended.iter().filter(|(_, used)| *used).map(|(tool, _)| tool.spec().name.clone());
    let full: BTreeSet<String> = full.into_iter().chain(used).collect();
    let tools: Vec<Arc<dyn AnyTool>> =
        own.into_iter().chain(extended.into_iter().map(|(tool, _)| tool)).collect();
    let Some(words) = words else {
        return Ok((tools, full));
    };
    let mut names = BTreeSet::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "full" => names.extend(full.iter().cloned()),
            "core" => names.extend(CORE.map(str::to_owned).into_iter().chain(guides.iter().cloned())),
            name if tools.iter().any(|tool| tool.spec().name == name) => {
                names.insert(name.to_owned());
            }
            name => {
                let known = tools.iter().map(|tool| tool.spec().name.clone()).collect();
                return Err(NoSuchTool { name: name.to_owned(), known });
            }
        }
    }
    if names.is_empty() {
        let known = tools.iter().map(|tool| tool.spec().name.clone()).collect();
        return Err(NoSuchTool { name: words.to_owned(), known });
    }
    Ok((tools, names))
}
