//! The file behind a trail: appended to by many processes at once, and set aside when it is full.
//!
//! Nothing is locked for an append: the file is opened with `O_APPEND` and each record is one `write(2)`. Whether the
//! path still leads to the file that is open is looked up before each record, so that every writer notices when
//! another one has set the file aside.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::AuditError;
use crate::names::{self, Identity};

pub(crate) struct TrailFile {
    path: PathBuf,
    max_bytes: u64,
    open: Option<Opened>,
    rotation: Rotation,
}

struct Opened {
    file: File,
    identity: Identity,
    /// Whether the file's name is on disk, too.
    named: bool,
}

/// How the last attempt to set the file aside went. People are told once.
#[derive(PartialEq, Eq)]
enum Rotation {
    Works,
    Fails,
}

impl TrailFile {
    /// Touches nothing yet.
    pub(crate) fn new(path: PathBuf, max_bytes: u64) -> Self {
        Self { path, max_bytes, open: None, rotation: Rotation::Works }
    }

    /// Appends one line in one piece. After an error nothing, or the beginning of the line, is in the file.
    pub(crate) fn append(&mut self, line: &[u8], now: SystemTime) -> Result<(), AuditError> {
        let mut opened = self.take_current(line.len() as u64, now)?;
        let result = append_to(&mut opened.file, line);
        // A file that failed is opened anew for the next record: it may be the handle that went stale.
        match result {
            Ok(Appended::Whole) => {
                self.open = Some(opened);
                Ok(())
            }
            Ok(Appended::Torn { written }) => {
                Err(AuditError::Torn { path: self.path.clone(), written, length: line.len() })
            }
            Err(source) => Err(AuditError::Write { path: self.path.clone(), source }),
        }
    }

    /// What was appended survives the machine from here on.
    pub(crate) fn sync(&mut self) -> Result<(), AuditError> {
        let Some(opened) = &mut self.open else {
            return Ok(());
        };
        let synced = opened.file.sync_data().and_then(|()| match opened.named {
            true => Ok(()),
            false => sync_directory(names::directory_of(&self.path)),
        });
        opened.named |= synced.is_ok();
        synced.map_err(|source| AuditError::Sync { path: self.path.clone(), source })
    }

    /// The file that the path leads to now, with room for this many bytes.
    fn take_current(&mut self, room: u64, now: SystemTime) -> Result<Opened, AuditError> {
        let path = self.path.clone();
        let unopened = |source| AuditError::Open { path: path.clone(), source };
        let mut found = look(&path).map_err(unopened)?;
        if found.as_ref().is_some_and(|found| self.is_full(found, room)) {
            self.set_aside(room, now);
            found = look(&path).map_err(unopened)?;
        }
        if found.as_ref().is_some_and(|found| !can_take_lines(found)) {
            return Err(AuditError::NotAFile { path });
        }
        match (self.open.take(), found) {
            (Some(opened), Some(found)) if opened.identity == Identity::of(&found) => Ok(opened),
            _ => open(&path).map_err(unopened),
        }
    }

    fn is_full(&self, metadata: &Metadata, room: u64) -> bool {
        metadata.is_file() && metadata.len() > 0 && metadata.len() + room > self.max_bytes
    }

    /// Gives the full file another name. Where that fails the trail simply grows on: records matter more than sizes.
    fn set_aside(&mut self, room: u64, now: SystemTime) {
        match self.try_set_aside(room, now) {
            Ok(()) => self.rotation = Rotation::Works,
            Err(error) => {
                if self.rotation == Rotation::Works {
                    let path = self.path.display();
                    tracing::warn!("the audit trail `{path}` is full and cannot be set aside: {error}");
                }
                self.rotation = Rotation::Fails;
            }
        }
    }

    fn try_set_aside(&self, room: u64, now: SystemTime) -> io::Result<()> {
        // For reading too: a pipe that somebody put there does not block whoever opens both its ends.
        let options = &mut OpenOptions::new();
        let lock = private(options.read(true).write(true).create(true)).open(names::lock_of(&self.path))?;
        if !lock.metadata()?.is_file() {
            return Err(io::Error::other("its lock is not a file"));
        }
        match lock.try_lock() {
            Ok(()) => {}
            // Another writer is at it. Waiting for it could take for ever, if it was stopped; the next record will see.
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Another writer may have done it between our look and our lock.
        let still_full = look(&self.path)?.is_some_and(|metadata| self.is_full(&metadata, room));
        if still_full {
            // Nobody else takes this name: it is chosen, and taken, with the lock held.
            fs::rename(&self.path, names::next_rotated(&self.path, now)?)?;
        }
        Ok(())
    }
}

enum Appended {
    Whole,
    Torn { written: usize },
}

fn append_to(file: &mut File, line: &[u8]) -> io::Result<Appended> {
    // Somebody was killed, or ran out of space, in the middle of a line: ours must not become a part of it.
    let before: &[u8] = if ends_with_newline(file)? { b"" } else { b"\n" };
    let bytes = [before, line].concat();
    let written = loop {
        match file.write(&bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            written => break written?,
        }
    };
    // Without its newline the record is still whole, and must not be written once more.
    Ok(if written + 1 >= bytes.len() { Appended::Whole } else { Appended::Torn { written } })
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    // Nothing is read where somebody emptied the file just now.
    Ok(file.read(&mut last)? == 0 || last == *b"\n")
}

fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A pipe or a socket could block for ever; devices are let through, as they answer at once.
fn can_take_lines(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    let is_device = std::os::unix::fs::FileTypeExt::is_char_device(&metadata.file_type());
    #[cfg(not(unix))]
    let is_device = false;
    metadata.is_file() || is_device
}

fn open(path: &Path) -> io::Result<Opened> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(names::directory_of(path))?;
    let file = private(OpenOptions::new().read(true).append(true).create(true)).open(path)?;
    let identity = Identity::of(&file.metadata()?);
    Ok(Opened { file, identity, named: false })
}

/// What is created is for the user alone. The mode of a file that exists is its owner's choice.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// A new file's name is durable only with its directory.
fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { OpenOptions::new().read(true).open(directory)?.sync_all() } else { Ok(()) }
}
