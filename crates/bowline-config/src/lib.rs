//! Files, layers and environment, composed into the options that each room owns.
//!
//! This is the only room that reads the environment or looks for configuration files. What it hands on are values.

pub mod environment;
mod file;
mod settings;

pub use environment::Environment;
pub use file::{ConfigError, ConfigFile, ProjectFile, UserFile};
pub use settings::{Flags, Settings};
