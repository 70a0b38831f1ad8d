//! A language server that does exactly what its script says, in memory or as the program `fake-ls`.
//!
//! It knows a little for real: documents, words, where `def`, `fn` or `func` stands before a name, and that `BUG` is
//! an error. It shares no code with the client that is tested against it, neither for frames nor for positions: a
//! mistake made in one place only cannot hide itself.

mod answers;
mod built;
mod delivery;
mod diagnostics;
mod documents;
mod editing;
mod fault;
mod frame;
mod memory;
mod odd;
mod outline;
mod post;
mod program;
mod project;
mod received;
mod requests;
mod script;
mod server;
mod settings;
mod startup;
mod text;
mod uri;
mod writer;

pub use built::fake_ls;
pub use fault::Fault;
pub use memory::FakeServer;
pub use program::fake_ls_main;
pub use received::{Kind, Received};
pub use script::{PositionEncoding, Progress, Push, Script};
pub use uri::file_uri;
