//! Completion: what must hold before an agent may say that it is done.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::{Ledger, RuleFailed};

/// Says whether the work is done. Pure: what it needs to know of the world it names beforehand.
pub trait CompletionChecker: Send + Sync {
    /// An error means that it is not done.
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed>;

    /// What must be found out before it can be asked.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }
}

/// What a checker needs to know of the world.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Whether this file exists, below a root.
    File(PathBuf),
    /// How this command ends.
    Command(CommandNeed),
}

/// A command line, and how long it may take.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandNeed {
    pub line: String,
    pub timeout: Duration,
}

/// What was found out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub(crate) files: BTreeMap<PathBuf, bool>,
    pub(crate) commands: BTreeMap<CommandNeed, CommandEnd>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandEnd {
    /// It exited with code 0, within its time.
    pub well: bool,
    /// How, in words: `exited with code 1`.
    pub how: String,
    /// The last lines of what it printed.
    pub tail: String,
}

impl Found {
    pub fn add_file(&mut self, path: PathBuf, exists: bool) {
        self.files.insert(path, exists);
    }

    pub fn add_command(&mut self, need: CommandNeed, end: CommandEnd) {
        self.commands.insert(need, end);
    }

    /// None if nobody has looked.
    pub fn file(&self, path: &Path) -> Option<bool> {
        self.files.get(path).copied()
    }

    /// None if nobody has run it.
    pub fn command(&self, need: &CommandNeed) -> Option<&CommandEnd> {
        self.commands.get(need)
    }

    /// The files that are there.
    pub(super) fn existing(&self) -> BTreeSet<&Path> {
        self.files.iter().filter(|(_, exists)| **exists).map(|(path, _)| path.as_path()).collect()
    }
}

/// All that a checker may look at.
#[derive(Debug, Clone, Copy)]
pub struct CompletionContext<'a> {
    /// The profile that it is a part of.
    pub prompt_name: &'a str,
    pub ledger: &'a Ledger,
    pub now: SystemTime,
    /// What the agent is about to answer, where it says so.
    pub tentative_output: Option<&'a str>,
    /// Why it stops, where a surface says so.
    pub stop_reason: Option<&'a str>,
    pub found: &'a Found,
}

/// What a checker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionResult {
    pub complete: bool,
    pub feedback: Option<String>,
}

impl CompletionResult {
    pub fn ok() -> Self {
        Self { complete: true, feedback: None }
    }

    pub fn incomplete(feedback: impl Into<String>) -> Self {
        Self { complete: false, feedback: Some(feedback.into()) }
    }
}

/// An agent that wants to end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stopping {
    pub tentative_output: Option<String>,
    pub reason: Option<String>,
}

/// Whether it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub complete: bool,
    /// What is left to do.
    pub feedback: Option<String>,
    /// Why nobody has looked: `deadline` or `budget`.
    pub skipped: Option<&'static str>,
}
