//! Between the words of the house and the columns of the tables.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bowline_code::{IndexedSymbol, Position, Span, SymbolKind};
use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

/// The columns of a symbol, in the order [`symbol`] reads them.
pub(crate) const SYMBOL: &str = "name, kind, container, range_line, range_column, range_end_line, \
     range_end_column, line, column, end_line, end_column";

/// Reads the columns of [`SYMBOL`] from `first` on.
pub(crate) fn symbol(row: &Row<'_>, first: usize) -> rusqlite::Result<IndexedSymbol> {
    let kind_column = first + 1;
    let kind = SymbolKind::try_from(row.get::<_, u8>(kind_column)?)
        .map_err(|reason| unreadable(kind_column, Type::Integer, FromSqlError::Other(reason.into())))?;
    Ok(IndexedSymbol {
        name: row.get(first)?,
        kind,
        container: row.get(first + 2)?,
        range: span(row, first + 3)?,
        selection: span(row, first + 7)?,
    })
}

fn span(row: &Row<'_>, first: usize) -> rusqlite::Result<Span> {
    Ok(Span::new(
        Position::new(row.get(first)?, row.get(first + 1)?),
        Position::new(row.get(first + 2)?, row.get(first + 3)?),
    ))
}

pub(crate) fn path(row: &Row<'_>, column: usize) -> rusqlite::Result<PathBuf> {
    let bytes = row.get_ref(column)?.as_blob().map_err(|error| unreadable(column, Type::Blob, error))?;
    path_from(bytes).ok_or_else(|| unreadable(column, Type::Blob, FromSqlError::InvalidType))
}

/// The bytes of a path: names on disk need not be UTF-8.
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(unix)]
pub(crate) fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    let name: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    Some(PathBuf::from(name))
}

#[cfg(not(unix))]
pub(crate) fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(OsStr::new).map(PathBuf::from)
}

/// Hashes of words, four bytes each, as they lie in a blob.
pub(crate) fn words_blob(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Whether a blob of sorted hashes holds this one.
pub(crate) fn blob_holds(blob: &[u8], word: u32) -> bool {
    let (words, _) = blob.as_chunks::<4>();
    words.binary_search_by_key(&word, |bytes| u32::from_le_bytes(*bytes)).is_ok()
}

fn unreadable(column: usize, kind: Type, error: FromSqlError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_words_in_their_blob() {
        let blob = words_blob(&[1, 256, 70_000, u32::MAX]);
        let held = [0, 1, 2, 256, 70_000, u32::MAX].map(|word| blob_holds(&blob, word));
        assert_eq!(held, [false, true, false, true, true, true]);
        assert!(!blob_holds(&[], 0));
    }
}
