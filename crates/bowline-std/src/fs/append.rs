//! Adding to a text file that people write too: at its end, whole or not at all, and never two at once.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::{ReadError, real_path, to_text};
use crate::fs::Stamp;

/// How long somebody else may be writing there.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);
/// An editor may put another file in its place while we open it, but not for ever.
const TRIES: usize = 20;

/// Why nothing was added.
#[derive(Debug, thiserror::Error)]
pub enum AppendError<E> {
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It was not wanted, by the text as it is.
    #[error("{0}")]
    Unwanted(E),
    #[error("somebody else is writing to `{}`", .0.display())]
    Busy(PathBuf),
    #[error("cannot write to `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// Adds to a file of at most `max` bytes what `addition` makes of its text. Nothing that stands there is written anew, and
/// its mode stays; a file that is not there is made for this user alone. A link is followed, as whoever reads the file
/// follows it; one that leads nowhere is an error.
pub fn append<E>(
    path: &Path,
    max: u64,
    addition: impl Fn(&str) -> Result<String, E>,
) -> Result<(), AppendError<E>> {
    let at = |source| AppendError::Io { path: path.to_owned(), source };
    let real = real_path(path).map_err(at)?;
    let directory = real.parent().ok_or_else(|| at(io::ErrorKind::InvalidInput.into()))?;
    let is_new = !real.exists();
    if is_new {
        // Asked beforehand, so that nothing is made for nothing.
        addition("").map_err(AppendError::Unwanted)?;
        std::fs::create_dir_all(directory).map_err(at)?;
    }
    for _ in 0..TRIES {
        let mut file = open(&real).map_err(at)?;
        let metadata = file.metadata().map_err(at)?;
        if !metadata.is_file() {
            let kind = super::kind_of(metadata.file_type());
            return Err(ReadError::NotAFile { path: path.to_owned(), kind }.into());
        }
        lock(&file, path)?;
        // The lock is on a file, and the name may belong to another one by now.
        let is_there = std::fs::metadata(&real)
            .is_ok_and(|named| (named.dev(), named.ino()) == (metadata.dev(), metadata.ino()));
        if !is_there {
            continue;
        }
        add(&mut file, path, max, &addition)?;
        if is_new {
            super::open_nonblocking(directory).and_then(|directory| directory.sync_all()).map_err(at)?;
        }
        return Ok(());
    }
    Err(AppendError::Busy(path.to_owned()))
}

fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW).bits().cast_signed();
    OpenOptions::new().read(true).append(true).create(true).mode(0o600).custom_flags(flags).open(path)
}

fn lock<E>(file: &File, path: &Path) -> Result<(), AppendError<E>> {
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(AppendError::Busy(path.to_owned())),
            Err(TryLockError::Error(source)) => {
                return Err(AppendError::Io { path: path.to_owned(), source });
            }
        }
    }
}

fn add<E>(
    file: &mut File,
    path: &Path,
    max: u64,
    addition: &impl Fn(&str) -> Result<String, E>,
) -> Result<(), AppendError<E>> {
    let at = |source| AppendError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    Read::by_ref(file).take(max + 1).read_to_end(&mut bytes).map_err(at)?;
    let length = bytes.len() as u64;
    let too_large = |size| AppendError::from(ReadError::TooLarge { path: path.to_owned(), size, max });
    if length > max {
        return Err(too_large(length));
    }
    let stamp = Stamp { modified_ns: 0, size: length };
    let (text, _) = to_text(path, (bytes, stamp))?;
    let added = addition(&text).map_err(AppendError::Unwanted)?;
    if length + added.len() as u64 > max {
        return Err(too_large(length + added.len() as u64));
    }
    // In one go: whoever reads meanwhile sees all of it or nothing.
    let written = match file.write(added.as_bytes()) {
        Ok(count) if count == added.len() => file.sync_all(),
        Ok(_) => Err(io::ErrorKind::WriteZero.into()),
        Err(error) => Err(error),
    };
    written.map_err(|error| {
        // What is there of it is taken back; those who write here hold the same lock.
        let _ = file.set_len(length);
        at(error)
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn add_line(path: &Path, line: &str) -> Result<(), AppendError<String>> {
        append(path, 10_000, |text| {
            if text.contains("stop") { Err("no more".into()) } else { Ok(format!("{line}\n")) }
        })
    }

    #[test]
    fn adds_at_the_end_and_keeps_the_mode() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("new/file");
        add_line(&file, "one").unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        add_line(&file, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn what_is_not_wanted_leaves_everything_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "stop").unwrap();
        assert!(matches!(add_line(&file, "x"), Err(AppendError::Unwanted(_))));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "stop");
        let missing = dir.path().join("none/file");
        assert!(matches!(append(&missing, 9, |_| Err::<String, _>("no")), Err(AppendError::Unwanted("no"))));
        assert!(!missing.parent().unwrap().exists());
        assert!(matches!(
            append(&missing, 9, |_| Ok::<_, ()>("0123456789".into())),
            Err(AppendError::Read(_))
        ));
    }

    #[test]
    fn a_link_is_followed_and_one_to_nowhere_is_not() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("real"), "one\n").unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink("none", dir.path().join("dangling")).unwrap();
        add_line(&dir.path().join("link"), "two").unwrap();
        assert_eq!(std::fs::read_to_string(dir.path().join("real")).unwrap(), "one\ntwo\n");
        assert!(dir.path().join("link").is_symlink());
        assert!(matches!(add_line(&dir.path().join("dangling"), "x"), Err(AppendError::Io { .. })));
        assert!(!dir.path().join("none").exists());
        assert!(matches!(add_line(dir.path(), "x"), Err(AppendError::Io { .. })));
    }

    #[test]
    fn many_at_once_tear_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    for number in 0..10 {
                        let seen = std::cell::Cell::new(0);
                        let line = |text: &str| {
                            seen.set(text.lines().count());
                            Ok::<_, ()>(format!("{} {writer} {number} {}\n", seen.get(), "x".repeat(50)))
                        };
                        append(file, 1 << 20, line).unwrap();
                    }
                });
            }
        });
        let text = std::fs::read_to_string(&file).unwrap();
        let numbers: Vec<usize> =
            text.lines().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        assert_eq!(numbers, (0..80).collect::<Vec<_>>(), "each saw what the one before it had written");
    }
}
