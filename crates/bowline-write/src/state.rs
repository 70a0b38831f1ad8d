//! The writer's own directory: lock, journal, packs, receipts, and what was kept for somebody. Only its user may
//! look into it.
//!
//! ```text
//! lock                        held while something is written or recovered
//! journal/ID.prepared         new versions are being staged; no file was touched
//! journal/ID.staged           all new versions lie ready; files are being exchanged
//! journal/ID.committed        all files are new; only tidying is left
//! journal/*.bad               not one of ours, or damaged
//! packs/ID.pack               the old versions, one after the other
//! receipts/ID.json            the record of a write that is done
//! kept/ID-N                   a version that could not be put back
//! ```

mod aside;
mod disk;
mod journal;
mod lock;
mod packs;
mod receipts;

use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::error::{At, WriteError};
use crate::limits::Limits;

pub(crate) use journal::{Entry, Phase};
pub(crate) use lock::Lock;

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) dir: PathBuf,
    pub(crate) limits: Limits,
}

const PARTS: [&str; 4] = ["journal", "packs", "receipts", "kept"];

impl State {
    pub(crate) fn new(dir: PathBuf, limits: Limits) -> Self {
        Self { dir, limits }
    }

    /// Makes the directory if need be, and waits until nobody else writes.
    pub(crate) fn open(&self) -> Result<Lock, WriteError> {
        let doing = "making the writer's own directory";
        if let Some(parent) = self.dir.parent() {
            std::fs::create_dir_all(parent).at(parent, doing)?;
            self.make(&self.dir, parent)?;
        }
        let metadata = self.dir.symlink_metadata().at(&self.dir, doing)?;
        let ours = metadata.uid() == rustix::process::geteuid().as_raw();
        if !metadata.is_dir() || !ours || metadata.mode() & 0o022 != 0 {
            return Err(WriteError::StateNotPrivate(self.dir.clone()));
        }
        let lock = Lock::take(&self.dir.join("lock"), self.limits.wait)?;
        for part in PARTS {
            self.make(&self.dir.join(part), &self.dir)?;
        }
        Ok(lock)
    }

    /// A journal in a directory that a power cut takes away would be none.
    fn make(&self, dir: &Path, parent: &Path) -> Result<(), WriteError> {
        match std::fs::DirBuilder::new().mode(0o700).create(dir) {
            Ok(()) => disk::sync_directory(parent).at(parent, "making the writer's own directory durable"),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(WriteError::io(dir, "making the writer's own directory", error)),
        }
    }
}
