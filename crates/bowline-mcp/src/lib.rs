//! A surface: bowline as an MCP server over any byte stream.
//!
//! It turns bytes into calls and replies into bytes, and never decides. Two protocol eras share one pipe: the
//! `initialize` handshake up to 2025-11-25, and 2026-07-28, whose requests carry everything with them.
//!
//! What arrives is hostile until [`envelope`] has looked at it; only well-formed messages reach the protocol
//! library. Language servers are not known here.

mod asking;
mod envelope;
mod form;
mod head;
mod in_flight;
mod line;
mod listed;
mod listing;
mod logs;
mod progress;
mod prompts;
mod reader;
mod recorder;
mod reply;
mod sealed;
mod serve;
mod server;
mod transport;
mod workers;

pub use logs::{Level, Logs};
pub use prompts::Prompts;
pub use serve::{Options, ServeError, serve};
pub use workers::Workers;

/// The tools as `tools/list` shows them.
pub use listing::listing;
