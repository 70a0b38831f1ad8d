//! Which tests belong to a file: those that bring it in, those that use its names, and last those that are merely named
//! after it.

mod conventions;
mod imported;
mod named;
mod search;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::WalkState;

pub use conventions::is_test_file;

use super::Found;
use crate::query::tests_for::conventions::{Convention, belongs};
use crate::query::tests_for::search::Search;
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

/// A test, and how it is known to belong to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    pub path: PathBuf,
    pub known_by: KnownBy,
}

/// How a test is known to belong to a file, surest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownBy {
    /// The tests are in the file, or it is one itself.
    Itself,
    /// It brings the file in, or is brought in by it as its module of tests.
    Imports,
    /// It can see the file, and writes names that are declared there.
    UsesNames,
    /// It brings in, or uses, another file that does.
    Through(PathBuf),
    /// It has its name, and nothing shows that it uses it.
    NamedAfter,
}

impl Workspace {
    /// The test files of one file. A test file is its own. `indexed` tells whether everything was looked at.
    pub async fn tests_for(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<TestFile>>, WorkspaceError> {
        let path = path.to_owned();
        self.blocking(patience, move |work| {
            let document = work.read(&path)?;
            let (tests, is_whole) = tests_for(work, &document)?;
            Ok(Found::by_syntax(tests, is_whole))
        })
        .await
    }
}

fn tests_for(work: &Work, document: &Document) -> Result<(Vec<TestFile>, bool), WorkspaceError> {
    let source = document.path();
    let project = work.shared.roots.around(source).unwrap_or(source);
    if is_test_file(source.strip_prefix(project).unwrap_or(source)) {
        return Ok((vec![TestFile { path: source.to_owned(), known_by: KnownBy::Itself }], true));
    }
    let Some(convention) = Convention::of(source) else {
        return Ok((Vec::new(), true));
    };
    let files = files_like(work, convention)?;
    let mut search = Search::new(work, project, files.iter().cloned().collect());
    if convention == Convention::Rust && holds_tests(document.text()) {
        search.found(source, KnownBy::Itself);
    }
    match convention {
        Convention::Python | Convention::Script | Convention::C => imported::find(&mut search, document)?,
        Convention::Go | Convention::Rust => named::find_through(&mut search, convention, document)?,
        Convention::Class | Convention::Ruby | Convention::Php => {
            named::find(&mut search, convention, document)?;
        }
    }
    let (mut tests, is_whole) = search.ended();
    let known: HashSet<PathBuf> = tests.iter().map(|test| test.path.clone()).collect();
    let by_name: BTreeSet<PathBuf> = belongs(convention, source, &files);
    let by_name = by_name.into_iter().filter(|path| !known.contains(path));
    tests.extend(by_name.map(|path| TestFile { path, known_by: KnownBy::NamedAfter }));
    Ok((tests, is_whole))
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
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    Ok(found)
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
