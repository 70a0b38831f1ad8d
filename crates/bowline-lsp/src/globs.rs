//! The glob patterns of the protocol: `*` stays within one part of a path, `**` crosses them, `{a,b}` and `[!a-z]`.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

/// A pattern, perhaps below a directory. `None` for what is no pattern.
pub(crate) fn compile(pattern: &str, base: Option<&Path>) -> Option<GlobMatcher> {
    let pattern = match base {
        Some(base) => format!("{}/{pattern}", escape(base.to_str()?.trim_end_matches('/'))),
        None => pattern.to_owned(),
    };
    GlobBuilder::new(&pattern)
        .literal_separator(true)
        .empty_alternates(true)
        .build()
        .ok()
        .map(|glob| glob.compile_matcher())
}

pub(crate) fn matches(pattern: &str, base: Option<&Path>, path: &Path) -> bool {
    compile(pattern, base).is_some_and(|glob| glob.is_match(path))
}

/// Text that means itself in a pattern.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '*' | '?' | '[' | ']' | '{' | '}' | '!' => {
                escaped.push('[');
                escaped.push(character);
                escaped.push(']');
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_editors_mean() {
        let fits = |pattern, path: &str| matches(pattern, None, Path::new(path));
        assert!(fits("**/*.{go,mod}", "/w/a/b.go") && fits("**/*.{go,mod}", "/w/go.mod"));
        assert!(!fits("**/*.go", "/w/a.rs") && !fits("/w/*.go", "/w/a/b.go"));
        assert!(matches("**/*.rs", Some(Path::new("/w [1]")), Path::new("/w [1]/src/a.rs")));
        assert!(!matches("**/*.rs", Some(Path::new("/w")), Path::new("/x/a.rs")));
        assert!(!fits("[", "/w/a"));
    }
}
