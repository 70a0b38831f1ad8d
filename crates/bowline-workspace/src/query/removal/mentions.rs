//! Where a name stands in text: in strings, in examples of documentation, in files that are no code.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bowline_code::{Encoding, LineTable};
use bowline_std::fs::read_text;
use bowline_syntax::Language;
use ignore::WalkState;

use super::super::Named;
use crate::WorkspaceError;
use crate::fleet::is_prose;
use crate::workspace::Work;

/// So many are looked for.
const MOST: usize = 20;
/// A larger file is data.
const MOST_BYTES: u64 = 1 << 20;
/// Shorter names are words of every text.
const SHORTEST: usize = 3;

/// Files and lines in which the last name of a symbol stands as text, outside of the symbol itself.
pub(super) fn of(work: &Work, of: &Path, named: &Named) -> Result<Vec<(PathBuf, u32)>, WorkspaceError> {
    let name = named.name.rsplit('.').next().unwrap_or(&named.name);
    let found: Mutex<Vec<(PathBuf, u32)>> = Mutex::default();
    work.shared.walker.run(&|entry| {
        let path = entry.path();
        if path.is_file()
            && !is_prose(path)
            && let Ok((text, _)) = read_text(path, MOST_BYTES)
        {
            let lines = LineTable::new(&text);
            let is_code = Language::of_path(path).is_some();
            let here = places(&text, name, is_code)
                .map(|at| lines.position(&text, at, Encoding::Utf16))
                .filter(|at| path != of || *at < named.range.start || *at > named.range.end)
                .map(|at| (path.to_owned(), at.line));
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(here.take(MOST));
        }
        if work.stopped() { WalkState::Quit } else { WalkState::Continue }
    });
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    Ok(found)
}

/// In code: as a whole text or the last part of one, and in examples. Elsewhere: as a word.
fn places<'a>(text: &'a str, name: &'a str, is_code: bool) -> impl Iterator<Item = usize> + 'a {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        if before.is_some_and(is_word) || behind.is_some_and(is_word) {
            return false;
        }
        if !is_code {
            return name.len() >= SHORTEST;
        }
        let is_quoted = matches!(before, Some('"' | '\'' | '`' | '.' | ':' | '#' | '/'))
            && matches!(behind, Some('"' | '\'' | '`'));
        is_quoted || is_example(text, *at)
    })
}

/// A line of documentation that is run: by `cargo test`, by doctest.
fn is_example(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..at].trim_start();
    ["///", "//!", ">>>", "..."].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_text_is_found() {
        let at = |text: &str| places(text, "total", true).collect::<Vec<_>>();
        assert_eq!(at("getattr(x, \"total\")"), [12]);
        assert_eq!(at("path('views.total')"), [12]);
        assert_eq!(at("/// assert_eq!(total(1), 1);"), [15]);
        assert_eq!(at("    >>> total(1)"), [8]);
        assert_eq!(at("total = \"in total\" // total"), [0; 0]);
        assert_eq!(at("subtotal'"), [0; 0]);
        assert_eq!(places("run = shop:total\n", "total", false).collect::<Vec<_>>(), [11]);
        assert_eq!(places("a: up\n", "up", false).count(), 0);
    }
}
