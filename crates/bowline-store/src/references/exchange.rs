//! Out as one compressed file, and in again. What comes in was written by a stranger.
//!
//! Nothing of a stranger's file is joined to our database: it is opened alone, read-only, and only rows that were
//! read and checked go over. They do so in one transaction, for others may have our database open, and a file that
//! is swapped under them would be lost or worse.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};

use super::entries;
use super::places::Flaw;
use super::{ImportLimits, Limits, MOST_ENTRIES, ReferenceKey};
use crate::database::Database;
use crate::gzip::{self, Bounds};
use crate::scratch::Scratch;
use crate::{StoreError, open, rows, schema};

/// What every database of SQLite begins with.
const HEADER: &[u8; 16] = b"SQLite format 3\0";

/// Where it says which program's it is.
const APPLICATION: std::ops::Range<usize> = 68..72;

/// Whether this looks like what [`export`] has written: a database of ours, compressed.
pub(crate) fn is_exported(from: &mut dyn Read) -> bool {
    let head = gzip::beginning(from, APPLICATION.end);
    let application = head.get(APPLICATION).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    head.starts_with(HEADER)
        && application
            .is_some_and(|bytes| i64::from(i32::from_be_bytes(bytes)) == schema::REFERENCES.application)
}

pub(crate) fn export(database: &Database, to: &mut dyn Write, scratch: &Path) -> Result<usize, StoreError> {
    let scratch = Scratch::within(scratch)?;
    let path = scratch.file("export.db");
    database.copy_to(&path)?;
    let count = without_damage(&open::further(&path)?)?;
    let at = |source| StoreError::Io { path: path.clone(), source };
    let mut copy = OpenOptions::new().read(true).open(&path).map_err(at)?;
    gzip::pack(&mut copy, to).map_err(StoreError::Write)?;
    Ok(count)
}

/// One damaged row would make whoever imports refuse all the others. Returns how many are left.
fn without_damage(copy: &Connection) -> Result<usize, StoreError> {
    let transaction = copy.unchecked_transaction()?;
    for (id, Flaw(reason)) in flaws(&transaction)? {
        tracing::warn!(reason, "a remembered answer was damaged and is not exported");
        transaction.execute("DELETE FROM entry WHERE id = ?1", [id])?;
    }
    let count = entries::count(&transaction)?;
    transaction.commit()?;
    Ok(count)
}

pub(crate) fn import(
    database: &Database,
    limits: Limits,
    from: &mut dyn Read,
    most: ImportLimits,
    scratch: &Path,
) -> Result<usize, StoreError> {
    let bounds =
        Bounds { packed: most.unpacked, unpacked: most.unpacked, ratio: 200, unsuspicious: 16 << 20 };
    let scratch = Scratch::within(scratch)?;
    let path = scratch.file("import.db");
    let at = |source| StoreError::Io { path: path.clone(), source };
    let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).map_err(at)?;
    gzip::unpack(from, &mut file, &path, &bounds)?;
    if !begins_as_database(&mut file).map_err(at)? {
        return Err(StoreError::NotACache("there is no database in it".into()));
    }
    let shared = open_untrusted(&path).map_err(theirs)?;
    check(&shared)?;
    // Everything was checked before the transaction begins: others wait for it.
    database.transact(|transaction| {
        let mut tick = entries::mark(transaction, &[])?;
        let mut taken = 0;
        let mut statement =
            shared.prepare("SELECT world, question, places FROM entry ORDER BY used, id").map_err(theirs)?;
        let mut rows = statement.query([]).map_err(theirs)?;
        while let Some(row) = rows.next().map_err(theirs)? {
            let key = key(row, 0).map_err(theirs)?;
            let bytes: Vec<u8> = row.get(2).map_err(theirs)?;
            if bytes.len() <= limits.bytes {
                tick = tick.saturating_add(1);
                taken += usize::from(entries::adopt(transaction, &key, &bytes, tick)?);
            }
        }
        entries::evict(transaction, limits)?;
        Ok(taken)
    })
}

fn begins_as_database(file: &mut (impl Read + io::Seek)) -> io::Result<bool> {
    let mut head = Vec::new();
    file.rewind()?;
    file.take(16).read_to_end(&mut head)?;
    Ok(head == HEADER)
}

/// For reading alone, and so that nothing written in the file is run.
fn open_untrusted(path: &Path) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(immutable(path), flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// The address of a file that nobody changes: SQLite then looks for no journal beside it.
fn immutable(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
    let escaped: String = rows::path_bytes(path)
        .iter()
        .map(|byte| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file:{escaped}?immutable=1")
}

/// Everything that can be known of it before one row is used.
fn check(shared: &Connection) -> Result<(), StoreError> {
    let (application, found) = schema::name_and_version(shared).map_err(theirs)?;
    let known = schema::REFERENCES.version;
    match found {
        _ if application != schema::REFERENCES.application => {
            return Err(StoreError::NotACache("it is another program's database".into()));
        }
        1.. if found > known => return Err(StoreError::Newer { found, known }),
        1.. if found < known => return Err(StoreError::Older { found, known }),
        1.. => {}
        _ => return Err(StoreError::NotACache(format!("there is no version {found}"))),
    }
    if schema::texts(shared).map_err(theirs)? != schema::REFERENCES.expected_texts()? {
        return Err(StoreError::NotACache("its tables are not the ones we make".into()));
    }
    let verdict: String =
        shared.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(theirs)?;
    if verdict != "ok" {
        return Err(StoreError::NotACache(verdict));
    }
    let count = entries::count(shared).map_err(theirs)?;
    if count > MOST_ENTRIES {
        return Err(StoreError::TooLarge(format!("{count} answers, where {MOST_ENTRIES} are the most")));
    }
    match flaws(shared).map_err(theirs)?.first() {
        Some((id, Flaw(reason))) => Err(StoreError::NotACache(format!("answer {id}: {reason}"))),
        None => Ok(()),
    }
}

/// The rows that are no good.
fn flaws(connection: &Connection) -> rusqlite::Result<Vec<(i64, Flaw)>> {
    let mut statement = connection.prepare("SELECT id, world, question, origin, places FROM entry")?;
    let mut all = statement.query([])?;
    let mut flaws = Vec::new();
    while let Some(row) = all.next()? {
        let read = match key(row, 1) {
            Ok(key) => entries::read(&key, row, 3).map(drop),
            Err(_) => Err(Flaw("its key is none")),
        };
        if let Err(flaw) = read {
            flaws.push((row.get(0)?, flaw));
        }
    }
    Ok(flaws)
}

fn key(row: &Row<'_>, first: usize) -> rusqlite::Result<ReferenceKey> {
    Ok(ReferenceKey { world: row.get(first)?, question: row.get(first + 1)? })
}

/// An error of the stranger's database. It must never be taken for damage to our own.
fn theirs(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::DiskFull | ErrorCode::CannotOpen,
        ) => StoreError::Sqlite(error),
        _ => StoreError::NotACache(error.to_string()),
    }
}
