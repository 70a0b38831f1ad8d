//! Tools that go from one place in the code to others.

pub mod callers;
pub mod find_callers;
pub mod get_document_highlights;
pub mod go_to_declaration;
pub mod go_to_definition;
pub mod go_to_implementation;
pub mod go_to_symbol;
pub mod go_to_type_definition;
pub mod prepare_rename;
pub mod type_hierarchy;
