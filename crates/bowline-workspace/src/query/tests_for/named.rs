//! Tests that use names which a file declares, where files are not brought in by their path: Go, Rust, Java and its kin,
//! Ruby, PHP.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bowline_syntax::word_hash;

use super::conventions::Convention;
use super::search::Search;
use super::{KnownBy, holds_tests};
use crate::{Document, WorkspaceError};

/// What one file declares at its top, and how others say that they mean it.
struct Declared {
    names: HashSet<String>,
    /// The module, the package or the namespace. Whoever is not inside must write it.
    space: Option<String>,
}

/// A file between, and no more: names are alike by chance, and further away most of them are.
const MOST_STEPS: usize = 2;

/// A file that may use names, read once.
struct User {
    path: PathBuf,
    unit: Option<PathBuf>,
    is_test: bool,
    /// `None`: not read yet. Inside: it cannot be read.
    read: Option<Option<(Document, HashSet<u32>)>>,
}

impl User {
    fn text(&mut self, search: &mut Search<'_>) -> Result<Option<&(Document, HashSet<u32>)>, WorkspaceError> {
        if self.read.is_none() {
            let with_words = |document: Document| {
                let hashes = words(document.text()).map(word_hash).collect();
                (document, hashes)
            };
            self.read = Some(search.read(&self.path)?.map(with_words));
        }
        Ok(self.read.as_ref().and_then(Option::as_ref))
    }
}

/// Go and Rust: also through a file between, which declares names in turn.
pub(super) fn find_through(
    search: &mut Search<'_>,
    convention: Convention,
    document: &Document,
) -> Result<(), WorkspaceError> {
    let source = document.path();
    let mut paths: Vec<PathBuf> = search.files().filter(|path| *path != source).cloned().collect();
    paths.sort_unstable();
    let as_user = |path: PathBuf| User {
        unit: unit_of(convention, &path),
        is_test: search.is_test(&path),
        path,
        read: None,
    };
    let mut users: Vec<User> = paths.into_iter().map(as_user).collect();
    let unit = unit_of(convention, source);
    let own = declared(convention, document, unit.as_deref());
    if convention == Convention::Rust {
        let module = users.iter().find(|user| is_module_of_tests(source, &user.path));
        if let Some(module) = module {
            search.found(&module.path, KnownBy::Imports);
        }
        // Files of the crate that have tests in them, and use it.
        for user in users.iter_mut().filter(|user| user.unit == unit && !user.is_test) {
            let has_tests = |(text, hashes): &(Document, HashSet<u32>)| {
                holds_tests(text.text()) && own.is_used(convention, text.text(), hashes, true)
            };
            if user.text(search)?.is_some_and(has_tests) {
                search.found(&user.path, KnownBy::UsesNames);
            }
        }
    }
    let from = [source.to_owned()];
    search.follow(&from, &KnownBy::UsesNames, MOST_STEPS, |search, file| {
        let between;
        let names = if file == source {
            &own
        } else {
            // What is in tests is used by nothing but tests, and that leads astray.
            let Some(user) = users.iter_mut().find(|user| user.path == file && !user.is_test) else {
                return Ok(Vec::new());
            };
            let unit = user.unit.clone();
            let Some((text, _)) = user.text(search)? else { return Ok(Vec::new()) };
            between = declared(convention, text, unit.as_deref());
            &between
        };
        let unit = unit_of(convention, file);
        let mut found = Vec::new();
        for user in users.iter_mut().filter(|user| user.path != file) {
            let is_inside = user.unit == unit;
            // Between, only what is compiled with it: what other packages do with it is theirs to test.
            let may_count = user.is_test || (is_inside && file == source);
            if may_count
                && let Some((text, hashes)) = user.text(search)?
                && names.is_used(convention, text.text(), hashes, is_inside)
            {
                found.push(user.path.clone());
            }
        }
        Ok(found)
    })
}

/// Others: the tests that use it.
pub(super) fn find(
    search: &mut Search<'_>,
    convention: Convention,
    document: &Document,
) -> Result<(), WorkspaceError> {
    let declared = declared(convention, document, None);
    let mut tests: Vec<PathBuf> = search.files().filter(|file| search.is_test(file)).cloned().collect();
    tests.sort_unstable();
    for test in tests {
        let Some(text) = search.read(&test)? else { continue };
        if convention == Convention::Ruby && requires(text.text(), &test, document.path()) {
            search.found(&test, KnownBy::Imports);
        } else if declared.is_used(
            convention,
            text.text(),
            &words(text.text()).map(word_hash).collect(),
            false,
        ) {
            search.found(&test, KnownBy::UsesNames);
        }
    }
    Ok(())
}

/// The names that stand at the top of a file: every second type has a `new`.
fn declared(convention: Convention, document: &Document, unit: Option<&Path>) -> Declared {
    let space = match convention {
        Convention::Go => unit.and_then(import_path),
        Convention::Rust => unit.and_then(crate_name),
        Convention::Class => after(document.text(), &["package", "namespace"], &['.']),
        Convention::Php => after(document.text(), &["namespace"], &['\\']),
        _ => None,
    };
    let mut names: HashSet<String> = HashSet::new();
    if let Ok(parsed) = document.parsed() {
        // Containers are written with dots, whatever the language has.
        let outer = space.as_ref().map(|space| space.replace('\\', "."));
        let is_space = |name: &str| outer.as_ref().is_some_and(|outer| *outer == name.replace('\\', "."));
        let is_telling = |name: &str| !matches!(name, "main" | "init" | "tests" | "test" | "_" | "mod");
        let symbols = parsed.flat_symbols();
        let top = symbols.iter().filter(|symbol| symbol.container.is_empty() || is_space(&symbol.container));
        let top = top.filter(|symbol| !is_space(&symbol.name) && is_telling(&symbol.name));
        names.extend(top.map(|symbol| symbol.name.clone()));
    }
    if names.is_empty() {
        // A language without a grammar: one class a file, called like it.
        let stem = document.path().file_stem().and_then(|stem| stem.to_str());
        names.extend(stem.filter(|_| convention == Convention::Class).map(str::to_owned));
    }
    Declared { names, space }
}

impl Declared {
    /// `hashes` are those of all words of the text.
    fn is_used(&self, convention: Convention, text: &str, hashes: &HashSet<u32>, is_inside: bool) -> bool {
        if !self.names.iter().any(|name| hashes.contains(&word_hash(name))) {
            return false;
        }
        match (&self.space, convention) {
            _ if is_inside => true,
            (Some(space), Convention::Go) => text.contains(&format!("\"{space}\"")),
            (None, Convention::Go) => false,
            // Within the same package, or brought in: the name of it stands there.
            (Some(space), _) => has_word(text, space),
            (None, _) => true,
        }
    }
}

/// What is compiled together: the directory of a package of Go, that of a crate of Rust.
fn unit_of(convention: Convention, path: &Path) -> Option<PathBuf> {
    let mut above = path.ancestors().skip(1);
    match convention {
        Convention::Rust => above.find(|dir| dir.join("Cargo.toml").is_file()).map(Path::to_owned),
        _ => above.next().map(Path::to_owned),
    }
}

/// The path that a package of Go is imported by.
fn import_path(directory: &Path) -> Option<String> {
    let root = directory.ancestors().find(|dir| dir.join("go.mod").is_file())?;
    let (text, _) = bowline_std::fs::read_text(&root.join("go.mod"), 1 << 20).ok()?;
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?.trim().trim_matches('"');
    let below = directory.strip_prefix(root).ok()?.display().to_string();
    Some(if below.is_empty() { module.to_owned() } else { format!("{module}/{below}") })
}

/// The name that others know a crate by.
fn crate_name(directory: &Path) -> Option<String> {
    let (text, _) = bowline_std::fs::read_text(&directory.join("Cargo.toml"), 1 << 20).ok()?;
    let named =
        text.lines().find_map(|line| line.trim().strip_prefix("name")?.trim_start().strip_prefix('='))?;
    Some(named.trim().trim_matches('"').replace('-', "_"))
}

fn is_module_of_tests(source: &Path, file: &Path) -> bool {
    let module = match source.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => source.parent().map(Path::to_owned),
        _ => Some(source.with_extension("")),
    };
    module.is_some_and(|module| file == module.join("tests.rs"))
}

/// What stands behind the first of these words that begins a line.
fn after(text: &str, words: &[&str], joints: &[char]) -> Option<String> {
    let is_name = |c: char| c == '_' || c.is_alphanumeric() || joints.contains(&c);
    text.lines().find_map(|line| {
        let rest = words.iter().find_map(|word| line.trim_start().strip_prefix(word))?;
        let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        Some(rest[..end].to_owned()).filter(|name| !name.is_empty())
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c.is_alphanumeric())).filter(|word| !word.is_empty())
}

/// Whether a name with joints stands in a text, not as the beginning or the end of a longer word.
fn has_word(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c == '_' || c.is_alphanumeric();
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + name.len()..].starts_with(is_letter))
}

/// `require` and `require_relative` of Ruby.
fn requires(text: &str, test: &Path, source: &Path) -> bool {
    let bare = source.with_extension("");
    text.lines().filter_map(|line| line.trim_start().strip_prefix("require")).any(|rest| {
        let is_relative = rest.starts_with("_relative");
        let Some(written) = rest.split(['"', '\'']).nth(1) else { return false };
        let written = Path::new(written.trim_end_matches(".rb"));
        let beside = test.parent().unwrap_or(test);
        if is_relative { bowline_std::fs::absolute(beside, written) == bare } else { bare.ends_with(written) }
    })
}
