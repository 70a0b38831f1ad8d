//! What is wrong, or doubtful, with a skill: one sentence, and the line that it is about.

use std::fmt;

use serde::Serialize;

/// One thing to mend. Whether it is an error or a warning is told by the list it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The file it is in, relative to the skill's directory: `SKILL.md`, `phases.yaml`.
    pub file: String,
    /// From 1. None where it is about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    pub message: String,
}

impl Finding {
    pub(crate) fn new(file: &str, line: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: line.into(), message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
