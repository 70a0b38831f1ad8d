//! Patterns over names, compared without being compiled: most have stars and nothing else.

use globset::GlobMatcher;

use super::{BadPattern, glob};

/// How a pattern over names is compared with one.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// It is the name.
    Exact,
    /// Stars mean anything, the rest means itself.
    Stars,
    /// It has more than stars.
    Glob(Box<GlobMatcher>),
}

impl Shape {
    pub(crate) fn of(pattern: &str) -> Result<Self, BadPattern> {
        Ok(if pattern.contains(['?', '[', ']', '{', '}', '\\']) {
            Self::Glob(Box::new(glob(pattern)?.compile_matcher()))
        } else if pattern.contains('*') {
            Self::Stars
        } else {
            Self::Exact
        })
    }

    pub(crate) fn is(&self, pattern: &str, name: &str) -> bool {
        match self {
            Self::Exact => pattern == name,
            Self::Stars => stars(pattern, name),
            Self::Glob(glob) => glob.is_match(name),
        }
    }
}

/// Whether a text fits a pattern in which stars mean anything, and the rest means itself.
pub(crate) fn stars(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut text) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return text.is_empty() };
    for part in parts {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.len() >= last.len() && text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_mean_what_globs_mean() {
        let patterns = ["a*", "*a", "a*b*c", "**", "*", "a", "a**b", "*a*", "x_*_y", ""];
        let names = ["a", "ab", "abc", "aXbYc", "", "x__y", "x_1_y", "ba", "bab", "acb"];
        for pattern in patterns {
            let compiled = globset::Glob::new(pattern).unwrap().compile_matcher();
            for name in names {
                assert_eq!(stars(pattern, name), compiled.is_match(name), "{pattern} / {name}");
            }
        }
    }
}
