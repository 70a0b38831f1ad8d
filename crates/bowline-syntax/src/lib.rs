//! One file's structure without any language server: symbols, names and their scopes, read with tree-sitter.
//!
//! It knows one text at a time: no files on disk, no other files, no types. What a name outside its file means
//! is for the caller to rank, with the [`Role`] a name is written in.
//!
//! Every language is one table (`language/*.rs`) read by the same two walks: `outline` for symbols and words,
//! `scopes` for names and what they are bound to. Both walk with a cursor and a stack of their own, because
//! text may be nested deeper than the machine's stack.

mod language;

mod error;
mod name;
mod parsed;
mod query;
mod word;

mod body;
mod compiled;
mod detail;
mod grammar;
mod imports;
mod outline;
mod parts;
mod positions;
mod resolve;
mod scopes;
mod site;
mod surface;
mod walk;

pub use error::SyntaxError;
pub use imports::Import;
pub use language::Language;
pub use name::{Local, Name, Occurrence, Role};
pub use parsed::{MAX_BYTES, Parsed, parse};
pub use parts::{Body, Bond, Commas, Fault, Parts, Place, Shared, Style};
pub use surface::{
    Changed, Difference, Extent, Holder, Mention, Mentioned, Owner, Part, SurfaceChanges, extent,
    hovers_tell_types, mentions_at, same_code, surface_changes,
};
pub use word::word_hash;

/// Raised whenever a file's symbols or words would be other than before, so that what was kept is made anew.
pub const REVISION: u32 = 2;
