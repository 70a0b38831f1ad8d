//! What a skill is: what its head says, and what was loaded of it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use crate::Finding;

/// Whose skill it is. A project's shadows a user's, a user's shadows one that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    Project,
    User,
    BuiltIn,
}

/// Where a skill is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// The absolute path of its `SKILL.md`.
    File(PathBuf),
    /// In the program itself.
    Embedded,
}

/// One entry of `allowed-tools`: `Read`, `mcp__memory__*`, `Bash(git:*)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct AllowedEntry {
    /// The name or glob before any parenthesis.
    pub tool: String,
    /// What stands between the parentheses.
    pub scope: Option<String>,
}

impl fmt::Display for AllowedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scope {
            Some(scope) => write!(f, "{}({scope})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

/// `allowed-tools` as it was written, and as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AllowedTools {
    pub raw: String,
    pub entries: Vec<AllowedEntry>,
}

/// What the head of a skill says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub name: String,
    pub description: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    /// None where the key is absent; no entries where it is there and empty.
    pub allowed_tools: Option<AllowedTools>,
    /// Text to text. Where lenient reading met something else it is written as text. An `argument-hint` that stands
    /// beside `metadata`, as on other hosts, is here too.
    pub metadata: BTreeMap<String, String>,
    /// Whether it brings a table of phases. Whether that can be relied on is another question.
    pub has_phases: bool,
    pub scope: Scope,
    pub location: Location,
}

/// How much of a body is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truncation {
    pub kept_bytes: usize,
    pub total_bytes: u64,
}

/// A skill whose body was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    pub summary: Summary,
    /// What follows the head, at most as many bytes as were asked for.
    pub body: String,
    pub truncated: Option<Truncation>,
    /// Files below `scripts/`, `references/` and `assets/`, one level deep, in the order of the alphabet.
    pub files: Vec<String>,
    /// What is doubtful about it.
    pub warnings: Vec<Finding>,
}
