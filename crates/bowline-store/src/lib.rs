//! What outlives a process, in SQLite: the symbol index, what language servers answered, and what happened in conversations.
//!
//! The first two can be made again from what they were made from, so a database that cannot be trusted is set aside and begun
//! anew. What happened cannot: there a damaged database is an error until a person has decided. What the rows mean to others
//! is not known here.

mod conversations;
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

pub use conversations::{ConversationRow, ConversationStore, NewRow, RowFound, RowMark};
pub use error::StoreError;
pub use references::{
    ImportLimits, Limits, Origin, ReferenceKey, ReferenceStore, RelativePlace, Remembered, is_exported,
};
pub use symbols::SymbolStore;
