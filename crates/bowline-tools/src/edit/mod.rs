//! Tools that change files, each in one call.

pub mod apply_edit;
pub mod insert_after_symbol;
pub mod insert_before_symbol;
pub mod rename_symbol;
pub mod replace_in_files;
pub mod replace_symbol_body;
pub mod safe_delete_symbol;
