//! Agent Skills as a library: what a skill is, where skills come from, and what is wrong with one.
//!
//! It scans only directories that it is given, runs nothing, and knows neither tools nor a gate: names of tools and tables
//! of phases are words here, with the line that each stands in.

mod error;
mod finding;
mod phases;
mod skill;
mod store;

pub use error::SkillError;
pub use finding::Finding;
pub use phases::{PhaseSpec, PhaseTable, Word};
pub use skill::{AllowedEntry, AllowedTools, Location, Scope, Skill, Summary, Truncation};
pub use store::{Catalogue, PhasesError, Rejected, Shadowed, Store};
