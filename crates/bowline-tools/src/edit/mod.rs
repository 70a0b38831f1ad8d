//! Tools that change files, each in one call.

pub mod apply_edit;
pub mod rename_symbol;
