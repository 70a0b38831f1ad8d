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
    expecting = "expected an entry such as \"find_*\" or \"Bash(git:*)\", or a table { tool = \"…\", justification = \"…\", \
                 match = [\"…\"], not_match = [\"…\"] }"
)]
pub enum RuleEntry {
    Pattern(String),
    Table(RuleTable),
}

/// An entry with what belongs to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleTable {
    pub tool: String,
    /// Shown when it bites.
    pub justification: Option<String>,
    /// What it must match: a command, a path, an address or a tool, whichever it is about.
    #[serde(rename = "match", default)]
    pub matches: Vec<String>,
    /// What it must not match.
    #[serde(default)]
    pub not_match: Vec<String>,
}

impl RuleEntry {
    pub fn pattern(&self) -> &str {
        match self {
            Self::Pattern(pattern) => pattern,
            Self::Table(table) => &table.tool,
        }
    }

    pub fn justification(&self) -> Option<&str> {
        match self {
            Self::Pattern(_) => None,
            Self::Table(table) => table.justification.as_deref(),
        }
    }

    /// What it must match, and what it must not.
    pub fn examples(&self) -> (&[String], &[String]) {
        match self {
            Self::Pattern(_) => (&[], &[]),
            Self::Table(table) => (&table.matches, &table.not_match),
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
