//! What a compiler or a language server has to say about a piece of code.

use serde::{Deserialize, Serialize};

use crate::{Location, Span};

/// How bad it is. Worse is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Hint,
    Information,
    Warning,
    Error,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The number that the language server protocol gives it.
    pub fn number(self) -> u8 {
        match self {
            Self::Error => 1,
            Self::Warning => 2,
            Self::Information => 3,
            Self::Hint => 4,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    pub span: Span,
    pub severity: Severity,
    /// The name of the rule, as its source writes it.
    pub code: Option<String>,
    /// Who found it: `compiler`, `rustc`, `Pyright`.
    pub source: Option<String>,
    pub message: String,
    pub related: Vec<Related>,
}

/// Another place that a diagnostic speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Related {
    pub location: Location,
    pub message: String,
}
