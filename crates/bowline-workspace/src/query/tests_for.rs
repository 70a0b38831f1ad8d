//! Which tests belong to a file, by the conventions of its language.

mod conventions;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bowline_syntax::word_hash;
use ignore::WalkState;

pub use conventions::is_test_file;

use super::Found;
use crate::query::tests_for::conventions::{Convention, belongs};
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

impl Workspace {
    /// The test files of one file, by their absolute paths. A test file is its own.
    pub async fn tests_for(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<PathBuf>>, WorkspaceError> {
        let path = path.to_owned();
        self.blocking(patience, move |work| {
            let document = work.read(&path)?;
            let tests = tests_for(work, &document)?;
            Ok(Found::by_syntax(tests.into_iter().collect(), true))
        })
        .await
    }
}

fn tests_for(work: &Work, document: &Document) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
    let source = document.path();
    let root = work.shared.roots.around(source);
    if is_test_file(root.and_then(|root| source.strip_prefix(root).ok()).unwrap_or(source)) {
        return Ok(BTreeSet::from([source.to_owned()]));
    }
    let Some(convention) = Convention::of(source) else {
        return Ok(BTreeSet::new());
    };
    let files = files_like(work, convention)?;
    let mut tests = belongs(convention, source, &files);
    if convention == Convention::Rust {
        if holds_tests(document.text()) {
            tests.insert(source.to_owned());
        }
        tests.extend(integration_tests(work, document, &files)?);
    }
    Ok(tests)
}

/// All files that a convention could mean. They need not be of a language that is indexed.
fn files_like(work: &Work, convention: Convention) -> Result<Vec<PathBuf>, WorkspaceError> {
    let found: Mutex<Vec<PathBuf>> = Mutex::default();
    work.shared.walker.run(&|entry| {
        if Convention::of(entry.path()) == Some(convention) {
            found.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
        }
        if work.stopped() { WalkState::Quit } else { WalkState::Continue }
    });
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Whether a Rust file has tests in it: `#[test]`, `#[tokio::test]`, `#[cfg(test)]` with a body.
fn holds_tests(text: &str) -> bool {
    let inline = |rest: &str| {
        rest.trim_start()
            .strip_prefix("mod ")
            .is_some_and(|module| module.find(['{', ';']).is_some_and(|end| module[end..].starts_with('{')))
    };
    text.contains("#[test]")
        || text.contains("::test]")
        || text.contains("::test(")
        || text.split("#[cfg(test)]").skip(1).any(inline)
}

/// The crate's files under `tests/` that mention something which the file defines.
fn integration_tests(
    work: &Work,
    document: &Document,
    files: &[PathBuf],
) -> Result<Vec<PathBuf>, WorkspaceError> {
    let Some(package) = document.path().ancestors().skip(1).find(|dir| dir.join("Cargo.toml").is_file())
    else {
        return Ok(Vec::new());
    };
    // Only what stands at the top: every second type has a `new`.
    let words: BTreeSet<u32> = document
        .parsed()?
        .flat_symbols()
        .iter()
        .filter(|symbol| {
            symbol.container.is_empty() && !matches!(symbol.name.as_str(), "main" | "tests" | "test")
        })
        .map(|symbol| word_hash(&symbol.name))
        .collect();
    let within = package.join("tests");
    let mut found = Vec::new();
    for path in files.iter().filter(|path| path.starts_with(&within)) {
        if work.stopped() {
            return Err(WorkspaceError::Cancelled);
        }
        // A test that cannot be read mentions nothing.
        let mentions = work.read_in_passing(path).is_ok_and(|test| {
            test.parsed().is_ok_and(|parsed| parsed.words().iter().any(|word| words.contains(word)))
        });
        if mentions {
            found.push(path.clone());
        }
    }
    Ok(found)
}
