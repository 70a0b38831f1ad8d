//! A directory of our own for files on their way, gone when it is done with, however that ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::StoreError;

/// How many names are tried. A process of the same number may have been killed and left its own.
const TRIES: u32 = 1000;

static NEXT: AtomicU32 = AtomicU32::new(0);

pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes a new directory for this user alone.
    pub(crate) fn within(directory: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Io { path: directory.to_owned(), source };
        builder().recursive(true).create(directory).map_err(failed)?;
        for _ in 0..TRIES {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!(".bowline-{}-{number}", std::process::id()));
            match builder().create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(path = %self.0.display(), %error, "files on their way could not be removed");
        }
    }
}

fn builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
