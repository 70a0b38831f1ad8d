//! Directories that nothing leads out of. Everything is opened relative to the directory that is already open and without
//! following links; where a link is met, it is resolved, judged, and the place it leads to is walked to in the same way.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, openat};
use rustix::io::Errno;

/// Why something in a directory is not opened.
#[derive(Debug)]
pub(crate) enum Refusal {
    Missing,
    /// A link that leads out of the directory. Where to is nobody's business who may only read skills.
    Leaves,
    /// It is something else.
    Not(&'static str),
    Io(io::Error),
}

impl Refusal {
    /// For findings. `what` is the name of the thing.
    pub(crate) fn about(&self, what: &str) -> String {
        match self {
            Self::Missing => format!("there is no {what}"),
            Self::Leaves => format!("{what} is a link that leads out"),
            Self::Not(kind) => format!("{what} is not {kind}"),
            Self::Io(error) => format!("{what} cannot be read: {error}"),
        }
    }
}

impl From<Errno> for Refusal {
    fn from(error: Errno) -> Self {
        if error == Errno::NOENT { Self::Missing } else { Self::Io(error.into()) }
    }
}

/// An open directory, and its path without links.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    pub real: PathBuf,
}

/// What a directory's listing says that an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Directory,
    File,
    Link,
    Other,
}

impl Dir {
    /// Links on the way are followed: the path is the caller's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let real = path.canonicalize()?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = openat(rustix::fs::CWD, &real, flags, Mode::empty())?;
        Ok(Self { fd, real })
    }

    /// Links on the way are followed as long as they lead nowhere out of the border, whoever changes them meanwhile.
    pub(crate) fn open_within(path: &Path, border: &Path) -> Result<Self, Refusal> {
        let border = Self::open(border).map_err(Refusal::Io)?;
        let inside = border.resolve(path, "a directory")?;
        let real = border.real.join(&inside);
        match border.walk(&inside)? {
            Some((parent, last)) => {
                let fd = open_dir(parent.as_fd(), last).map_err(not_a("a directory"))?;
                Ok(Self { fd, real })
            }
            None => Ok(border),
        }
    }

    /// A directory in it. A link is followed as long as it stays inside.
    pub(crate) fn dir(&self, name: &OsStr) -> Result<Self, Refusal> {
        let opened = match open_dir(self.fd.as_fd(), name) {
            Ok(fd) => return Ok(Self { fd, real: self.real.join(name) }),
            Err(error) => error,
        };
        if !matches!(opened, Errno::NOTDIR | Errno::LOOP) {
            return Err(opened.into());
        }
        let inside = self.resolve(Path::new(name), "a directory")?;
        let real = self.real.join(&inside);
        match self.walk(&inside)? {
            Some((parent, last)) => {
                let fd = open_dir(parent.as_fd(), last).map_err(not_a("a directory"))?;
                Ok(Self { fd, real })
            }
            None => Err(Refusal::Leaves),
        }
    }

    /// The file of a directory in it, where no link is met and the system can say so in one step. None says nothing.
    pub(crate) fn file_straight(&self, directory: &OsStr, name: &str) -> Option<File> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            let path = Path::new(directory).join(name);
            let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
            let opened = openat2(&self.fd, &path, FILE_FLAGS, Mode::empty(), resolve).ok()?;
            regular(File::from(opened)).ok()
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (directory, name);
            None
        }
    }

    /// A regular file in it. A link is followed as long as it stays inside.
    pub(crate) fn file(&self, name: &OsStr) -> Result<File, Refusal> {
        let opened = match open_file(self.fd.as_fd(), name) {
            Ok(file) => return regular(file),
            Err(error) => error,
        };
        if opened != Errno::LOOP {
            return Err(not_a("a file")(opened));
        }
        self.file_below(Path::new(name))
    }

    /// The regular file that a path below it leads to, as long as it stays inside.
    pub(crate) fn file_below(&self, path: &Path) -> Result<File, Refusal> {
        let inside = self.resolve(path, "a file")?;
        match self.walk(&inside)? {
            Some((parent, last)) => regular(open_file(parent.as_fd(), last).map_err(not_a("a file"))?),
            None => Err(Refusal::Not("a file")),
        }
    }

    /// Where a path below it leads, relative to it.
    fn resolve(&self, path: &Path, kind: &'static str) -> Result<PathBuf, Refusal> {
        match self.real.join(path).canonicalize() {
            Ok(real) => match real.strip_prefix(&self.real) {
                Ok(inside) => Ok(inside.to_owned()),
                Err(_) => Err(Refusal::Leaves),
            },
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(Refusal::Not(kind)),
            Err(error) => Err(Refusal::Io(error)),
        }
    }

    /// Opens every directory on the way to the last part, none of which may be a link by now.
    fn walk<'a>(&self, inside: &'a Path) -> Result<Option<(Parent<'_>, &'a OsStr)>, Refusal> {
        let mut parts: Vec<&OsStr> = inside.iter().collect();
        let Some(last) = parts.pop() else {
            return Ok(None);
        };
        let mut parent = Parent::Here(self.fd.as_fd());
        for part in parts {
            parent = Parent::Below(open_dir(parent.as_fd(), part).map_err(not_a("a directory"))?);
        }
        Ok(Some((parent, last)))
    }

    /// Calls for every entry but `.` and `..`, in no order, until it says no.
    pub(crate) fn each(&self, mut take: impl FnMut(OsString, Kind) -> bool) -> io::Result<()> {
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Directory => Kind::Directory,
                FileType::RegularFile => Kind::File,
                FileType::Symlink => Kind::Link,
                FileType::Unknown => self.kind_of(OsStr::from_bytes(name)),
                _ => Kind::Other,
            };
            if !take(OsString::from_vec(name.to_vec()), kind) {
                break;
            }
        }
        Ok(())
    }

    /// Some file systems do not say what their entries are.
    fn kind_of(&self, name: &OsStr) -> Kind {
        let stat = rustix::fs::statat(&self.fd, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        match stat.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            Ok(FileType::Directory) => Kind::Directory,
            Ok(FileType::RegularFile) => Kind::File,
            Ok(FileType::Symlink) => Kind::Link,
            _ => Kind::Other,
        }
    }
}

enum Parent<'a> {
    Here(BorrowedFd<'a>),
    Below(OwnedFd),
}

impl AsFd for Parent<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Here(fd) => *fd,
            Self::Below(fd) => fd.as_fd(),
        }
    }
}

fn open_dir(at: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty())
}

/// A FIFO without a writer would block an ordinary open for ever.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

fn open_file(at: BorrowedFd<'_>, name: &OsStr) -> Result<File, Errno> {
    openat(at, name, FILE_FLAGS, Mode::empty()).map(File::from)
}

fn regular(file: File) -> Result<File, Refusal> {
    match FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file),
        _ => Err(Refusal::Not("a file")),
    }
}

/// A link where none was a moment ago, or something that cannot be opened so.
fn not_a(kind: &'static str) -> impl Fn(Errno) -> Refusal {
    move |error| match error {
        Errno::LOOP | Errno::NOTDIR | Errno::ISDIR | Errno::NXIO => Refusal::Not(kind),
        error => error.into(),
    }
}

/// Fills up to `most` bytes in all. True where the file is known to have ended.
pub(crate) fn read_up_to(file: &mut File, bytes: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    let wanted = most.saturating_sub(bytes.len());
    let read = file.take(wanted as u64).read_to_end(bytes)?;
    Ok(read < wanted)
}

/// What one reading gives, up to `most` bytes: of most files that is their head, and all that is wanted of them.
pub(crate) fn read_once(file: &mut File, bytes: &mut Vec<u8>, most: usize) -> io::Result<()> {
    bytes.resize(most, 0);
    loop {
        match file.read(bytes) {
            Ok(read) => {
                bytes.truncate(read);
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn outcome<T>(result: &Result<T, Refusal>) -> &'static str {
        match result {
            Ok(_) => "opened",
            Err(Refusal::Missing) => "missing",
            Err(Refusal::Leaves) => "leaves",
            Err(Refusal::Not(_)) => "not",
            Err(Refusal::Io(_)) => "io",
        }
    }

    #[test]
    fn links_are_followed_inside_and_nowhere_else() {
        let keep = tempfile::tempdir().unwrap();
        let out = tempfile::tempdir().unwrap();
        let root = keep.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/f"), "x").unwrap();
        std::fs::write(out.path().join("f"), "x").unwrap();
        for (link, to) in [
            ("in", Path::new("a/b")),
            ("absolute", &root.join("a")),
            ("up", Path::new("..")),
            ("self", Path::new(".")),
            ("loop", Path::new("loop")),
            ("nowhere", Path::new("none")),
            ("out", out.path()),
            ("file-in", Path::new("a/b/f")),
            ("file-out", &out.path().join("f")),
        ] {
            symlink(to, root.join(link)).unwrap();
        }
        let made = std::process::Command::new("mkfifo").arg(root.join("fifo")).status().unwrap();
        assert!(made.success());
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();

        let dir = Dir::open(&root).unwrap();
        for (name, as_dir, as_file) in [
            ("a", "opened", "not"),
            ("in", "opened", "not"),
            ("absolute", "opened", "not"),
            ("up", "leaves", "leaves"),
            ("self", "leaves", "not"),
            ("loop", "io", "io"),
            ("nowhere", "io", "io"),
            ("none", "missing", "missing"),
            ("out", "leaves", "leaves"),
            ("file-in", "not", "opened"),
            ("file-out", "leaves", "leaves"),
            ("fifo", "not", "not"),
            ("socket", "not", "not"),
        ] {
            assert_eq!(outcome(&dir.dir(OsStr::new(name))), as_dir, "{name} as a directory");
            assert_eq!(outcome(&dir.file(OsStr::new(name))), as_file, "{name} as a file");
        }
        assert_eq!(dir.dir(OsStr::new("in")).unwrap().real, root.join("a/b"));
        assert_eq!(outcome(&dir.dir(OsStr::new("in")).unwrap().file(OsStr::new("f"))), "opened");
    }
}
