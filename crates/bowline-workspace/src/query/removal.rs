//! Whether anything would miss a symbol: who uses it, how surely that is known, and what uses things unseen.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bowline_code::{Encoding, Engine, LineTable, Location, Span, SymbolKind};
use bowline_syntax::Language;
use ignore::WalkState;

use super::Named;
use super::tests_for::is_test_file;
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

/// So many places where a name stands in a string are told.
const MOST_MENTIONS: usize = 20;
/// Attributes by which nothing finds what they are written at.
const INERT: [&str; 26] = [
    "derive",
    "allow",
    "expect",
    "warn",
    "deny",
    "doc",
    "inline",
    "must_use",
    "cfg",
    "cfg_attr",
    "deprecated",
    "cold",
    "track_caller",
    "non_exhaustive",
    "staticmethod",
    "classmethod",
    "property",
    "dataclass",
    "dataclasses",
    "functools",
    "cache",
    "lru_cache",
    "cached_property",
    "typing",
    "Nullable",
    "SuppressWarnings",
];

/// What is known of the users of a symbol.
#[derive(Debug)]
pub struct Removal {
    pub name: String,
    /// Uses outside of it, by path and line; the first of very many.
    pub uses: Vec<Location>,
    pub total: usize,
    pub engine: Engine,
    /// Why there may be users that nobody sees. Empty: every file of the workspace was looked at.
    pub unseen: Vec<String>,
}

impl Workspace {
    /// Who would miss a symbol of a file.
    pub async fn removal(
        &self,
        path: &Path,
        named: &Named,
        patience: &Patience<'_>,
    ) -> Result<Removal, WorkspaceError> {
        let path = self.resolve(path)?;
        let found = self.references(&path, named.position(), false, patience).await?;
        let mut unseen = Vec::new();
        if !found.indexed {
            unseen.push(
                "not every file of the workspace has been looked at yet; ask again in a moment".to_owned(),
            );
        }
        // By name every file was looked at; a server that answers with a reservation was not sure.
        unseen.extend(found.note.filter(|_| found.engine == Engine::Server));
        let is_outside = |place: &Location| place.file != path || !holds(named.range, place.span());
        let inside = found.value.places.iter().filter(|place| !is_outside(place)).count();
        let uses: Vec<Location> = found.value.places.into_iter().filter(is_outside).collect();
        if found.engine == Engine::Server && is_guessed(&path, named) {
            let by_name = self.references_by_name(&path, named.position(), false, patience).await?;
            let is_another = |place: &&Location| is_outside(place) && !uses.contains(place);
            let others: Vec<String> =
                by_name.value.places.iter().filter(is_another).map(shown).take(5).collect();
            if !others.is_empty() {
                unseen.push(format!(
                    "its name is also written where nobody knows whose it is: {}",
                    others.join(", ")
                ));
            }
        }
        let (owned, named) = (path.clone(), named.clone());
        let more = self.blocking(patience, move |work| unseen_users(work, &owned, &named)).await?;
        unseen.extend(more);
        Ok(Removal {
            name: found.value.name,
            total: found.value.total - inside,
            uses,
            engine: found.engine,
            unseen,
        })
    }
}

/// A member of something in a language that finds out whose it is only when it runs.
fn is_guessed(path: &Path, named: &Named) -> bool {
    let language = Language::of_path(path).map(Language::id);
    matches!(language, Some("python" | "javascript" | "ruby" | "php")) && named.name.contains('.')
}

fn shown(place: &Location) -> String {
    format!("{}:{}", place.file.display(), place.line)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whoever finds it otherwise than by its name in code.
fn unseen_users(work: &Work, path: &Path, named: &Named) -> Result<Vec<String>, WorkspaceError> {
    let document = work.read(path)?;
    let parsed = document.parsed()?;
    let language = parsed.language();
    let name = named.name.rsplit('.').next().unwrap_or(&named.name).to_owned();
    let mut unseen = Vec::new();
    let root = work.shared.roots.around(path);
    let inside = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    if let Some(who) = called_by_others(language, &name, named, is_test_file(inside)) {
        unseen.push(format!("`{name}` is called by {who}, whoever names it"));
    }
    let offset =
        |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or(parsed.text().len());
    let selection = offset(named.selection.start)..offset(named.selection.end);
    if let Some(parts) = parsed.parts(&selection) {
        let head = parsed.text().get(parts.whole.start..selection.start).unwrap_or_default();
        unseen.extend(attributes(head).into_iter().map(|attribute| {
            format!("whoever reads the attribute `{attribute}` may use it without naming it")
        }));
    }
    if let Some(of) = &named.of {
        unseen.push(format!("it is written for `{of}`, by which others call it"));
    }
    if is_dynamic(language) {
        let mentions = mentions(work, &name, path, named.range)?;
        if !mentions.is_empty() {
            let listed: Vec<String> =
                mentions.iter().take(5).map(|(path, line)| format!("{}:{line}", path.display())).collect();
            unseen.push(format!("its name stands in text, by which it can be found: {}", listed.join(", ")));
        }
    }
    Ok(unseen)
}

/// Names that a language, or what runs its tests, calls by itself.
fn called_by_others(language: Language, name: &str, named: &Named, in_tests: bool) -> Option<&'static str> {
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    let is_callable =
        matches!(named.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor);
    if name == "main" && is_callable && !named.name.contains('.') {
        return Some("the system");
    }
    let runner = "what runs the tests";
    match language.id() {
        "go" if name == "init" && is_callable => Some("the runtime"),
        "go" if in_tests && begins(&["Test", "Benchmark", "Example", "Fuzz"]) => Some(runner),
        "python" if name.starts_with("__") && name.ends_with("__") => Some("the language"),
        "python" if in_tests && begins(&["test", "Test", "setUp", "tearDown", "setup", "teardown"]) => {
            Some(runner)
        }
        "ruby" if in_tests && begins(&["test_", "setup", "teardown"]) => Some(runner),
        "ruby" if matches!(name, "initialize" | "method_missing" | "to_s" | "each" | "call") => {
            Some("the language")
        }
        "php" if name.starts_with("__") => Some("the language"),
        "php" | "java" | "csharp" if in_tests && begins(&["test", "Test", "setUp", "tearDown"]) => {
            Some(runner)
        }
        "javascript" | "typescript" | "tsx" | "java" | "csharp" | "cpp"
            if named.kind == SymbolKind::Constructor =>
        {
            Some("the language")
        }
        "javascript" | "typescript" | "tsx"
            if matches!(name, "constructor" | "toString" | "toJSON" | "valueOf" | "default") =>
        {
            Some("the language")
        }
        "cpp" if name.starts_with('~') || name.starts_with("operator") => Some("the language"),
        _ => None,
    }
}

/// The attributes, decorators and annotations in front of a symbol that may mean something to somebody.
fn attributes(head: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in head.lines().map(str::trim) {
        let written = line
            .strip_prefix("#[")
            .or_else(|| line.strip_prefix('@'))
            .or_else(|| line.strip_prefix('[').filter(|_| line.ends_with(']')));
        let Some(written) = written else { continue };
        let name: String = written
            .chars()
            .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.'))
            .collect();
        let first = name.split([':', '.']).next().unwrap_or_default();
        if !name.is_empty() && !INERT.contains(&first) {
            found.push(name);
        }
    }
    found
}

/// Languages in which names are often made from text.
fn is_dynamic(language: Language) -> bool {
    matches!(language.id(), "python" | "javascript" | "typescript" | "tsx" | "ruby" | "php")
}

/// Where a name stands as a text, or as the last part of one, outside of the symbol itself.
fn mentions(work: &Work, name: &str, of: &Path, range: Span) -> Result<Vec<(PathBuf, u32)>, WorkspaceError> {
    let found: Mutex<Vec<(PathBuf, u32)>> = Mutex::default();
    work.shared.walker.run(&|entry| {
        let path = entry.path();
        if Language::of_path(path).is_some_and(is_dynamic)
            && let Ok(document) = work.read_in_passing(path)
        {
            let lines = LineTable::new(document.text());
            let here = quoted(document.text(), name)
                .map(|at| lines.position(document.text(), at, Encoding::Utf16))
                .filter(|at| path != of || *at < range.start || *at > range.end)
                .map(|at| (path.to_owned(), at.line));
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(here.take(MOST_MENTIONS));
        }
        if work.stopped() { WalkState::Quit } else { WalkState::Continue }
    });
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found.truncate(MOST_MENTIONS);
    Ok(found)
}

fn quoted<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        matches!(before, Some('"' | '\'' | '`' | '.' | ':' | '#' | '/'))
            && matches!(behind, Some('"' | '\'' | '`'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_mean_nothing_to_others_are_passed_over() {
        assert_eq!(attributes("/// Says.\n#[inline]\n#[derive(Debug)]\npub "), [""; 0]);
        assert_eq!(attributes("#[test]\n#[tokio::test(flavor = \"x\")]\n"), ["test", "tokio::test"]);
        assert_eq!(attributes("@app.route(\"/\")\n@staticmethod\n@functools.cache\n"), ["app.route"]);
        assert_eq!(attributes("// see @Override\n[Fact]\n@Override\n"), ["Fact", "Override"]);
    }

    #[test]
    fn a_name_in_a_text_is_found() {
        let at = |text: &str| quoted(text, "total").collect::<Vec<_>>();
        assert_eq!(at("getattr(x, \"total\")"), [12]);
        assert_eq!(at("path('views.total')"), [12]);
        assert_eq!(at("total = \"in total\""), [0; 0]);
        assert_eq!(at("subtotal'"), [0; 0]);
    }
}
