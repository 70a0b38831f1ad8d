//! Tools that change files.

pub mod replace_in_files;
