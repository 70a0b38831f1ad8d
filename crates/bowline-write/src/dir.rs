//! One opened directory, and what is done with the names in it. Nothing here follows a link or waits for a FIFO.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use rustix::fs::{
    Access, AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, accessat, fstat, fsync, linkat, mkdirat,
    openat, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::hash::ContentHash;

/// What tells one file or directory from every other: its device and its number there.
pub(crate) type Identity = (u64, u64);

#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    pub(crate) identity: Identity,
    mode: u32,
}

/// What a name stands for at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Nothing,
    File {
        hash: ContentHash,
        identity: Identity,
    },
    /// A directory, a link, a device, or a file too large to be one of ours.
    Other,
}

impl Seen {
    pub(crate) fn is(self, wanted: ContentHash) -> bool {
        self.hash() == Some(wanted)
    }

    pub(crate) fn hash(self) -> Option<ContentHash> {
        match self {
            Self::File { hash, .. } => Some(hash),
            Self::Nothing | Self::Other => None,
        }
    }

    /// Two names of one file.
    pub(crate) fn is_same(self, other: Self) -> bool {
        matches!((self, other), (Self::File { identity: a, .. }, Self::File { identity: b, .. }) if a == b)
    }
}

/// A name opened for reading, or why not.
pub(crate) enum Opened {
    Nothing,
    File(File, Stat),
    Other(&'static str),
}

impl Dir {
    pub(crate) fn new(fd: OwnedFd) -> io::Result<Self> {
        let stat = fstat(&fd)?;
        Ok(Self { fd, identity: identity(&stat), mode: stat.st_mode })
    }

    /// A directory without any write bit is read-only even for root.
    pub(crate) fn is_writable(&self) -> bool {
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        self.mode & 0o222 != 0 && accessat(&self.fd, ".", wanted, AtFlags::EACCESS).is_ok()
    }

    pub(crate) fn is_writable_file(&self, name: &str) -> bool {
        accessat(&self.fd, name, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
    }

    /// What the name is, is asked first: to open a device may already do something.
    pub(crate) fn open(&self, name: &str) -> io::Result<Opened> {
        match statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(Opened::Nothing),
            Err(error) => return Err(error.into()),
            Ok(stat) if !is_file(&stat) => return Ok(Opened::Other(kind(&stat))),
            Ok(_) => {}
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match openat(&self.fd, name, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(Opened::Nothing),
            Err(Errno::LOOP) => return Ok(Opened::Other("a link")),
            opened => File::from(opened?),
        };
        let stat = fstat(&file)?;
        Ok(if is_file(&stat) { Opened::File(file, stat) } else { Opened::Other(kind(&stat)) })
    }

    /// What the name stands for; files above `max` bytes are not read.
    pub(crate) fn look(&self, name: &str, max: u64) -> io::Result<Seen> {
        Ok(match self.open(name)? {
            Opened::Nothing => Seen::Nothing,
            Opened::Other(_) => Seen::Other,
            Opened::File(file, stat) => match read(file, max)? {
                Some(bytes) => Seen::File { hash: ContentHash::of(&bytes), identity: identity(&stat) },
                None => Seen::Other,
            },
        })
    }

    pub(crate) fn create(&self, name: &str, mode: u32) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.fd, name, flags, Mode::from_raw_mode(mode))?.into())
    }

    /// True if it was made now.
    pub(crate) fn make_directory(&self, name: &str) -> io::Result<bool> {
        match mkdirat(&self.fd, name, Mode::from_raw_mode(0o755)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a directory that is empty; any other stays.
    pub(crate) fn remove_directory(&self, name: &str) -> io::Result<()> {
        match unlinkat(&self.fd, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a name if it is there.
    pub(crate) fn unlink(&self, name: &str) -> io::Result<()> {
        match unlinkat(&self.fd, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives a file another name that must be free.
    ///
    /// Where the file system cannot say "only if free" in a rename (NFS), a link can; for a moment there are two
    /// names, which whoever comes after a crash tells by their identity.
    pub(crate) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        match renameat_with(&self.fd, from, &self.fd, to, RenameFlags::NOREPLACE) {
            Err(error) if is_unknown(error) => {
                linkat(&self.fd, from, &self.fd, to, AtFlags::empty())?;
                Ok(unlinkat(&self.fd, from, AtFlags::empty())?)
            }
            renamed => Ok(renamed?),
        }
    }

    /// Lets two names change their files. `spare` is a free name.
    ///
    /// Where the file system cannot do it at once, it is done in three steps, after each of which [`Dir::mend`]
    /// finds either the state before or the state after.
    pub(crate) fn swap(&self, stage: &str, target: &str, spare: &str) -> io::Result<()> {
        match renameat_with(&self.fd, stage, &self.fd, target, RenameFlags::EXCHANGE) {
            Err(error) if is_unknown(error) => {}
            exchanged => return Ok(exchanged?),
        }
        linkat(&self.fd, target, &self.fd, spare, AtFlags::empty())?;
        let same = |name| Ok::<_, Errno>(identity(&statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?));
        if same(target)? != same(spare)? {
            return Err(Errno::STALE.into());
        }
        renameat(&self.fd, stage, &self.fd, target)?;
        Ok(renameat(&self.fd, spare, &self.fd, stage)?)
    }

    /// Ends or forgets a swap that was interrupted.
    pub(crate) fn mend(&self, stage: &str, spare: &str) -> io::Result<()> {
        let there = |name| match statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error),
        };
        match (there(spare)?, there(stage)?) {
            (false, _) => Ok(()),
            (true, true) => self.unlink(spare),
            (true, false) => Ok(renameat(&self.fd, spare, &self.fd, stage)?),
        }
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(fsync(&self.fd)?)
    }
}

/// All bytes of a file, or none if there are more than `max`.
pub(crate) fn read(file: File, max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = file.take(max + 1).read_to_end(&mut bytes)? as u64;
    Ok((read <= max).then_some(bytes))
}

#[expect(clippy::unnecessary_cast, reason = "the widths differ between systems")]
pub(crate) fn identity(stat: &Stat) -> Identity {
    (stat.st_dev as u64, stat.st_ino as u64)
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

fn kind(stat: &Stat) -> &'static str {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => "a directory",
        FileType::Symlink => "a link",
        _ => "a device, socket or pipe",
    }
}

/// How file systems say that they do not know this kind of rename.
fn is_unknown(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
}
