//! What outlives a process, in SQLite: the symbol index, and what language servers answered.
//!
//! Everything kept here can be made again from what it was made from, so a database that cannot be trusted
//! is set aside and begun anew. What the rows mean to others is not known here.

mod database;
mod error;
mod gzip;
mod open;
mod references;
mod rows;
mod schema;
mod scratch;
mod search;
mod symbols;

pub use error::StoreError;
pub use references::{
    ImportLimits, Limits, Origin, ReferenceKey, ReferenceStore, RelativePlace, Remembered, is_exported,
};
pub use symbols::SymbolStore;
