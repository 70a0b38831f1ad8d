//! From a path to a pair of connections that can be relied on. What cannot be relied on is set aside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::schema::{Kind, Schema, Worth};

/// How long one process waits for another.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Above this size the whole of a file is not checked when it is opened: damage is then found where it is met.
const CHECKED_BYTES: u64 = 32 << 20;
/// The same where every short process waits for it, and damage that is met is refused and not worked with.
const CHECKED_KEPT_BYTES: u64 = 1 << 20;
/// Broken files are kept for whoever wants to know why, but not for ever.
const KEPT_ASIDE: u32 = 5;

/// One connection for writing, one for reading. A database in memory has only the first.
pub(crate) struct Connections {
    pub(crate) writer: Connection,
    pub(crate) reader: Option<Connection>,
}

pub(crate) fn in_memory(schema: &Schema) -> Result<Connections, StoreError> {
    let mut writer = Connection::open_in_memory()?;
    schema.create(&mut writer)?;
    Ok(Connections { writer: settle(writer), reader: None })
}

/// Opens the database at `path`, making it, or making it anew, where that is needed. One that cannot be made again is left
/// as it is.
pub(crate) fn open(schema: &Schema, path: &Path) -> Result<Connections, StoreError> {
    let failed = |source| StoreError::Io { path: path.to_owned(), source };
    prepare(path).map_err(failed)?;
    let identity = Identity::of(path);
    match connect(schema, path) {
        Err(StoreError::Damaged(reason)) if schema.worth == Worth::Kept => {
            Err(StoreError::Lost { path: path.to_owned(), reason })
        }
        Err(StoreError::Damaged(reason)) => {
            set_aside(path, identity, &reason).map_err(failed)?;
            prepare(path).map_err(failed)?;
            connect(schema, path)
        }
        other => other,
    }
}

/// Which file a path meant. Two processes may find the same one broken, and what the first has made in its place is
/// not to be set aside by the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(Option<(u64, u64)>);

impl Identity {
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(path.symlink_metadata().ok().map(|metadata| (metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    pub(crate) fn of(_path: &Path) -> Self {
        Self(None)
    }
}

/// Makes the directory and the file for this user alone. SQLite gives its other files the mode of the first.
fn prepare(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(parent)?;
    }
    if is_no_file(path) {
        return Ok(());
    }
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    drop(file);
    Ok(())
}

/// Something that stands there and is not a file. A pipe would block whoever opens it.
fn is_no_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

fn connect(schema: &Schema, path: &Path) -> Result<Connections, StoreError> {
    if is_no_file(path) {
        return Err(StoreError::Damaged("it is not a file".into()));
    }
    let mut writer = further(path)?;
    if let Kind::Foreign(reason) = schema.kind(&writer)? {
        return Err(StoreError::Damaged(reason));
    }
    write_ahead(&writer)?;
    schema.create(&mut writer)?;
    check(schema, path, &writer)?;
    let reader = further(path)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok(Connections { writer: settle(writer), reader: Some(settle(reader)) })
}

/// One more connection to a database that is open already.
pub(crate) fn further(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Two processes that do this to a new file at once are in each other's way, and then SQLite does not wait.
fn write_ahead(connection: &Connection) -> Result<(), StoreError> {
    let until = Instant::now() + PATIENCE;
    loop {
        let mode = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
            .map_err(StoreError::from);
        match mode {
            Err(StoreError::Busy) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            // A file system without shared memory keeps its old journal, which is slower and as safe.
            other => return other.map(drop),
        }
    }
}

fn settle(connection: Connection) -> Connection {
    connection.set_prepared_statement_cache_capacity(32);
    for (name, value) in [("synchronous", "NORMAL"), ("journal_size_limit", "16777216")] {
        if let Err(error) = connection.pragma_update(None, name, value) {
            tracing::debug!(%error, name, "a setting of the database was not taken");
        }
    }
    connection
}

fn check(schema: &Schema, path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let size = path.metadata().map_or(0, |metadata| metadata.len());
    let most = match schema.worth {
        Worth::Remade => CHECKED_BYTES,
        Worth::Kept => CHECKED_KEPT_BYTES,
    };
    if size > most {
        return Ok(());
    }
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match verdict.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::Damaged(verdict)),
    }
}

/// Renames the database and what belongs to it, so that nothing of it is ever read again.
pub(crate) fn set_aside(path: &Path, identity: Identity, reason: &str) -> io::Result<()> {
    if Identity::of(path) != identity {
        return Ok(());
    }
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let number = (1..KEPT_ASIDE)
        .find(|number| beside(&format!(".broken-{number}")).symlink_metadata().is_err())
        .unwrap_or(KEPT_ASIDE);
    let aside = beside(&format!(".broken-{number}"));
    tracing::warn!(path = %path.display(), aside = %aside.display(), reason, "the database was set aside and is made anew");
    if aside.is_dir() {
        fs::remove_dir_all(&aside)?;
    }
    fs::rename(path, &aside)?;
    for (suffix, name) in [("-wal", "wal"), ("-shm", "shm")] {
        match fs::rename(beside(suffix), beside(&format!(".broken-{number}-{name}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
