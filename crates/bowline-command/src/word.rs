//! One word of a command, after quotes and escapes.

/// One argument, as far as the text tells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Word {
    /// Exactly this.
    Literal(String),
    /// Begins with `start`, which may be empty; the rest is known when it runs.
    Unknown {
        start: String,
        /// As it was written.
        text: String,
        /// It may become several words, or none: it was not quoted.
        splits: bool,
    },
}

impl Word {
    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Unknown { .. } => None,
        }
    }
}
