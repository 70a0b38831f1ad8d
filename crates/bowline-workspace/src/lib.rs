//! One project: its roots, its files, its symbol index, and the answers drawn from them.
//!
//! Nothing here knows a tool, a gate or a protocol. Every query is async, runs its work on blocking threads,
//! and waits no longer than its caller's [`Patience`]. Answers say which engine made them, so that a language
//! server can answer later where it is better, and syntax stays what answers when there is none.

mod error;
mod options;
mod patience;

mod workspace;

mod document;
mod roots;
mod stamp;
mod walk;
pub mod watch;

mod index;
mod memory;
mod store;

mod fleet;
mod query;
pub mod servers;

pub use bowline_code::{FileStamp, SymbolRow};
pub use bowline_lsp::{Evidence, Fault, Hover, LspError, Reach, ServerSpec, Status, Was};
/// What an index was made by. One that was made by another is not asked.
pub use bowline_syntax::REVISION as INDEX_REVISION;
pub use bowline_syntax::{Language, Parsed};
pub use document::Document;
pub use error::WorkspaceError;
pub use fleet::ServerOptions;
pub use index::{IndexReport, Skipped};
pub use memory::MemoryStore;
pub use options::Options;
pub use patience::Patience;
pub use query::{
    Definition, Diagnoses, FileDiagnoses, Found, Outline, References, SymbolHit, SymbolSource, Symbols,
    is_test_file,
};
pub use store::{IndexStore, IndexStoreError};
pub use workspace::Workspace;
