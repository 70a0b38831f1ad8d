//! Protected places that the user opens: globs over paths below a root.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A glob that cannot be understood. It stops the start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlace {
    #[error("an empty pattern names no place")]
    Empty,
    #[error("`{0}` must be relative to a root, such as `.claude/skills/**`, without `..`")]
    NotBelowARoot(String),
    #[error("`{pattern}` is not a glob: {reason}")]
    Glob { pattern: String, reason: String },
}

/// What the user lets be written.
#[derive(Debug, Default)]
pub struct Openings(GlobSet);

impl Openings {
    pub fn new<P: AsRef<str>>(patterns: &[P]) -> Result<Self, BadPlace> {
        let mut set = GlobSetBuilder::new();
        let bad = |pattern: &str, error: &globset::Error| BadPlace::Glob {
            pattern: pattern.to_owned(),
            reason: error.kind().to_string(),
        };
        for pattern in patterns.iter().map(AsRef::as_ref) {
            set.add(Self::parse(pattern)?);
        }
        set.build().map(Self).map_err(|error| bad("write_protected", &error))
    }

    /// Whether one pattern can be understood.
    pub fn check(pattern: &str) -> Result<(), BadPlace> {
        Self::parse(pattern).map(drop)
    }

    fn parse(pattern: &str) -> Result<globset::Glob, BadPlace> {
        if pattern.trim().is_empty() {
            return Err(BadPlace::Empty);
        }
        let is_elsewhere =
            pattern.starts_with(['/', '~', '!']) || pattern.split('/').any(|name| name == "..");
        if is_elsewhere {
            return Err(BadPlace::NotBelowARoot(pattern.to_owned()));
        }
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        glob.map_err(|error| BadPlace::Glob { pattern: pattern.to_owned(), reason: error.kind().to_string() })
    }

    pub(super) fn hold(&self, path: &std::path::Path) -> bool {
        self.0.is_match(path)
    }
}
