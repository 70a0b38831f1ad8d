//! bowline's own tools, one small file each.
//!
//! A tool translates: its arguments into a question to the workspace, the answer into the fields that clients know.
//! What a call may do is the gate's business, that it is remembered the audit trail's, and how the answer travels
//! the surface's; none of them is known here.
//!
//! To add one: its file, its `mod` line, its line in [`all`].

mod analyse;
mod draft;
mod edit;
mod navigate;
mod workspace;

mod choice;
mod extensions;

mod answered;
mod calls;
mod changed;
mod commanded;
mod compact;
mod drafted;
mod edits;
mod etag;
mod evaluated;
mod explain;
mod exploring;
mod folders;
mod impact;
mod layout;
mod leading;
mod page;
mod patience;
mod place;
mod running;
mod symbol_edit;
mod wire;

use std::ffi::OsString;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use bowline_call::{AnyTool, erase};
use bowline_workspace::Workspace;

pub use analyse::{
    blast_radius, detect_changes, explore, explore_symbol, find_references, find_symbol, get_completions,
    get_cross_repo_references, get_editing_context, get_inlay_hints, get_semantic_tokens, get_signature_help,
    get_symbol_documentation, get_symbol_source, inspect_symbol, list_symbols, suggest_fixes,
};
pub use draft::{
    commit_session, create_simulation_session, destroy_session, discard_session, evaluate_session,
    preview_edit, safe_apply_edit, safe_edit, simulate_chain, simulate_edit, undo_write,
};
pub use edit::{
    apply_edit, insert_after_symbol, insert_before_symbol, rename_symbol, replace_in_files,
    replace_symbol_body, safe_delete_symbol,
};
pub use navigate::{
    callers, find_callers, get_document_highlights, go_to_declaration, go_to_definition,
    go_to_implementation, go_to_symbol, go_to_type_definition, prepare_rename, type_hierarchy,
};
pub use workspace::{
    add_workspace_folder, close_document, detect_lsp_servers, did_change_watched_files, execute_command,
    export_cache, format_document, format_range, get_diagnostics, get_server_capabilities,
    get_tests_for_file, import_cache, list_workspace_folders, open_document, remove_workspace_folder,
    restart_lsp_server, run_build, run_tests, set_log_level, start_lsp,
};

pub use choice::{CORE, Chosen, NoSuchTool, chosen};

/// What tools are made from.
#[derive(Clone)]
pub struct House {
    pub workspace: Arc<Workspace>,
    /// Where programs are looked for.
    pub path: OsString,
    /// Sets how much is logged, by the names of syslog.
    pub log_level: Option<LogSwitch>,
    /// Where whole outputs of builds and tests are kept.
    pub run_logs: Option<PathBuf>,
    /// Which skills there are, and what they need of language servers.
    pub skills: Option<SkillLister>,
}

impl House {
    /// With this workspace, and nothing else that tools could use.
    pub fn of(workspace: Workspace) -> Self {
        Self {
            workspace: Arc::new(workspace),
            path: OsString::new(),
            log_level: None,
            run_logs: None,
            skills: None,
        }
    }
}

/// A skill, and what it needs of language servers, by the names of their capabilities.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillNeeds {
    pub name: String,
    pub required: Vec<String>,
    pub optional: Vec<String>,
}

/// Lists skills.
pub type SkillLister = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Vec<SkillNeeds>> + Send>> + Send + Sync>;

/// Sets how much is logged.
pub type LogSwitch = Arc<dyn Fn(&str) + Send + Sync>;

/// Every tool of bowline's own.
pub fn all(house: &House) -> Vec<Arc<dyn AnyTool>> {
    let workspace = || Arc::clone(&house.workspace);
    vec![
        erase(add_workspace_folder::AddWorkspaceFolder { workspace: workspace() }),
        erase(apply_edit::ApplyEdit { workspace: workspace() }),
        erase(blast_radius::BlastRadius { workspace: workspace() }),
        erase(callers::Callers { workspace: workspace() }),
        erase(close_document::CloseDocument { workspace: workspace() }),
        erase(commit_session::CommitSession { workspace: workspace() }),
        erase(create_simulation_session::CreateSimulationSession { workspace: workspace() }),
        erase(destroy_session::DestroySession { workspace: workspace() }),
        erase(detect_changes::DetectChanges { workspace: workspace() }),
        erase(detect_lsp_servers::DetectLspServers { workspace: workspace(), path: house.path.clone() }),
        erase(did_change_watched_files::DidChangeWatchedFiles { workspace: workspace() }),
        erase(discard_session::DiscardSession { workspace: workspace() }),
        erase(evaluate_session::EvaluateSession { workspace: workspace() }),
        erase(execute_command::ExecuteCommand { workspace: workspace() }),
        erase(explore::Explore { workspace: workspace() }),
        erase(explore_symbol::ExploreSymbol { workspace: workspace() }),
        erase(export_cache::ExportCache { workspace: workspace() }),
        erase(find_callers::FindCallers { workspace: workspace() }),
        erase(find_references::FindReferences { workspace: workspace() }),
        erase(find_symbol::FindSymbol { workspace: workspace() }),
        erase(format_document::FormatDocument { workspace: workspace() }),
        erase(format_range::FormatRange { workspace: workspace() }),
        erase(get_completions::GetCompletions { workspace: workspace() }),
        erase(get_cross_repo_references::GetCrossRepoReferences { workspace: workspace() }),
        erase(get_diagnostics::GetDiagnostics { workspace: workspace() }),
        erase(get_document_highlights::GetDocumentHighlights { workspace: workspace() }),
        erase(get_editing_context::GetEditingContext { workspace: workspace() }),
        erase(get_inlay_hints::GetInlayHints { workspace: workspace() }),
        erase(get_semantic_tokens::GetSemanticTokens { workspace: workspace() }),
        erase(get_server_capabilities::GetServerCapabilities {
            workspace: workspace(),
            skills: house.skills.clone(),
        }),
        erase(get_signature_help::GetSignatureHelp { workspace: workspace() }),
        erase(get_symbol_documentation::GetSymbolDocumentation { workspace: workspace() }),
        erase(get_symbol_source::GetSymbolSource { workspace: workspace() }),
        erase(get_tests_for_file::GetTestsForFile { workspace: workspace() }),
        erase(go_to_declaration::GoToDeclaration { workspace: workspace() }),
        erase(go_to_definition::GoToDefinition { workspace: workspace() }),
        erase(go_to_implementation::GoToImplementation { workspace: workspace() }),
        erase(go_to_symbol::GoToSymbol { workspace: workspace() }),
        erase(go_to_type_definition::GoToTypeDefinition { workspace: workspace() }),
        erase(import_cache::ImportCache { workspace: workspace() }),
        erase(insert_after_symbol::InsertAfterSymbol { workspace: workspace() }),
        erase(insert_before_symbol::InsertBeforeSymbol { workspace: workspace() }),
        erase(inspect_symbol::InspectSymbol { workspace: workspace() }),
        erase(list_symbols::ListSymbols { workspace: workspace() }),
        erase(list_workspace_folders::ListWorkspaceFolders { workspace: workspace() }),
        erase(open_document::OpenDocument { workspace: workspace() }),
        erase(prepare_rename::PrepareRename { workspace: workspace() }),
        erase(preview_edit::PreviewEdit { workspace: workspace() }),
        erase(remove_workspace_folder::RemoveWorkspaceFolder { workspace: workspace() }),
        erase(rename_symbol::RenameSymbol { workspace: workspace() }),
        erase(replace_in_files::ReplaceInFiles { workspace: workspace() }),
        erase(replace_symbol_body::ReplaceSymbolBody { workspace: workspace() }),
        erase(restart_lsp_server::RestartLspServer { workspace: workspace() }),
        erase(run_build::RunBuild { runs: running::Runs::of(house) }),
        erase(run_tests::RunTests { runs: running::Runs::of(house) }),
        erase(safe_apply_edit::SafeApplyEdit { workspace: workspace() }),
        erase(safe_delete_symbol::SafeDeleteSymbol { workspace: workspace() }),
        erase(safe_edit::SafeEdit { workspace: workspace() }),
        erase(set_log_level::SetLogLevel { log_level: house.log_level.clone() }),
        erase(simulate_chain::SimulateChain { workspace: workspace() }),
        erase(simulate_edit::SimulateEdit { workspace: workspace() }),
        erase(start_lsp::StartLsp { workspace: workspace() }),
        erase(suggest_fixes::SuggestFixes { workspace: workspace() }),
        erase(type_hierarchy::TypeHierarchy { workspace: workspace() }),
        erase(undo_write::UndoWrite { workspace: workspace() }),
    ]
}
