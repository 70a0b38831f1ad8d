//! The language servers that we know of, as data, and whether one of them can be started.

mod installed;
mod table;

pub use installed::find_server;
pub use table::{KNOWN, KnownServer, language_of};
