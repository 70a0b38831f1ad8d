//! Tools about the workspace as a whole.

pub mod detect_lsp_servers;
pub mod get_tests_for_file;
