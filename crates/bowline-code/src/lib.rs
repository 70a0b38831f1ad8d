//! The words for code that every room shares: plain data, 1-based, as the outside sees it.
//!
//! No LSP, no JSON-RPC, no async, no IO: whoever has such things turns them into these words at its own edge.

mod diagnostic;
mod engine;
mod indexed;
mod line_table;
mod location;
mod position;
mod symbol;
pub mod uri;

pub use diagnostic::{Diagnostic, Related, Severity};
pub use engine::Engine;
pub use indexed::{FileStamp, IndexedFile, IndexedSymbol, MOST_BY_LETTERS, SymbolRow, fits_letters};
pub use line_table::{Encoding, LineTable, OutOfText};
pub use location::Location;
pub use position::{Position, Span};
pub use symbol::{Symbol, SymbolKind};
