//! One open database: who may read, who may write, and what is done when it turns out to be damaged.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;
use crate::open::{self, Connections, Identity};
use crate::schema::{Schema, Worth};

pub(crate) struct Database {
    /// Where it is on disk, and which file that was when it was opened.
    file: Option<(PathBuf, Identity)>,
    writer: Mutex<Connection>,
    reader: Option<Mutex<Connection>>,
    worth: Worth,
}

impl Database {
    pub(crate) fn open(schema: &Schema, path: &Path) -> Result<Self, StoreError> {
        let connections = open::open(schema, path)?;
        Ok(Self::new(schema, connections, Some((path.to_owned(), Identity::of(path)))))
    }

    pub(crate) fn in_memory(schema: &Schema) -> Result<Self, StoreError> {
        Ok(Self::new(schema, open::in_memory(schema)?, None))
    }

    fn new(schema: &Schema, connections: Connections, file: Option<(PathBuf, Identity)>) -> Self {
        let Connections { writer, reader } = connections;
        Self { file, writer: Mutex::new(writer), reader: reader.map(Mutex::new), worth: schema.worth }
    }

    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let connection = lock(self.reader.as_ref().unwrap_or(&self.writer));
        work(&connection).map_err(|error| self.judge(error.into()))
    }

    /// Changes whenever another connection than the writer's has changed something: another process.
    pub(crate) fn version(&self) -> Result<u64, StoreError> {
        let connection = lock(&self.writer);
        let version = connection.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0));
        version.map(i64::unsigned_abs).map_err(|error| self.judge(error.into()))
    }

    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.transact(|transaction| Ok(work(transaction)?))
    }

    /// The same for work that can fail for other reasons than this database.
    pub(crate) fn transact<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        within(&mut lock(&self.writer), work).map_err(|error| self.judge(error))
    }

    /// The same where it is not worth waiting, neither for a thread nor for a process.
    pub(crate) fn write_if_free(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut connection = self.writer.try_lock().map_err(|_| StoreError::Busy)?;
        connection.busy_timeout(Duration::ZERO)?;
        let done = within(&mut connection, |transaction| Ok(work(transaction)?));
        connection.busy_timeout(open::PATIENCE)?;
        done.map_err(|error| self.judge(error))
    }

    /// Writes the database as it is at one moment into a new file. It has a connection of its own: this can take
    /// seconds, and nobody need wait for it.
    pub(crate) fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::Io { path: path.to_owned(), source };
        let name = path.to_str().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
        let copy = |connection: &Connection| {
            connection.execute("VACUUM INTO ?1", [name]).map_err(StoreError::from).map(drop)
        };
        match &self.file {
            Some((own, _)) => open::further(own).and_then(|connection| copy(&connection)),
            None => copy(&lock(&self.writer)),
        }
        .map_err(|error| self.judge(error))
    }

    fn judge(&self, error: StoreError) -> StoreError {
        if self.worth == Worth::Kept {
            return match (error, &self.file) {
                (StoreError::Damaged(reason), Some((path, _))) => {
                    StoreError::Lost { path: path.clone(), reason }
                }
                (error, _) => error,
            };
        }
        if let (StoreError::Damaged(reason), Some((path, identity))) = (&error, &self.file)
            && let Err(failed) = open::set_aside(path, *identity, reason)
        {
            tracing::warn!(path = %path.display(), %failed, "a damaged database could not be set aside");
        }
        error
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("file", &self.file).finish_non_exhaustive()
    }
}

/// `IMMEDIATE`, because a transaction that begins by reading and then writes is refused at once, without waiting,
/// when another process has written in between.
fn within<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

/// A panic elsewhere leaves a connection whose transaction was rolled back: it can go on being used.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}
