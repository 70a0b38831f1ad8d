//! Proof that the watcher has caught up: a file of ours in a watched directory of ours gets the next number for its
//! name. The system's queue is in order, so whoever has seen the number has seen everything before it.
//!
//! One file is renamed, over and over: nothing piles up, and a full disk is in nobody's way.

use std::fs::OpenOptions;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

pub(super) struct Cookies {
    jar: Mutex<Jar>,
    /// Where to make the directory, instead of where the system has its temporary files.
    place: Option<PathBuf>,
}

#[derive(Default)]
struct Jar {
    /// Goes when we go.
    directory: Option<TempDir>,
    number: u64,
}

impl Cookies {
    pub(super) fn new(place: Option<PathBuf>) -> Self {
        Self { jar: Mutex::default(), place }
    }

    /// Makes a new directory. The old one may have been cleared away, as old files in such places are.
    pub(super) fn renew(&self) -> io::Result<PathBuf> {
        // Elsewhere changes do not come through one queue in order, and seeing one proves nothing of the others.
        if !cfg!(target_os = "linux") {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut jar = self.jar();
        jar.directory = None;
        let made = private_directory(self.place.as_deref().unwrap_or(&std::env::temp_dir()))?;
        let real = made.path().canonicalize()?;
        OpenOptions::new().write(true).create_new(true).open(made.path().join(jar.number.to_string()))?;
        jar.directory = Some(made);
        Ok(real)
    }

    /// Makes the next event, and says by which number it is known.
    pub(super) fn next(&self) -> io::Result<u64> {
        let mut jar = self.jar();
        let directory = jar.directory.as_ref().ok_or(io::ErrorKind::NotFound)?.path();
        let next = jar.number + 1;
        std::fs::rename(directory.join(jar.number.to_string()), directory.join(next.to_string()))?;
        jar.number = next;
        Ok(next)
    }

    fn jar(&self) -> MutexGuard<'_, Jar> {
        self.jar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn private_directory(place: &std::path::Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    // Hidden, so that no rules of ours let it in where somebody works on the temporary files themselves.
    builder.prefix(".bowline-watch-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_one_private_file_while_it_lives_and_nothing_after() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let cookies = Cookies::new(Some(place.path().to_owned()));
        assert!(cookies.next().is_err());
        let directory = cookies.renew().unwrap();
        assert_eq!(directory.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!((cookies.next().unwrap(), cookies.next().unwrap()), (1, 2));
        assert_eq!(directory.read_dir().unwrap().count(), 1);
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(cookies.next().is_err());
        let again = cookies.renew().unwrap();
        assert_eq!(cookies.next().unwrap(), 3);
        drop(cookies);
        assert!(!again.exists());
        assert_eq!(place.path().read_dir().unwrap().count(), 0);
    }
}
