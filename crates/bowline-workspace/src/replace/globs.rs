//! Which files are meant: globs over paths below a root, or below the directory that is looked in.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::ReplaceError;

/// `None`: nothing was said.
#[derive(Debug)]
pub(super) struct Globs {
    include: Option<GlobSet>,
    exclude: Option<GlobSet>,
}

impl Globs {
    pub(super) fn new(include: &[String], exclude: &[String]) -> Result<Self, ReplaceError> {
        let set = |globs: &[String]| if globs.is_empty() { Ok(None) } else { read(globs).map(Some) };
        Ok(Self { include: set(include)?, exclude: set(exclude)? })
    }

    /// `paths` are those of one file: each counts.
    pub(super) fn take(&self, paths: &[&Path]) -> bool {
        let any = |set: &GlobSet| paths.iter().any(|path| set.is_match(path));
        self.include.as_ref().is_none_or(any) && !self.exclude.as_ref().is_some_and(any)
    }
}

fn read(globs: &[String]) -> Result<GlobSet, ReplaceError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let bad = |error: globset::Error| ReplaceError::BadGlob {
            glob: glob.clone(),
            reason: error.kind().to_string(),
        };
        let plain = glob.strip_prefix("./").unwrap_or(glob);
        // A name alone is meant wherever it stands; a directory means what is in it.
        let anchored =
            if plain.trim_end_matches('/').contains('/') { plain.to_owned() } else { format!("**/{plain}") };
        let anchored = anchored.trim_start_matches('/').trim_end_matches('/');
        for glob in [anchored.to_owned(), format!("{anchored}/**")] {
            set.add(GlobBuilder::new(&glob).literal_separator(true).build().map_err(bad)?);
        }
    }
    set.build()
        .map_err(|error| ReplaceError::BadGlob { glob: globs.join(", "), reason: error.kind().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(include: &[&str], exclude: &[&str], path: &str) -> bool {
        let list = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        Globs::new(&list(include), &list(exclude)).unwrap().take(&[Path::new(path)])
    }

    #[test]
    fn stars_stay_in_a_name_and_two_go_through_directories() {
        for (glob, path, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "src/deep/a.rs", true),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("src/**/*.rs", "src/a.rs", true),
            ("src/**/*.rs", "src/deep/er/a.rs", true),
            ("**/test/**", "a/test/b/c.rs", true),
            ("src", "src/deep/a.rs", true),
            ("src/", "src/deep/a.rs", true),
            ("/src/deep", "src/deep/a.rs", true),
            ("{a,b}.{rs,go}", "x/b.go", true),
            ("*.rs", "a.rss", false),
        ] {
            assert_eq!(takes(&[glob], &[], path), expected, "{glob} {path}");
            assert_eq!(takes(&[], &[glob], path), !expected, "not {glob} {path}");
        }
        assert!(takes(&[], &[], "any"));
        assert!(!takes(&["*.rs"], &["a.*"], "a.rs"));
    }

    #[test]
    fn what_is_no_glob_is_an_error() {
        assert!(matches!(Globs::new(&["a[b".to_owned()], &[]), Err(ReplaceError::BadGlob { .. })));
    }
}
