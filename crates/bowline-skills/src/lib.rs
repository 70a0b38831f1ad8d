//! Agent Skills as a library: what a skill is, where skills come from, and what is wrong with one.
//!
//! It scans only directories that it is given, runs nothing, and knows neither tools nor a gate: names of tools and tables
//! of phases are words here, with the line that each stands in.

mod error;
mod finding;
mod skill;
mod store;

mod allowed;
mod body;
mod bundled;
mod head;
mod name;
mod phases;
mod reading;
mod yaml;

mod disk;
mod embedded;
mod file_system;
mod library;
mod merge;

mod block;
pub mod prompt;
mod validate;

pub use block::{Locations, available_skills};
pub use embedded::{EmbeddedSkill, EmbeddedStore};
pub use error::SkillError;
pub use file_system::FileSystemStore;
pub use finding::Finding;
pub use library::Library;
pub use phases::{PhaseSpec, PhaseTable, Word};
pub use reading::Reading;
pub use skill::{AllowedEntry, AllowedTools, Location, Scope, Skill, Summary, Truncation};
pub use store::{Catalogue, PhasesError, Rejected, Shadowed, Store};
pub use validate::{Report, validate};
