//! What is left of a path pattern after its literal beginning, compared part by part.

use std::path::{Component, Path};
use std::sync::OnceLock;

use globset::{GlobBuilder, GlobMatcher};

use crate::pattern::stars;

/// The rest of a pattern. Whatever it means, it means with everything below.
#[derive(Debug)]
pub(super) enum Tail {
    /// Everything there.
    All,
    Parts(Vec<Part>),
    /// It has more than stars: a glob over the whole path, compiled when it is needed.
    Glob {
        text: String,
        compiled: OnceLock<Option<GlobMatcher>>,
    },
}

#[derive(Debug)]
pub(super) enum Part {
    Name(String),
    /// Stars in a name.
    Stars(String),
    /// `**`: any directories, or none.
    Any,
}

impl Tail {
    /// `start` is the directory that it follows, as a glob.
    pub(super) fn parse(start: &str, parts: &[&str]) -> Result<Self, String> {
        if parts.is_empty() || parts == ["**"] {
            return Ok(Self::All);
        }
        let has_signs = |part: &&str| {
            part.contains(['?', '[', ']', '{', '}', '\\']) || (part.contains("**") && *part != "**")
        };
        if parts.iter().any(has_signs) {
            let text = format!("{start}/{}{{,/**}}", parts.join("/"));
            // It is built here to see that it can be, and compiled when a path comes along.
            built(&text)?;
            return Ok(Self::Glob { text, compiled: OnceLock::new() });
        }
        let part = |part: &&str| match *part {
            "**" => Part::Any,
            part if part.contains('*') => Part::Stars(part.to_owned()),
            part => Part::Name(part.to_owned()),
        };
        Ok(Self::Parts(parts.iter().map(part).collect()))
    }

    /// Whether it means this path, which lies below the beginning: `rest` is what follows that.
    pub(super) fn holds(&self, path: &Path, rest: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Parts(parts) => fits(parts, rest),
            Self::Glob { text, compiled } => {
                let glob = compiled.get_or_init(|| built(text).ok().map(|glob| glob.compile_matcher()));
                glob.as_ref().is_some_and(|glob| glob.is_match(path))
            }
        }
    }
}

fn built(text: &str) -> Result<globset::Glob, String> {
    let glob = GlobBuilder::new(text).literal_separator(true).empty_alternates(true).build();
    glob.map_err(|error| format!("it is not a glob: {}", error.kind()))
}

/// Whether the first names of a path are those that the parts want.
fn fits(parts: &[Part], rest: &Path) -> bool {
    // Which parts the names so far may have come to.
    let mut reached = vec![false; parts.len() + 1];
    reached[0] = true;
    pass(parts, &mut reached);
    for name in rest.components() {
        let Component::Normal(name) = name else { return false };
        let name = name.to_string_lossy();
        let mut next = vec![false; parts.len() + 1];
        for (at, part) in parts.iter().enumerate().filter(|(at, _)| reached[*at]) {
            match part {
                Part::Any => {
                    next[at] = true;
                    next[at + 1] |= at + 1 == parts.len();
                }
                Part::Name(wanted) => next[at + 1] |= *name == **wanted,
                Part::Stars(pattern) => next[at + 1] |= stars(pattern, &name),
            }
        }
        pass(parts, &mut next);
        if next[parts.len()] {
            return true;
        }
        reached = next;
    }
    false
}

/// `**` may be no directory at all, but for the last: that is something below.
fn pass(parts: &[Part], reached: &mut [bool]) {
    for (at, part) in parts.iter().enumerate() {
        if matches!(part, Part::Any) && at + 1 < parts.len() {
            reached[at + 1] |= reached[at];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_mean_what_the_glob_means() {
        let patterns = [
            "**/prot/**",
            "*.pem",
            "**/*.pem",
            "a/**/b",
            "**/a/*/c",
            "*",
            "a*b/**",
            "**/**/x",
            "a/b",
            "**/a",
        ];
        let paths = [
            "prot",
            "prot/x",
            "a/prot",
            "a/prot/x/y",
            "x.pem",
            "d/x.pem",
            "a/b",
            "a/x/b",
            "a/x/y/b/z",
            "ab/c",
            "x",
        ];
        for pattern in patterns {
            let parts: Vec<&str> = pattern.split('/').collect();
            let tail = Tail::parse("", &parts).unwrap();
            assert!(matches!(tail, Tail::Parts(_)), "{pattern}");
            let glob = built(&format!("/{pattern}{{,/**}}")).unwrap().compile_matcher();
            for path in paths {
                let whole = Path::new("/").join(path);
                assert_eq!(tail.holds(&whole, Path::new(path)), glob.is_match(&whole), "{pattern} / {path}");
            }
        }
    }
}
