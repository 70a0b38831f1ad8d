//! Tests that bring a file in by its path: Python, JavaScript and TypeScript, C and C++.

use std::path::{Path, PathBuf};

use super::KnownBy;
use super::search::Search;
use crate::dependants::Importers;
use crate::{Document, WorkspaceError};

/// So many steps away from the file.
const MOST_STEPS: usize = 6;

const HEADERS: [&str; 5] = ["h", "hpp", "hh", "hxx", "h++"];

pub(super) fn find(search: &mut Search<'_>, document: &Document) -> Result<(), WorkspaceError> {
    let source = document.path();
    let Some(importers) = Importers::look(search.work, source, search.project)? else { return Ok(()) };
    let mut from = vec![source.to_owned()];
    from.extend(own_headers(&importers, document));
    search.follow(&from, &KnownBy::Imports, MOST_STEPS, |search, file| {
        let mut users = Vec::new();
        for user in importers.mentioning(file) {
            if search.read(&user)?.is_some_and(|text| importers.brings_in(&user, text.text(), file)) {
                users.push(user);
            }
        }
        if file.file_name().is_some_and(|name| name == "conftest.py") {
            users.extend(below(search, &importers, file));
        }
        Ok(users)
    })
}

/// pytest hands what stands in a `conftest.py` to every test below, unasked.
fn below(search: &Search<'_>, importers: &Importers, conftest: &Path) -> Vec<PathBuf> {
    let Some(directory) = conftest.parent() else { return Vec::new() };
    let is_below = |file: &&Path| file.starts_with(directory) && *file != conftest && search.is_test(file);
    importers.files().filter(is_below).map(Path::to_owned).collect()
}

/// Whoever uses what is in a source file of C includes the header that goes with it.
fn own_headers(importers: &Importers, document: &Document) -> Vec<PathBuf> {
    let source = document.path();
    let is_header = |path: &Path| {
        path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| HEADERS.contains(&ending))
    };
    if is_header(source) {
        return Vec::new();
    }
    let own = importers.files().filter(|path| is_header(path) && path.file_stem() == source.file_stem());
    own.filter(|header| importers.brings_in(source, document.text(), header)).map(Path::to_owned).collect()
}
