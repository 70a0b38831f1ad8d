//! Why a skill, or a file of one, cannot be had. Each has a code that clients know.

/// Why it cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkillError {
    /// The caller can mend it: another name.
    #[error("there is no skill `{name}`")]
    NotFound { name: String },
    /// The caller can mend it: a path of the form `references/NAME`.
    #[error("`{path}` is not a path of the form `scripts/NAME`, `references/NAME` or `assets/NAME`")]
    InvalidPath { path: String },
    #[error("the skill `{name}` has no file `{path}`")]
    FileNotFound { name: String, path: String },
    #[error("`{path}` is larger than {max_bytes} bytes")]
    TooLarge { path: String, max_bytes: usize },
    /// The caller can mend it: an empty name, a path with a NUL byte.
    #[error("{0}")]
    BadArgument(String),
    /// It is there, and is not had all the same. The author of the skill can mend it.
    #[error("the skill `{name}` is rejected: {why}")]
    Rejected { name: String, why: String },
    /// Whoever keeps the disk can mend it.
    #[error("{0}")]
    Unreadable(String),
}

impl SkillError {
    /// The word for machines.
    pub fn code(&self) -> &'static str {
        match self {
            // Whoever asks gets neither, and can do as little about the one as about the other.
            Self::NotFound { .. } | Self::Rejected { .. } => "SKILL_NOT_FOUND",
            Self::InvalidPath { .. } => "INVALID_PATH",
            Self::FileNotFound { .. } => "FILE_NOT_FOUND",
            Self::TooLarge { .. } => "FILE_TOO_LARGE",
            Self::BadArgument(_) => "ARGUMENT_ERROR",
            Self::Unreadable(_) => "INTERNAL_ERROR",
        }
    }
}
