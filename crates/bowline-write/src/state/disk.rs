//! Files of the writer's own directory: written whole, durable, and for this user alone.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, fsync, openat};

/// What is left of one under this ending was never whole.
pub(super) const PARTIAL: &str = "tmp";

/// Writes a file under its name once it is whole and durable. One that is there is replaced.
pub(super) fn put(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let partial = dir.join(format!("{name}.{PARTIAL}"));
    let written = write(&partial, [bytes].into_iter())
        .and_then(|()| std::fs::rename(&partial, dir.join(name)))
        .and_then(|()| sync_directory(dir));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written
}

/// Writes the pieces one after the other into a new file, and makes them durable.
pub(super) fn write<'a>(path: &Path, pieces: impl Iterator<Item = &'a [u8]>) -> io::Result<()> {
    remove(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    for piece in pieces {
        file.write_all(piece)?;
    }
    file.sync_all()
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Opens a file of ours for reading, or for whatever the options say; a link or a FIFO in its place is an error.
pub(super) fn open(path: &Path, more: OFlags) -> io::Result<File> {
    let flags = more | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(CWD, path, flags, Mode::from_raw_mode(0o600))?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

pub(super) fn sync_directory(dir: &Path) -> io::Result<()> {
    let opened = openat(CWD, dir, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(fsync(opened)?)
}
