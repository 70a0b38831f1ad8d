//! Tools that say where something is.

pub mod go_to_definition;
pub mod go_to_symbol;
