//! Tools about the workspace and its language servers.

pub mod add_workspace_folder;
pub mod detect_lsp_servers;
pub mod get_diagnostics;
pub mod get_tests_for_file;
pub mod list_workspace_folders;
pub mod remove_workspace_folder;
pub mod restart_lsp_server;
pub mod start_lsp;
