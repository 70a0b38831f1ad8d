//! Where skills come from.

use std::path::PathBuf;
use std::sync::Arc;

use crate::{Finding, PhaseTable, Scope, Skill, SkillError, Summary};

/// A skill that is hidden by one of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadowed {
    pub name: String,
    pub scope: Scope,
    /// Where the hidden one is: a path, or `built in`.
    pub hidden: String,
    /// Where the one is that is used.
    pub by: String,
}

/// Something that looked like a skill, or a root that cannot be read, and why it is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// The directory, or the root.
    pub place: String,
    pub findings: Vec<Finding>,
}

/// Everything that a store knows of, and what it left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The directories that were looked into.
    pub roots: Vec<PathBuf>,
    /// In the order of their names.
    pub skills: Vec<Arc<Summary>>,
    pub shadowed: Vec<Shadowed>,
    pub rejected: Vec<Rejected>,
    /// What is doubtful about skills that are listed all the same: where, and what.
    pub warnings: Vec<(String, Finding)>,
}

/// Where skills come from. All of it may block on the disk.
pub trait Store: Send + Sync {
    /// What there is. One bad skill never hides the others.
    fn list(&self) -> Catalogue;

    /// A skill with at most so many bytes of its body. The name is compared exactly, after trimming.
    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError>;

    /// The text of a bundled file.
    fn read_file(&self, name: &str, path: &str, max_bytes: usize) -> Result<String, SkillError>;

    /// The skill's table of phases, where it has one. `Err` has what is wrong with the table's form.
    fn phases(&self, name: &str) -> Result<Option<PhaseTable>, PhasesError>;

    /// What the head of a skill says.
    fn summary(&self, name: &str) -> Result<Summary, SkillError> {
        self.load(name, 1).map(|skill| skill.summary)
    }

    /// Whether [`Self::list`] took no time worth mentioning when it was last asked, and depends on no other machine: then it
    /// may be asked where waiting is not allowed.
    fn is_quick(&self) -> bool {
        false
    }

    /// The names of its built-in skills, which no project may take.
    fn reserved(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why there is no table of phases to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PhasesError {
    #[error(transparent)]
    Skill(#[from] SkillError),
    #[error("the table of phases cannot be read: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Table(Vec<Finding>),
}
