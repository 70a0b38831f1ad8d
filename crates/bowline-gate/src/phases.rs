//! Phases of a skill: a workflow whose order is kept.
//!
//! A [`Table`] is what a skill's author wrote, understood and proved; [`At`] is where a conversation stands in it. The table
//! says what a call gets ([`Ruling`]) and where the conversation stands after one that succeeded. Everything else here only
//! carries that to the gate and tells people about it.

mod active;
mod known;
mod pattern;
mod prove;
mod recovery;
mod rule;
mod table;
mod walk;

pub use active::{ActiveSkill, NotActivated, Status};
pub(crate) use known::KnownTool;
pub use known::KnownTools;
pub use pattern::{CallPattern, Occasion};
pub use prove::{Proof, prove};
pub use rule::Phases;
pub(crate) use rule::place;
pub use table::{Phase, Table};
pub use walk::{At, Ruling, Violation};
