//! What is remembered of each call, and who writes it down; and how it is read back.
//!
//! The trail is one JSON object per line, appended by any number of processes to one file. Each writer chains its own
//! records by their hashes, so that a changed, missing or misplaced line shows. Why a call was allowed is not known
//! here: verdicts and rules arrive as words.

mod audit;
mod chain;
mod error;
mod health;
mod keep;
mod names;
mod options;
mod queue;
pub mod read;
mod record;
mod redact;
mod skills;

pub use audit::{Audit, Closing, Malformed, OpenRecord, Opening};
pub use error::AuditError;
pub use health::Health;
pub use options::Options;
pub use record::{Event, NetDelta, Record, RecordedOrigin};
pub use redact::redact;
pub use skills::{
    AllowedToolsPolicy, Discovery, RecordedDiscovery, Rejection, Shadowing, SkillEvent, SkillNews,
};
