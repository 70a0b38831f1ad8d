//! Tools that say what code is: symbols, their source, who uses them.

pub mod find_references;
pub mod find_symbol;
pub mod get_symbol_documentation;
pub mod get_symbol_source;
pub mod inspect_symbol;
pub mod list_symbols;
