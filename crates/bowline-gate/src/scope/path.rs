//! `src/**`, `/x`, `~/x`, `//x`: patterns over paths, as in `.gitignore`.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::Match;
use super::command::Reading;

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
    /// `None`: everything there.
    glob: Option<GlobMatcher>,
    owner: usize,
}

/// Many patterns, of which few are looked at for each path.
#[derive(Debug, Default)]
pub(crate) struct PathPatterns {
    shapes: Vec<Shape>,
    within: HashMap<PathBuf, Vec<usize>>,
    parts: HashMap<String, Vec<usize>>,
    anywhere: Vec<usize>,
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
        for (base, tail) in starts(text, bases, reading)? {
            let index = self.shapes.len();
            let shape = shape(&base, &tail, owner)?;
            let slot = match &shape.part {
                _ if shape.within != Path::new("/") => self.within.entry(shape.within.clone()).or_default(),
                Some(part) => self.parts.entry(part.clone()).or_default(),
                None => &mut self.anywhere,
            };
            slot.push(index);
            self.shapes.push(shape);
        }
        Ok(())
    }

    /// The entries that mean this path. `is_deep`: everything below it is meant too.
    pub(crate) fn owners<'a>(
        &'a self,
        path: &'a Path,
        is_deep: bool,
    ) -> impl Iterator<Item = (usize, Match)> + 'a {
        let within = path.ancestors().filter_map(|above| self.within.get(above)).flatten();
        let named = path.components().filter_map(|part| self.parts.get(part.as_os_str().to_str()?)).flatten();
        let here = within.chain(named).chain(&self.anywhere).filter_map(|index| {
            let shape = &self.shapes[*index];
            shape.holds(path).then_some((shape.owner, Match::Yes))
        });
        // Whoever means a whole directory means what a pattern protects in it.
        let below = self.shapes.iter().filter(move |_| is_deep).filter_map(move |shape| {
            let found = if shape.within == Path::new("/") { Match::Maybe } else { Match::Yes };
            (shape.within == Path::new("/") || (shape.within.starts_with(path) && shape.within != path))
                .then_some((shape.owner, found))
        });
        here.chain(below)
    }

    /// The first entry of those that there are.
    pub(crate) fn owner_where(&self, mut counts: impl FnMut(usize) -> bool) -> Option<usize> {
        self.shapes.iter().map(|shape| shape.owner).filter(|owner| counts(*owner)).min()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Whether an entry means a path, and everything below it.
    pub(crate) fn covers(&self, path: &Path, mut counts: impl FnMut(usize) -> bool) -> bool {
        // A pattern that means a directory means all that is in it.
        self.owners(path, false).any(|(owner, found)| found == Match::Yes && counts(owner))
    }
}

impl Shape {
    fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.within) && self.glob.as_ref().is_none_or(|glob| glob.is_match(path))
    }
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
    if rest.is_empty() || rest == ["**"] {
        return Ok(Shape { within, part, glob: None, owner });
    }
    let start = within.to_str().ok_or("the directory that it starts from cannot be written as text")?;
    let text = format!("{}/{}{{,/**}}", globset::escape(start).trim_end_matches('/'), rest.join("/"));
    let glob = GlobBuilder::new(&text).literal_separator(true).empty_alternates(true).build();
    let glob = glob.map_err(|error| format!("it is not a glob: {}", error.kind()))?;
    Ok(Shape { within, part, glob: Some(glob.compile_matcher()), owner })
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
        patterns.owners(Path::new(path), is_deep).map(|(_, found)| found).max().unwrap_or(Match::No)
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
        assert!(patterns.covers(Path::new("/p[1]/a/x.rs"), |_| true));
        assert!(!patterns.covers(Path::new("/p1/a/x.rs"), |_| true));
    }
}
