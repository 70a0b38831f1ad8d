//! `src/**`, `/x`, `~/x`, `//x`: patterns over paths, as in `.gitignore`.

mod tail;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::Match;
use super::command::Reading;
use tail::Tail;

/// Whether the rest need not be looked at.
pub(crate) type Enough = std::ops::ControlFlow<()>;

/// What the beginnings of patterns mean.
#[derive(Debug, Clone, Default)]
pub struct Bases {
    /// `x` and `./x` start here.
    pub roots: Vec<PathBuf>,
    /// `/x` starts here: where the rules are for.
    pub sources: Vec<PathBuf>,
    pub home: Option<PathBuf>,
}

/// One way to lie within a pattern.
#[derive(Debug)]
struct Shape {
    /// All that it means lies here.
    within: PathBuf,
    /// Some part of every path that it means, where it may lie anywhere.
    part: Option<String>,
    tail: Tail,
    owner: usize,
}

/// Many patterns, of which few are looked at for each path.
#[derive(Debug, Default)]
pub(crate) struct PathPatterns {
    shapes: Vec<Shape>,
    /// By the directory that they start from, where that is not the root.
    within: HashMap<OsString, Vec<usize>>,
    /// The same, in their order: for what means all of a directory.
    below: BTreeMap<PathBuf, Vec<usize>>,
    parts: HashMap<String, Vec<usize>>,
    anywhere: Vec<usize>,
    /// Those that start from the root, which may mean a file in any directory.
    rooted: Vec<usize>,
    /// Two ways to write the letters of a name mean one file.
    is_broad: bool,
}

impl PathPatterns {
    /// Adds the pattern of an entry. `Err` says what is wrong with it.
    pub(crate) fn add(
        &mut self,
        owner: usize,
        text: &str,
        bases: &Bases,
        reading: Reading,
    ) -> Result<(), String> {
        self.is_broad = reading == Reading::Denying;
        let text = if self.is_broad { composed(text) } else { Cow::Borrowed(text) };
        for (base, tail) in starts(&text, bases, reading)? {
            let index = self.shapes.len();
            let shape = shape(&base, &tail, owner)?;
            if shape.within == Path::new("/") {
                self.rooted.push(index);
                match &shape.part {
                    Some(part) => self.parts.entry(part.clone()).or_default(),
                    None => &mut self.anywhere,
                }
                .push(index);
            } else {
                self.within.entry(shape.within.clone().into()).or_default().push(index);
                self.below.entry(shape.within.clone()).or_default().push(index);
            }
            self.shapes.push(shape);
        }
        Ok(())
    }

    /// The entries that mean this path. `is_deep`: everything below it is meant too. It ends when `each` says that it is enough.
    pub(crate) fn owners(&self, path: &Path, is_deep: bool, mut each: impl FnMut(usize, Match) -> Enough) {
        if self.shapes.is_empty() {
            return;
        }
        let path = tidy(path);
        let path = match path.to_str() {
            Some(text) if self.is_broad => Cow::Owned(PathBuf::from(composed(text).into_owned())),
            _ => path,
        };
        let _ = self.owners_of(&path, is_deep, &mut each);
    }

    fn owners_of(&self, path: &Path, is_deep: bool, each: &mut impl FnMut(usize, Match) -> Enough) -> Enough {
        let mut look = |indexes: Option<&Vec<usize>>| {
            for shape in indexes.into_iter().flatten().map(|index| &self.shapes[*index]) {
                if shape.holds(path) {
                    each(shape.owner, Match::Yes)?;
                }
            }
            Enough::Continue(())
        };
        if !self.within.is_empty() {
            for above in path.ancestors() {
                look(self.within.get(above.as_os_str()))?;
            }
        }
        if !self.parts.is_empty() {
            for part in path.components() {
                look(part.as_os_str().to_str().and_then(|part| self.parts.get(part)))?;
            }
        }
        look(Some(&self.anywhere))?;
        if !is_deep {
            return Enough::Continue(());
        }
        // Whoever means a whole directory means what a pattern protects in it.
        for index in &self.rooted {
            each(self.shapes[*index].owner, Match::Maybe)?;
        }
        let after = (Bound::Excluded(path), Bound::Unbounded);
        for (_, indexes) in
            self.below.range::<Path, _>(after).take_while(|(within, _)| within.starts_with(path))
        {
            for index in indexes {
                each(self.shapes[*index].owner, Match::Yes)?;
            }
        }
        Enough::Continue(())
    }

    /// Whether an entry means this path, or may mean something below it.
    pub(crate) fn speaks_of(&self, path: &Path, is_deep: bool) -> bool {
        let mut found = false;
        self.owners(path, is_deep, |_, _| {
            found = true;
            Enough::Break(())
        });
        found
    }

    /// The first entry of those that there are.
    pub(crate) fn owner_where(&self, mut counts: impl FnMut(usize) -> bool) -> Option<usize> {
        self.shapes.iter().map(|shape| shape.owner).filter(|owner| counts(*owner)).min()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The first entry that means a path, and everything below it.
    pub(crate) fn covering(&self, path: &Path, mut counts: impl FnMut(usize) -> bool) -> Option<usize> {
        let mut covering: Option<usize> = None;
        // A pattern that means a directory means all that is in it.
        self.owners(path, false, |owner, found| {
            if found == Match::Yes && counts(owner) {
                covering = Some(covering.map_or(owner, |known| known.min(owner)));
            }
            Enough::Continue(())
        });
        covering
    }
}

impl Shape {
    fn holds(&self, path: &Path) -> bool {
        path.strip_prefix(&self.within).is_ok_and(|rest| self.tail.holds(path, rest))
    }
}

/// Without doubled slashes and the like: directories are looked up by their text.
fn tidy(path: &Path) -> Cow<'_, Path> {
    let text = path.as_os_str().as_encoded_bytes();
    let is_odd =
        text.len() > 1 && text.ends_with(b"/") || text.windows(2).any(|pair| pair == b"//" || pair == b"/.");
    if is_odd { Cow::Owned(path.components().collect()) } else { Cow::Borrowed(path) }
}

/// In the one form of its letters that all forms of it have in common: `e` with an accent is one letter or two.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The directories that a pattern may start from, and what is left of it there.
fn starts(text: &str, bases: &Bases, reading: Reading) -> Result<Vec<(PathBuf, String)>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("an empty pattern names no file".into());
    }
    if text.starts_with('!') {
        return Err("a pattern cannot take back what another says".into());
    }
    if text.split('/').any(|part| part == "..") {
        return Err("a pattern cannot lead upwards with `..`".into());
    }
    let from =
        |bases: &[PathBuf], tail: &str| bases.iter().map(|base| (base.clone(), tail.to_owned())).collect();
    let anywhere = |tail: &str| (PathBuf::from("/"), format!("**/{tail}"));
    if let Some(tail) = text.strip_prefix("//") {
        return Ok(vec![(PathBuf::from("/"), tail.to_owned())]);
    }
    if let Some(tail) = text.strip_prefix("~/") {
        return Ok(bases.home.iter().map(|home| (home.clone(), tail.to_owned())).collect());
    }
    if text.starts_with('~') {
        return Err("only your own home directory can be named: `~/…`".into());
    }
    if let Some(tail) = text.strip_prefix('/') {
        return Ok(from(&bases.sources, tail));
    }
    if let Some(tail) = text.strip_prefix("./") {
        return Ok(from(&bases.roots, tail));
    }
    let is_name = !text.trim_end_matches('/').contains('/');
    Ok(match reading {
        // What is forbidden is forbidden at any depth.
        Reading::Denying => vec![anywhere(text)],
        Reading::Allowing if is_name && !text.trim_end_matches('*').is_empty() => {
            from(&bases.roots, &format!("**/{text}"))
        }
        Reading::Allowing => from(&bases.roots, text),
    })
}

fn is_glob(part: &str) -> bool {
    part.contains(['*', '?', '[', '{', '\\'])
}

fn shape(base: &Path, tail: &str, owner: usize) -> Result<Shape, String> {
    let tail = tail.trim_end_matches('/');
    let parts: Vec<&str> = tail.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let literal = parts.iter().take_while(|part| !is_glob(part)).count();
    let within: PathBuf = base
        .components()
        .chain(parts[..literal].iter().map(|part| Component::Normal(part.as_ref())))
        .collect();
    let rest = &parts[literal..];
    // The longest is the rarest: `src` is in every path.
    let part = rest.iter().filter(|part| !is_glob(part)).max_by_key(|part| part.len());
    let part = part.map(|part| (*part).to_owned());
    let start = within.to_str().ok_or("the directory that it starts from cannot be written as text")?;
    let tail = Tail::parse(globset::escape(start).trim_end_matches('/'), rest)?;
    Ok(Shape { within, part, tail, owner })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bases() -> Bases {
        Bases { roots: vec!["/p".into()], sources: vec!["/p".into()], home: Some("/home/me".into()) }
    }

    fn found(pattern: &str, path: &str, reading: Reading, is_deep: bool) -> Match {
        let mut patterns = PathPatterns::default();
        patterns.add(0, pattern, &bases(), reading).unwrap();
        let mut best = Match::No;
        patterns.owners(Path::new(path), is_deep, |_, found| {
            best = best.max(found);
            Enough::Continue(())
        });
        best
    }

    #[test]
    fn allowing_starts_at_the_root() {
        for (pattern, path, expected) in [
            ("src/**", "/p/src/a/b.rs", true),
            ("/src/**", "/p/src/a.rs", true),
            ("/src/**", "/p/src-old/x", false),
            ("./src", "/p/src/a.rs", true),
            ("src/", "/p/src/a.rs", true),
            ("src/*", "/p/src/a/b.rs", true),
            ("src/**", "/p/other/src/a.rs", false),
            ("src/**", "/elsewhere/src/a.rs", false),
            ("*.md", "/p/docs/a.md", true),
            ("*.md", "/q/a.md", false),
            ("docs/*.md", "/p/docs/a.md", true),
            ("docs/*.md", "/p/docs/x/a.md", false),
            ("//tmp/**", "/tmp/x", true),
            ("~/notes/**", "/home/me/notes/x", true),
            ("**", "/p/a", true),
            ("**", "/q/a", false),
            ("*", "/p/a/b", true),
        ] {
            assert_eq!(
                found(pattern, path, Reading::Allowing, false) == Match::Yes,
                expected,
                "{pattern} / {path}"
            );
        }
    }

    #[test]
    fn denying_is_at_any_depth() {
        for (pattern, path, is_deep, expected) in [
            ("prot/**", "/p/a/prot/x", false, Match::Yes),
            ("prot/**", "/q/prot/x", false, Match::Yes),
            ("prot/**", "/p/prototype", false, Match::No),
            ("/prot/**", "/p/a/prot/x", false, Match::No),
            ("//**/.git/**", "/p/.git/config", false, Match::Yes),
            ("//etc/**", "/etc/x", false, Match::Yes),
            (".env", "/p/a/.env", false, Match::Yes),
            ("*.pem", "/p/a/b.pem", false, Match::Yes),
            ("/prot/x", "/p", true, Match::Yes),
            ("/prot/x", "/p/other", true, Match::No),
            ("prot/**", "/p", true, Match::Maybe),
        ] {
            assert_eq!(found(pattern, path, Reading::Denying, is_deep), expected, "{pattern} / {path}");
        }
    }

    #[test]
    fn an_accent_is_denied_however_it_is_written() {
        let (one, two) = ("caf\u{e9}", "cafe\u{301}");
        for (pattern, path) in [(one, two), (two, one), (one, one), (two, two)] {
            for pattern in [format!("{pattern}/**"), format!("/{pattern}"), format!("*{}", &pattern[3..])] {
                let path = format!("/p/{path}/x");
                assert_eq!(found(&pattern, &path, Reading::Denying, false), Match::Yes, "{pattern} / {path}");
            }
        }
        assert_eq!(found(one, &format!("/p/{two}"), Reading::Allowing, false), Match::No);
        assert_eq!(found("/cafe", &format!("/p/{two}"), Reading::Denying, false), Match::No);
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        let wrong =
            |text: &str| PathPatterns::default().add(0, text, &bases(), Reading::Denying).unwrap_err();
        assert_eq!(wrong(" "), "an empty pattern names no file");
        assert_eq!(wrong("../x"), "a pattern cannot lead upwards with `..`");
        assert_eq!(wrong("!x"), "a pattern cannot take back what another says");
        assert_eq!(wrong("~you/x"), "only your own home directory can be named: `~/…`");
        assert!(wrong("a[").starts_with("it is not a glob"));
    }

    #[test]
    fn a_root_with_odd_letters_is_only_itself() {
        let bases = Bases { roots: vec!["/p[1]".into()], ..Bases::default() };
        let mut patterns = PathPatterns::default();
        patterns.add(0, "a/*.rs", &bases, Reading::Allowing).unwrap();
        assert!(patterns.covering(Path::new("/p[1]/a/x.rs"), |_| true).is_some());
        assert!(patterns.covering(Path::new("/p1/a/x.rs"), |_| true).is_none());
    }
}
