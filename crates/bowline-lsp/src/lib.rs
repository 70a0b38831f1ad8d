//! One language server: its process, the wire, the handshake, its documents and its answers, in our own words.
//!
//! A [`Server`] goes through many lives: it is started when it is first needed, started again when it fails, and
//! stopped when nobody asks it any more. A [`Life`] is what can be asked. It knows nothing of other servers, of
//! which files a project has, or of who is asking; texts that an answer speaks of are lent to it.

mod error;
mod options;

pub mod environment;
pub mod known;

mod server;

mod life;
mod quirks;

mod answers;
mod board;
mod capabilities;
mod documents;
mod flight;
mod globs;

mod connection;
mod wire;
mod words;

pub use answers::{FoundSymbol, Hover, Lender};
pub use board::{FileEvent, Task};
pub use capabilities::Capabilities;
pub use documents::{Sheet, Shown};
pub use error::{Before, Fault, LspError};
pub use life::{Asker, Diagnosed, Evidence, Goal, Life, Readiness};
pub use options::{LimitOptions, Limits, Reach, ServerOptions, ServerSpec, SpecError, SpokenLanguage};
pub use server::{Server, Status, Was};
