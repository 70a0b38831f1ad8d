//! A table of phases as its author wrote it: words, each with its line. What they mean is the gate's business.

use serde::{Deserialize, Serialize};

mod read;

pub(crate) use read::{MOST_BYTES, of};

/// A word of a table and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    pub text: String,
    /// From 1, in the file that the table is in.
    pub line: usize,
}

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseSpec {
    pub name: Word,
    pub description: String,
    pub allowed: Vec<Word>,
    pub forbidden: Vec<Word>,
    /// What completes it. Without it, a call that it allows does.
    pub complete_when: Option<Vec<Word>>,
    /// Whether a later phase may open before this one is complete.
    pub skippable: bool,
}

/// The steps in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTable {
    /// The file that it is in, relative to the skill's directory.
    pub file: String,
    pub phases: Vec<PhaseSpec>,
    /// Never allowed while the skill is active.
    pub global_forbidden: Vec<Word>,
}
