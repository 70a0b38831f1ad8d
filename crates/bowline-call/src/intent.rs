//! What a call, with these very arguments, would do. The gate judges intents, never names alone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How far a call reaches, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Looks, and leaves everything as it was.
    Read,
    /// Changes what bowline itself holds, and nothing of the project.
    Draft,
    /// Changes files.
    Write,
    /// Runs programs, which may do anything.
    Run,
}

impl Effect {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Draft => "draft",
            Self::Write => "write",
            Self::Run => "run",
        }
    }
}

/// One thing that a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A path as the caller wrote it. Where it leads is a fact of the world, gathered by the corridor.
    Path(PathBuf),
    Command(String),
    Address(String),
}

/// Everything that a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Targets {
    Known(Vec<Target>),
    /// The arguments cannot tell: it counts as everything under the roots.
    Unknown,
}

/// What a call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    pub effect: Effect,
    pub targets: Targets,
}

impl Intent {
    pub fn new(effect: Effect, targets: impl IntoIterator<Item = Target>) -> Self {
        Self { effect, targets: Targets::Known(targets.into_iter().collect()) }
    }

    /// Reads one file.
    pub fn read(path: impl Into<PathBuf>) -> Self {
        Self::new(Effect::Read, [Target::Path(path.into())])
    }

    /// Reads anything under the roots.
    pub fn read_workspace() -> Self {
        Self { effect: Effect::Read, targets: Targets::Unknown }
    }

    /// Writes these files.
    pub fn write<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self::new(Effect::Write, paths.into_iter().map(|path| Target::Path(path.into())))
    }

    /// The commands it names.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let known = match &self.targets {
            Targets::Known(targets) => targets.as_slice(),
            Targets::Unknown => &[],
        };
        known.iter().filter_map(|target| match target {
            Target::Command(command) => Some(command.as_str()),
            Target::Path(_) | Target::Address(_) => None,
        })
    }

    /// The paths it names, as written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let known = match &self.targets {
            Targets::Known(targets) => targets.as_slice(),
            Targets::Unknown => &[],
        };
        known.iter().filter_map(|target| match target {
            Target::Path(path) => Some(path.as_path()),
            Target::Command(_) | Target::Address(_) => None,
        })
    }
}
