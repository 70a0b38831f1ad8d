//! Decide and observe: may this call run, and what was learned from it.
//!
//! State in, verdict out. There is no IO, no async and no clock in this room: what a rule needs to know of the
//! world arrives as [`Facts`], what it needs to remember is the [`Ledger`]. How a call is run or recorded is not
//! known here either.

mod addresses;
mod facts;
mod gate;
mod guidance;
mod host;
mod ledger;
mod options;
mod pattern;
mod protected;
mod roots;
mod verdict;

pub use addresses::Addresses;
pub use facts::{Facts, Maker, PathFact, PathKind};
pub use gate::{Asked, Gate, Rule, RuleFailed};
pub use guidance::{AllowedToolsMode, Guidance, InvalidAllowlist, Mode};
pub use host::{HostRules, Layer};
pub use ledger::{Ledger, LedgerEntry};
pub use options::{Decision, RuleEntry, RulesOptions};
pub use pattern::{BadPattern, ToolPattern};
pub use protected::{BadPlace, Openings, Protected, generated_mark};
pub use roots::Roots;
pub use verdict::{Objection, Verdict};
