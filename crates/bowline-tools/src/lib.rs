//! bowline's own tools, one small file each.
//!
//! A tool translates: its arguments into a question to the workspace, the answer into the fields that clients know.
//! What a call may do is the gate's business, that it is remembered the audit trail's, and how the answer travels
//! the surface's; none of them is known here.
//!
//! To add one: its file, its `mod` line, its line in [`all`].

mod analyse;
mod navigate;
mod workspace;

mod answered;
mod explain;
mod folders;
mod page;
mod patience;
mod place;

use std::ffi::OsString;
use std::sync::Arc;

use bowline_call::{AnyTool, erase};
use bowline_workspace::Workspace;

pub use analyse::{
    find_references, find_symbol, get_symbol_documentation, get_symbol_source, inspect_symbol, list_symbols,
};
pub use navigate::{go_to_definition, go_to_symbol};
pub use workspace::{
    add_workspace_folder, detect_lsp_servers, get_diagnostics, get_tests_for_file, list_workspace_folders,
    remove_workspace_folder, restart_lsp_server, start_lsp,
};

/// What tools are made from.
#[derive(Clone)]
pub struct House {
    pub workspace: Arc<Workspace>,
    /// Where programs are looked for.
    pub path: OsString,
}

/// Every tool.
pub fn all(house: &House) -> Vec<Arc<dyn AnyTool>> {
    let workspace = || Arc::clone(&house.workspace);
    vec![
        erase(add_workspace_folder::AddWorkspaceFolder { workspace: workspace() }),
        erase(detect_lsp_servers::DetectLspServers { workspace: workspace(), path: house.path.clone() }),
        erase(find_references::FindReferences { workspace: workspace() }),
        erase(find_symbol::FindSymbol { workspace: workspace() }),
        erase(get_diagnostics::GetDiagnostics { workspace: workspace() }),
        erase(get_symbol_documentation::GetSymbolDocumentation { workspace: workspace() }),
        erase(get_symbol_source::GetSymbolSource { workspace: workspace() }),
        erase(get_tests_for_file::GetTestsForFile { workspace: workspace() }),
        erase(go_to_definition::GoToDefinition { workspace: workspace() }),
        erase(go_to_symbol::GoToSymbol { workspace: workspace() }),
        erase(inspect_symbol::InspectSymbol { workspace: workspace() }),
        erase(list_symbols::ListSymbols { workspace: workspace() }),
        erase(list_workspace_folders::ListWorkspaceFolders { workspace: workspace() }),
        erase(remove_workspace_folder::RemoveWorkspaceFolder { workspace: workspace() }),
        erase(restart_lsp_server::RestartLspServer { workspace: workspace() }),
        erase(start_lsp::StartLsp { workspace: workspace() }),
    ]
}
