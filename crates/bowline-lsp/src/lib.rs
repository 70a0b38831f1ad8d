//! One language server: its process, the wire, the handshake, its documents and its answers, in our own words.
//!
//! A [`Server`] goes through many lives: it is started when it is first needed, started again when it fails, and
//! stopped when nobody asks it any more. A [`Life`] is what can be asked. It knows nothing of other servers, of
//! which files a project has, or of who is asking; texts that an answer speaks of are lent to it.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use bowline_code::Position;
//! use bowline_lsp::{Asker, Evidence, Lender, Server, ServerOptions, ServerSpec, Sheet};
//! use bowline_testkit::{FakeServer, Fixture, Script};
//! use tokio_util::sync::CancellationToken;
//!
//! /// Only needed where a server does not count columns as we do.
//! struct NoTexts;
//!
//! impl Lender for NoTexts {
//!     fn text(&self, _path: &Path) -> Option<Arc<str>> {
//!         None
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A server as `[servers.fake]` of a configuration would name it. `Server::new(spec, root, environment)` starts its
//! // program when it is first needed, and again when it fails; here one is at the other end of a pipe already.
//! let options = ServerOptions {
//!     command: vec!["fake-ls".to_owned()],
//!     extensions: vec!["fk".to_owned()],
//!     ..ServerOptions::default()
//! };
//! let spec = ServerSpec::from_options("fake", options)?;
//! let project = Fixture::new("//- /a.fk\ndef greet\n//- /b.fk\ngreet BUG\n");
//! let (_fake, stream) = FakeServer::start(Script::default());
//! let life = Server::over(spec, project.root().to_owned(), stream).await?;
//!
//! let text: Arc<str> = "greet BUG\n".into();
//! let shown = life.show(&Sheet { path: project.path("b.fk"), language: "fake".to_owned(), text });
//!
//! let asker = Asker { lender: &NoTexts, stop: &CancellationToken::new() };
//! let uses = life.references(&shown, Position::new(1, 1), true, asker).await?;
//! assert_eq!(uses.len(), 2);
//! assert_eq!(uses[0].file, project.path("a.fk"));
//!
//! let found = life.diagnose(&shown, asker).await?;
//! assert_eq!(found.diagnostics[0].message, "found a BUG");
//! assert_eq!(found.evidence, Evidence::Versioned, "it is about this very text");
//! # Ok(())
//! # }
//! ```

mod error;
mod options;

pub mod environment;
pub mod known;

mod server;

mod life;
mod quirks;
mod scope;

mod answers;
mod board;
mod capabilities;
mod documents;
mod flight;
mod globs;

mod connection;
mod wire;
mod words;

pub use answers::{
    Call, Completions, FoundSymbol, HierarchyItem, Highlight, Hover, InlayHint, Lender, Renamable, Token,
};
pub use board::{FileEvent, Task};
pub use capabilities::Capabilities;
pub use documents::{Sheet, Shown};
pub use error::{Before, Fault, LspError};
pub use life::{
    About, Asker, Attendance, Diagnosed, Direction, Editor, Evidence, Formatting, Goal, Life, Overlay,
    Readiness,
};
pub use options::{LimitOptions, Limits, Reach, ServerOptions, ServerSpec, SpecError, SpokenLanguage};
pub use scope::{Limiting, Scope};
pub use server::{Server, Status, Was};
