//! Tools that say what code is: symbols, their source, who uses them.

pub mod blast_radius;
pub mod detect_changes;
pub mod explore;
pub mod explore_symbol;
pub mod find_references;
pub mod find_symbol;
pub mod get_completions;
pub mod get_cross_repo_references;
pub mod get_editing_context;
pub mod get_inlay_hints;
pub mod get_semantic_tokens;
pub mod get_signature_help;
pub mod get_symbol_documentation;
pub mod get_symbol_source;
pub mod inspect_symbol;
pub mod list_symbols;
pub mod suggest_fixes;
