//! Tools about the workspace and its language servers.

pub mod add_workspace_folder;
pub mod close_document;
pub mod detect_lsp_servers;
pub mod did_change_watched_files;
pub mod execute_command;
pub mod export_cache;
pub mod format_document;
pub mod format_range;
pub mod get_diagnostics;
pub mod get_server_capabilities;
pub mod get_tests_for_file;
pub mod import_cache;
pub mod list_workspace_folders;
pub mod open_document;
pub mod remove_workspace_folder;
pub mod restart_lsp_server;
pub mod run_build;
pub mod run_tests;
pub mod set_log_level;
pub mod start_lsp;
