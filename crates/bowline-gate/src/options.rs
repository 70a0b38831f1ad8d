//! The rules as a person writes them in `bowline.toml`.

use serde::Deserialize;

/// What happens to a call that no entry names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    Allow,
    Ask,
    Deny,
}

/// A tool pattern, with or without a reason that is shown when it bites.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a tool pattern such as \"find_*\", or a table { tool = \"…\", justification = \"…\" }"
)]
pub enum RuleEntry {
    Pattern(String),
    Justified { tool: String, justification: String },
}

impl RuleEntry {
    pub fn pattern(&self) -> &str {
        match self {
            Self::Pattern(pattern) | Self::Justified { tool: pattern, .. } => pattern,
        }
    }

    pub fn justification(&self) -> Option<&str> {
        match self {
            Self::Pattern(_) => None,
            Self::Justified { justification, .. } => Some(justification),
        }
    }
}

/// `[rules]`. Deny beats ask beats allow; how specific a pattern is does not matter.
///
/// Whoever reads the file may wrap the entries and the globs, to remember where each was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "E: Deserialize<'de>, G: Deserialize<'de>"))]
pub struct RulesOptions<E = RuleEntry, G = String> {
    #[serde(default = "Vec::new")]
    pub allow: Vec<E>,
    #[serde(default = "Vec::new")]
    pub ask: Vec<E>,
    #[serde(default = "Vec::new")]
    pub deny: Vec<E>,
    /// For calls that no entry names. Left out, reading and drafting are allowed, the rest is asked.
    #[serde(default)]
    pub default: Option<Decision>,
    /// Protected places that may be written after all: globs over paths below a root. The user's own file only.
    #[serde(default = "Vec::new")]
    pub write_protected: Vec<G>,
}

impl<E, G> Default for RulesOptions<E, G> {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            ask: Vec::new(),
            deny: Vec::new(),
            default: None,
            write_protected: Vec::new(),
        }
    }
}
