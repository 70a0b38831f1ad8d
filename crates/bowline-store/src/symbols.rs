//! The symbol index: files with their stamps, the symbols in them, and the words they hold.

use std::path::{Path, PathBuf};

use bowline_code::{FileStamp, IndexedFile, SymbolRow};
use rusqlite::Transaction;

use crate::database::Database;
use crate::{StoreError, rows, schema, search};

/// The index of one set of roots. Several processes may hold the same file open.
///
/// Every operation blocks: call it from a thread that may.
#[derive(Debug)]
pub struct SymbolStore(Database);

impl SymbolStore {
    /// Opens the database, making it with its directory where there is none. One that is damaged, another
    /// program's or another version's is renamed to `<name>.broken-<n>` and begun anew.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(&schema::SYMBOLS, path).map(Self)
    }

    /// A store that ends with the process.
    pub fn in_memory() -> Result<Self, StoreError> {
        Database::in_memory(&schema::SYMBOLS).map(Self)
    }

    /// The stamps of all files, by path.
    pub fn files(&self) -> Result<Vec<FileStamp>, StoreError> {
        self.0.read(|connection| {
            connection
                .prepare_cached("SELECT path, modified_ns, size, hash FROM file ORDER BY path")?
                .query_map([], |row| {
                    let size: i64 = row.get(2)?;
                    Ok((rows::path(row, 0)?, row.get(1)?, size.unsigned_abs(), row.get(3)?))
                })?
                .collect()
        })
    }

    /// Puts these files in the place of what was known of them, and forgets others: all of it or nothing.
    pub fn replace(&self, batch: &[IndexedFile], removed: &[PathBuf]) -> Result<(), StoreError> {
        self.0.write(|transaction| {
            removed.iter().try_for_each(|path| remove(transaction, path))?;
            batch.iter().try_for_each(|file| insert(transaction, file))
        })
    }

    /// Gives files a new time and size; their content has stayed the same.
    pub fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Result<(), StoreError> {
        self.0.write(|transaction| {
            let mut update =
                transaction.prepare_cached("UPDATE file SET modified_ns = ?2, size = ?3 WHERE path = ?1")?;
            for (path, modified_ns, size) in stamps {
                update.execute((rows::path_bytes(path), modified_ns, size_column(*size)))?;
            }
            Ok(())
        })
    }

    /// Changes whenever another process has written into it.
    pub fn version(&self) -> Result<u64, StoreError> {
        self.0.version()
    }

    /// Symbols whose name holds the query in any case, best first, and how many there are in all.
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<SymbolRow>, usize), StoreError> {
        self.0.read(|connection| search::search(connection, query, limit, offset))
    }

    /// Symbols of exactly this name.
    pub fn named(&self, name: &str) -> Result<Vec<SymbolRow>, StoreError> {
        self.0.read(|connection| search::named(connection, name))
    }

    /// Files that hold a word of this hash.
    pub fn holding(&self, word: u32) -> Result<Vec<PathBuf>, StoreError> {
        self.0.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT path, hashes FROM words JOIN file ON file.id = words.file ORDER BY words.file",
            )?;
            let mut all = statement.query([])?;
            let mut found = Vec::new();
            while let Some(row) = all.next()? {
                if rows::blob_holds(row.get_ref(1)?.as_blob().unwrap_or_default(), word) {
                    found.push(rows::path(row, 0)?);
                }
            }
            found.sort_unstable();
            Ok(found)
        })
    }
}

fn remove(transaction: &Transaction<'_>, path: &Path) -> rusqlite::Result<()> {
    let removed = transaction
        .prepare_cached("DELETE FROM file WHERE path = ?1 RETURNING id")?
        .query_map([rows::path_bytes(path)], |row| row.get::<_, i64>(0))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    removed.into_iter().try_for_each(|id| clear(transaction, id))
}

fn clear(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction.prepare_cached("DELETE FROM symbol WHERE file = ?1")?.execute([id])?;
    transaction.prepare_cached("DELETE FROM words WHERE file = ?1")?.execute([id])?;
    Ok(())
}

fn insert(transaction: &Transaction<'_>, file: &IndexedFile) -> rusqlite::Result<()> {
    let id: i64 = transaction
        .prepare_cached(
            "INSERT INTO file (path, language, modified_ns, size, hash) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (path) DO UPDATE SET language = ?2, modified_ns = ?3, size = ?4, hash = ?5
             RETURNING id",
        )?
        .query_row(
            (
                rows::path_bytes(&file.path),
                &file.language,
                file.modified_ns,
                size_column(file.size),
                file.hash,
            ),
            |row| row.get(0),
        )?;
    clear(transaction, id)?;
    transaction
        .prepare_cached("INSERT INTO words (file, hashes) VALUES (?1, ?2)")?
        .execute((id, rows::words_blob(&file.words)))?;
    let mut into = transaction.prepare_cached(
        "INSERT INTO symbol VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    for (ordinal, symbol) in file.symbols.iter().enumerate() {
        let (range, selection) = (symbol.range, symbol.selection);
        into.execute(rusqlite::params![
            id,
            i64::try_from(ordinal).unwrap_or(i64::MAX),
            symbol.name,
            symbol.name.to_lowercase(),
            u8::from(symbol.kind),
            symbol.container,
            range.start.line,
            range.start.column,
            range.end.line,
            range.end.column,
            selection.start.line,
            selection.start.column,
            selection.end.line,
            selection.end.column,
        ])?;
    }
    Ok(())
}

fn size_column(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
