//! The corridor: the one way that every tool call takes, whichever surface it came in by.
//!
//! ```text
//! open record ─► prepare ─► facts ─► gate.before ─► run ─► gate.after ─► close record
//! ```
//!
//! This is the only room that sees tools, gate and audit together, and it sees them by trait. Which tools exist
//! and which surface asked is not known here.

mod advice;
mod asking;
mod completion;
mod corridor;
mod facts;
mod hold;
mod learn;
mod memory;
mod options;
mod record;
mod rehearsal;
mod told;

pub use advice::Reply;
/// A request that never became a call, for the record.
pub use bowline_audit::Malformed;
/// Lines that would be remembered.
pub use bowline_call::Proposal;
pub use completion::{Advisor, Prober};
pub use corridor::Corridor;
pub use facts::FactFinder;
pub use memory::{Memory, Wish};
pub use options::Options;
pub use rehearsal::{Foreseen, Supposed};
pub use told::Prompted;
