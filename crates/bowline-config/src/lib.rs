//! Files, layers and environment, composed into the options that each room owns.
//!
//! This is the only room that reads the environment or looks for configuration files. What it hands on are values.

pub mod environment;
mod file;
mod lint;
mod profiles;
mod remembered;
mod servers;
mod settings;
mod skills;

pub use environment::Environment;
pub use file::ConfigError;
pub use lint::{Lint, Whose, lint};
pub use profiles::ProfileSettings;
pub use remembered::UserMemory;
pub use servers::{ServerFlags, names_server};
pub use settings::{Files, Flags, Settings};
pub use skills::SkillSettings;
