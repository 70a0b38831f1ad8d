//! The symbol index: files with their stamps, the symbols in them, and the words they hold.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bowline_code::{FileStamp, IndexedFile, SymbolRow};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::open::{self, Identity};
use crate::{StoreError, rows, search};

/// The index of one set of roots. Several processes may hold the same file open.
///
/// Every operation blocks: call it from a thread that may.
pub struct SymbolStore {
    /// Where it is on disk, and which file that was when it was opened.
    file: Option<(PathBuf, Identity)>,
    writer: Mutex<Connection>,
    reader: Option<Mutex<Connection>>,
}

impl SymbolStore {
    /// Opens the database, making it with its directory where there is none. One that is damaged, another
    /// program's or another version's is renamed to `<name>.broken-<n>` and begun anew.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connections = open::open(path)?;
        Ok(Self {
            file: Some((path.to_owned(), Identity::of(path))),
            writer: Mutex::new(connections.writer),
            reader: connections.reader.map(Mutex::new),
        })
    }

    /// A store that ends with the process.
    pub fn in_memory() -> Result<Self, StoreError> {
        let connections = open::in_memory()?;
        Ok(Self { file: None, writer: Mutex::new(connections.writer), reader: None })
    }

    /// The stamps of all files, by path.
    pub fn files(&self) -> Result<Vec<FileStamp>, StoreError> {
        self.read(|connection| {
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
        self.write(|transaction| {
            removed.iter().try_for_each(|path| remove(transaction, path))?;
            batch.iter().try_for_each(|file| insert(transaction, file))
        })
    }

    /// Gives files a new time and size; their content has stayed the same.
    pub fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut update =
                transaction.prepare_cached("UPDATE file SET modified_ns = ?2, size = ?3 WHERE path = ?1")?;
            for (path, modified_ns, size) in stamps {
                update.execute((rows::path_bytes(path), modified_ns, size_column(*size)))?;
            }
            Ok(())
        })
    }

    /// Symbols whose name holds the query in any case, best first, and how many there are in all.
    pub fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<SymbolRow>, usize), StoreError> {
        self.read(|connection| search::search(connection, query, limit, offset))
    }

    /// Symbols of exactly this name.
    pub fn named(&self, name: &str) -> Result<Vec<SymbolRow>, StoreError> {
        self.read(|connection| search::named(connection, name))
    }

    /// Files that hold a word of this hash.
    pub fn holding(&self, word: u32) -> Result<Vec<PathBuf>, StoreError> {
        self.read(|connection| {
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

    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let connection = lock(self.reader.as_ref().unwrap_or(&self.writer));
        work(&connection).map_err(|error| self.judge(error))
    }

    /// `IMMEDIATE`, because a transaction that begins by reading and then writes is refused at once, without
    /// waiting, when another process has written in between.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let mut connection = lock(&self.writer);
        let done =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
                let value = work(&transaction)?;
                transaction.commit()?;
                Ok(value)
            });
        done.map_err(|error| self.judge(error))
    }

    fn judge(&self, error: rusqlite::Error) -> StoreError {
        let error = StoreError::from(error);
        if let (StoreError::Damaged(reason), Some((path, identity))) = (&error, &self.file)
            && let Err(failed) = open::set_aside(path, *identity, reason)
        {
            tracing::warn!(path = %path.display(), %failed, "a damaged index could not be set aside");
        }
        error
    }
}

impl std::fmt::Debug for SymbolStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SymbolStore").field("file", &self.file).finish_non_exhaustive()
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

/// A panic elsewhere leaves a connection whose transaction was rolled back: it can go on being used.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}
