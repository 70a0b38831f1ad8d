//! Files, read within bounds and without ever blocking on something that is not a file, and paths, resolved
//! in both readings: as written, and as the links on the way lead.
//!
//! Whoever reads source or configuration comes here.

mod append;
mod system;

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::OFlags;

pub use append::{AppendError, append};
pub use system::reports_all_changes;

/// Why a file could not be read as text. The path is the one that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("no such file: `{}`", .0.display())]
    NotFound(PathBuf),
    #[error("permission denied: `{}`", .0.display())]
    Denied(PathBuf),
    #[error("`{}` is {kind}, not a file", .path.display())]
    NotAFile { path: PathBuf, kind: &'static str },
    #[error("`{}` has {size} bytes; files above {max} bytes are not read", .path.display())]
    TooLarge { path: PathBuf, size: u64, max: u64 },
    #[error("`{}` is a binary file", .0.display())]
    Binary(PathBuf),
    #[error("`{}` is not UTF-8 (first bad byte at offset {offset})", .path.display())]
    NotUtf8 { path: PathBuf, offset: usize },
    #[error("cannot read `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl ReadError {
    fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound(path),
            io::ErrorKind::PermissionDenied => Self::Denied(path),
            _ => Self::Io { path, source },
        }
    }
}

/// What tells one version of a file from the next without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub modified_ns: i64,
    pub size: u64,
}

impl Stamp {
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        let modified_ns = metadata
            .modified()
            .ok()
            .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
            .and_then(|since| i64::try_from(since.as_nanos()).ok())
            .unwrap_or(0);
        Self { modified_ns, size: metadata.len() }
    }
}

/// The bytes of a regular file of at most `max` bytes, with the stamp of the very version that was read.
pub fn read_bounded(path: &Path, max: u64) -> Result<(Vec<u8>, Stamp), ReadError> {
    read_opened(path, open_nonblocking(path), max)
}

fn read_opened(path: &Path, opened: io::Result<File>, max: u64) -> Result<(Vec<u8>, Stamp), ReadError> {
    let at = |source| ReadError::from_io(path, source);
    let file = opened.map_err(at)?;
    let metadata = file.metadata().map_err(at)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile { path: path.to_owned(), kind: kind_of(metadata.file_type()) });
    }
    let too_large = |size| ReadError::TooLarge { path: path.to_owned(), size, max };
    if metadata.len() > max {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    // The file may grow while it is read, and files under /proc say that they are empty.
    let read = file.take(max + 1).read_to_end(&mut bytes).map_err(at)? as u64;
    if read > max { Err(too_large(read)) } else { Ok((bytes, Stamp::of(&metadata))) }
}

/// The first bytes of a regular file, at most so many. Of anything else there are none.
pub fn read_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_nonblocking(path)?;
    let mut head = Vec::new();
    if file.metadata()?.is_file() {
        file.take(most).read_to_end(&mut head)?;
    }
    Ok(head)
}

/// The text of a file of at most `max` bytes. A byte-order mark stays in the text: positions count it.
pub fn read_text(path: &Path, max: u64) -> Result<(String, Stamp), ReadError> {
    to_text(path, read_bounded(path, max)?)
}

/// The same for a path that is real already: if a link has meanwhile taken the place of any part of it, nothing is
/// read. Whoever checks where a path leads and then reads it needs this, or loses the race against the link.
pub fn read_text_straight(path: &Path, max: u64) -> Result<(String, Stamp), ReadError> {
    to_text(path, read_straight(path, max)?)
}

/// The bytes of such a file, whatever they are: some source is in no encoding that we know, and has words in it all the
/// same.
pub fn read_straight(path: &Path, max: u64) -> Result<(Vec<u8>, Stamp), ReadError> {
    read_opened(path, open_straight(path), max)
}

fn to_text(path: &Path, (bytes, stamp): (Vec<u8>, Stamp)) -> Result<(String, Stamp), ReadError> {
    // A NUL within the first block is how git and grep tell binary files, too.
    if bytes.iter().take(8192).any(|byte| *byte == 0) {
        return Err(ReadError::Binary(path.to_owned()));
    }
    let text = String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 {
        path: path.to_owned(),
        offset: error.utf8_error().valid_up_to(),
    })?;
    Ok((text, stamp))
}

/// Opens for reading. A FIFO without a writer would block an ordinary open for ever.
fn open_nonblocking(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::empty())
}

/// Opens for reading where no part of the path is a link.
fn open_straight(path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, Mode, ResolveFlags, openat2};
        use rustix::io::Errno;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Ok(opened) => return Ok(File::from(opened)),
            // An older kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let opened = open_with(path, OFlags::NOFOLLOW)?;
    if path.canonicalize()? == path { Ok(opened) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

fn open_with(path: &Path, more: OFlags) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC | more).bits();
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.cast_signed());
    options.open(path)
}

fn kind_of(kind: std::fs::FileType) -> &'static str {
    if kind.is_dir() { "a directory" } else { "a device, socket or pipe" }
}

/// Puts a file for this user alone in the place of the one that may be there, whole or not at all. Its directory is
/// made if need be.
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::create_dir_all(directory)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = directory.join(format!(".{name}.{}.new", std::process::id()));
    let written = write_new(&new, bytes).and_then(|()| std::fs::rename(&new, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // What an earlier process of the same number left behind.
    let _ = std::fs::remove_file(path);
    io::Write::write_all(&mut create_private(path)?, bytes)
}

/// A new file for this user alone. Fails where anything is already.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The path made absolute and `.` and `..` taken away as written, without following any link.
pub fn absolute(base: &Path, path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Where the path really leads, links followed. The last parts may not exist yet; what does exist of it is
/// resolved, so that a new file in a linked directory is known by the place it would get.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    let mut existing = path;
    loop {
        match existing.canonicalize() {
            Ok(real) => {
                let mut real = real;
                real.extend(missing.iter().rev());
                return Ok(real);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A dangling link exists by its own name: nobody can say where a write through it would land.
                if existing.symlink_metadata().is_ok() {
                    return Err(error);
                }
                let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else {
                    return Err(error);
                };
                missing.push(name);
                existing = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use super::*;

    fn scratch() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap();
        (dir, real)
    }

    #[test]
    fn reads_text_with_its_byte_order_mark_and_line_ends() {
        let (_keep, dir) = scratch();
        let file = dir.join("näme with space.rs");
        std::fs::write(&file, "\u{feff}fn a() {}\r\n").unwrap();
        let (text, stamp) = read_text(&file, 100).unwrap();
        assert_eq!(text, "\u{feff}fn a() {}\r\n");
        assert_eq!(stamp.size, 14);
    }

    #[test]
    fn a_private_file_is_replaced_whole() {
        use std::os::unix::fs::PermissionsExt;
        let (_keep, dir) = scratch();
        let file = dir.join("new/file");
        replace_private(&file, b"one").unwrap();
        replace_private(&file, b"two").unwrap();
        assert_eq!(read_text(&file, 10).unwrap().0, "two");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(dir.join("new").read_dir().unwrap().count(), 1);
    }

    #[test]
    fn says_why_a_file_is_not_text() {
        let (_keep, dir) = scratch();
        let at = |name: &str, bytes: &[u8]| {
            let file = dir.join(name);
            std::fs::write(&file, bytes).unwrap();
            read_text(&file, 10).unwrap_err().to_string().replace(&dir.display().to_string(), "")
        };
        assert_eq!(at("binary", b"ab\0c"), "`/binary` is a binary file");
        assert_eq!(at("latin", b"caf\xe9"), "`/latin` is not UTF-8 (first bad byte at offset 3)");
        assert_eq!(at("big", b"12345678901"), "`/big` has 11 bytes; files above 10 bytes are not read");
    }

    #[test]
    fn a_directory_a_fifo_and_a_device_are_not_files() {
        let (_keep, dir) = scratch();
        let fifo = dir.join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(made.success());
        for path in [dir.as_path(), &fifo, Path::new("/dev/zero")] {
            assert!(matches!(read_text(path, 10), Err(ReadError::NotAFile { .. })), "{}", path.display());
        }
        assert!(matches!(read_text(&dir.join("none"), 10), Err(ReadError::NotFound(_))));
    }

    #[test]
    fn a_straight_read_follows_no_link_on_the_way() {
        let (_keep, dir) = scratch();
        std::fs::create_dir(dir.join("real")).unwrap();
        std::fs::write(dir.join("real/a.rs"), "fn a() {}").unwrap();
        std::os::unix::fs::symlink("real", dir.join("link")).unwrap();
        std::os::unix::fs::symlink("real/a.rs", dir.join("a.rs")).unwrap();
        assert!(read_text_straight(&dir.join("real/a.rs"), 100).is_ok());
        for through_a_link in ["link/a.rs", "a.rs"] {
            assert!(read_text(&dir.join(through_a_link), 100).is_ok());
            assert!(read_text_straight(&dir.join(through_a_link), 100).is_err(), "{through_a_link}");
        }
    }

    #[test]
    fn resolves_dots_as_written_and_links_as_they_lead() {
        let (_keep, dir) = scratch();
        std::fs::create_dir(dir.join("inside")).unwrap();
        std::os::unix::fs::symlink("/etc", dir.join("inside/out")).unwrap();
        std::os::unix::fs::symlink("loop", dir.join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.join("dangling")).unwrap();

        assert_eq!(absolute(&dir, Path::new("inside/../x/./y")), dir.join("x/y"));
        assert_eq!(real_path(&dir.join("inside/out/new")).unwrap(), Path::new("/etc/new"));
        assert_eq!(real_path(&dir.join("inside/new/er")).unwrap(), dir.join("inside/new/er"));
        assert!(real_path(&dir.join("loop")).is_err());
        assert!(real_path(&dir.join("dangling/new")).is_err());
    }
}
