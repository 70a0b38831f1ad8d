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

/// What prints how many processors there are: a number, and nothing else.
const COUNTS: &[&str] =
    &["nproc", "nproc --all", "getconf _NPROCESSORS_ONLN", "sysctl -n hw.ncpu", "sysctl -n hw.logicalcpu"];

/// Whether this command prints nothing but how many processors there are.
pub(crate) fn counts_processors(command: &str) -> bool {
    COUNTS.contains(&command)
}

impl Word {
    /// It is a number that is known only when it runs, and becomes neither an option nor several words: `$(nproc)`.
    pub(crate) fn is_count(&self) -> bool {
        let Self::Unknown { start, text, splits: false } = self else { return false };
        let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        let code = bare.strip_prefix("$(").and_then(|code| code.strip_suffix(')'));
        let code = code.or_else(|| bare.strip_prefix('`').and_then(|code| code.strip_suffix('`')));
        start.is_empty() && code.is_some_and(|code| counts_processors(code.trim()))
    }

    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Unknown { .. } => None,
        }
    }
}
