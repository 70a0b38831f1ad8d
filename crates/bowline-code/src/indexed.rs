//! What one file contributes to an index of the workspace.

use std::path::PathBuf;

use crate::{Span, SymbolKind};

/// A symbol without its tree: the names around it are its container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The names around it, outermost first, joined by dots; empty at the top level.
    pub container: String,
    pub range: Span,
    pub selection: Span,
}

/// One file as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    pub path: PathBuf,
    pub language: String,
    pub modified_ns: i64,
    pub size: u64,
    /// Hash of the content, for files whose stamp proves nothing.
    pub hash: [u8; 32],
    /// Hashes of every identifier written in it, sorted: what it does not hold, it cannot refer to.
    pub words: Vec<u32>,
    pub symbols: Vec<IndexedSymbol>,
}

/// Path, time of the last change, size and content hash of one file.
pub type FileStamp = (PathBuf, i64, u64, [u8; 32]);
/// A symbol with the path and the language of its file.
pub type SymbolRow = (PathBuf, String, IndexedSymbol);

/// Letters in order fit almost every name when there are few of them.
const SHORTEST_LETTERS: usize = 3;
/// When more names than this have a query's letters in order, the query said nothing.
pub const MOST_BY_LETTERS: usize = 2000;

/// Whether a query, read as letters in order (`frf` for `find_references`), fits a name. Both in lower case.
pub fn fits_letters(name: &str, letters: &str) -> bool {
    let mut rest = name.chars();
    letters.chars().count() >= SHORTEST_LETTERS
        && letters.chars().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_in_their_order() {
        assert!(fits_letters("find_references", "frf"));
        assert!(!fits_letters("find_references", "rff"));
        assert!(!fits_letters("find_references", "fr"), "too few to mean anything");
    }
}
