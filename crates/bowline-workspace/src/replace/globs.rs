//! Which files are meant: globs over paths below a root, or below the directory that is looked in.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

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
        for glob in parse(glob)? {
            set.add(glob);
        }
    }
    build(&set, &globs.join(", "))
}

/// One glob as all tools read it: a name alone is meant wherever it stands, a directory means what is in it, and one that
/// could never match is refused.
fn parse(glob: &str) -> Result<[Glob; 2], ReplaceError> {
    let odd = |reason| Err(ReplaceError::OddGlob { glob: glob.to_owned(), reason });
    if glob.starts_with('!') {
        return odd(
            "a leading `!` is not understood; name the files themselves, in the include or the exclude globs",
        );
    }
    if glob.split('/').any(|name| name == "..") {
        return odd("globs are below a root, without `..`");
    }
    let plain = glob.strip_prefix("./").unwrap_or(glob);
    if plain.trim_matches('/').is_empty() {
        return odd("it names nothing; `**` is everything");
    }
    let anchored =
        if plain.trim_end_matches('/').contains('/') { plain.to_owned() } else { format!("**/{plain}") };
    let anchored = anchored.trim_start_matches('/').trim_end_matches('/');
    let read = |text: &str| {
        let built = GlobBuilder::new(text).literal_separator(true).build();
        built.map_err(|error| ReplaceError::BadGlob {
            glob: glob.to_owned(),
            reason: error.kind().to_string(),
        })
    };
    Ok([read(anchored)?, read(&format!("{anchored}/**"))?])
}

fn build(set: &GlobSetBuilder, glob: &str) -> Result<GlobSet, ReplaceError> {
    set.build()
        .map_err(|error| ReplaceError::BadGlob { glob: glob.to_owned(), reason: error.kind().to_string() })
}

/// Globs one by one, for those who tell which of them matched.
#[derive(Debug, Clone, Default)]
pub struct FileGlobs(Vec<(String, GlobSet)>);

impl FileGlobs {
    pub fn new(globs: &[String]) -> Result<Self, ReplaceError> {
        let one = |glob: &String| Ok((glob.clone(), read(std::slice::from_ref(glob))?));
        globs.iter().map(one).collect::<Result<_, _>>().map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By its path below a root, or by its whole path.
    pub fn hold(&self, roots: &[PathBuf], path: &Path) -> bool {
        self.0.iter().any(|(_, set)| matches(set, roots, path))
    }

    /// Those that match none of these.
    pub fn idle<'a>(&'a self, roots: &'a [PathBuf], paths: &'a [PathBuf]) -> impl Iterator<Item = &'a str> {
        let is_idle = move |set: &GlobSet| !paths.iter().any(|path| matches(set, roots, path));
        self.0.iter().filter(move |(_, set)| is_idle(set)).map(|(glob, _)| glob.as_str())
    }
}

fn matches(set: &GlobSet, roots: &[PathBuf], path: &Path) -> bool {
    let inside = roots.iter().filter_map(|root| path.strip_prefix(root).ok());
    // A whole path is written with its slash, and the slash at the start of a glob is the root's.
    let whole = path.strip_prefix("/").unwrap_or(path);
    inside.chain([whole]).any(|path| set.is_match(path))
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

    #[test]
    fn a_glob_that_could_never_match_is_refused() {
        for glob in ["!src/*.rs", "../**", "a/../b", "", "/", "./"] {
            let refused = Globs::new(&[glob.to_owned()], &[]);
            assert!(matches!(refused, Err(ReplaceError::OddGlob { .. })), "{glob}");
            assert!(FileGlobs::new(&[glob.to_owned()]).is_err(), "{glob}");
        }
        assert!(Globs::new(&["a..b".to_owned(), "...".to_owned()], &[]).is_ok());
    }

    #[test]
    fn a_glob_alone_tells_whether_it_matched() {
        let roots = [PathBuf::from("/project")];
        let paths = [PathBuf::from("/project/rope/rope.go"), PathBuf::from("/project/main.go")];
        for glob in ["rope/", "rope", "./rope/*.go", "rope/**", "/project/rope/*.go", "rope/*"] {
            let globs = FileGlobs::new(&[glob.to_owned()]).unwrap();
            assert!(globs.hold(&roots, &paths[0]) && !globs.hold(&roots, &paths[1]), "{glob}");
            assert_eq!(globs.idle(&roots, &paths).count(), 0, "{glob}");
        }
        let globs = FileGlobs::new(&["main.go".into(), "ROPE".into()]).unwrap();
        assert_eq!(globs.idle(&roots, &paths).collect::<Vec<_>>(), ["ROPE"]);
    }
}
