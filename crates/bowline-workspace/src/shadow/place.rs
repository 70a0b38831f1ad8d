//! Where a shadow lives, and who may be in it: one check at a time, in this process and among all others.

use std::collections::HashMap;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bowline_std::fs::replace_private;
use tempfile::TempDir;
use tokio::sync::OwnedMutexGuard;

use super::baseline::Baselines;
use super::{ShadowError, prune};
use crate::patience::until;
use crate::{Patience, WorkspaceError};

/// How long a check waits for another one of the same project, whatever its caller's patience.
const QUEUE: Duration = Duration::from_secs(300);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The directory of a shadow is called this and so many digits.
pub(super) const NAME: &str = "shadow-";
pub(super) const DIGITS: usize = 16;

/// The shadows of a workspace.
#[derive(Default)]
pub(crate) struct Shadows {
    /// Who waits for which root. A lock on a file does not tell two tasks of one process apart.
    taken: Mutex<HashMap<PathBuf, Arc<tokio::sync::Mutex<()>>>>,
    /// Holds them where there is no directory for what is kept; goes with the workspace.
    passing: Mutex<Option<TempDir>>,
    /// What the compiler said of projects as they are.
    pub(super) baselines: Baselines,
}

/// A shadow that nobody else is in.
pub(super) struct Held {
    /// By its real path, as cargo will name it.
    dir: PathBuf,
    /// What holds this shadow and others.
    above: PathBuf,
    /// Whoever changes the mirror. One whose caller has gone may not be done when the next one begins.
    changing: Mutex<()>,
    _file: File,
    _turn: OwnedMutexGuard<()>,
}

impl Shadows {
    /// The shadow of a Cargo workspace, as soon as it is free.
    pub(super) async fn take(
        &self,
        cache: Option<&Path>,
        root: &Path,
        patience: &Patience<'_>,
    ) -> Result<Held, ShadowError> {
        let above = match cache {
            Some(cache) => cache.to_owned(),
            None => self.passing()?,
        };
        let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        let dir = above.join(format!("{NAME}{}", &hash[..DIGITS]));
        let turn = {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(taken.entry(root.to_owned()).or_default())
        };
        let taking = async {
            let turn = turn.lock_owned().await;
            loop {
                let file = open_lock(&dir)?;
                while let Err(error) = file.try_lock() {
                    if let TryLockError::Error(source) = error {
                        return Err(source);
                    }
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                // Whoever held it may have removed it.
                if is_lock_of(&file, &dir) {
                    return Ok((turn, file, dir.canonicalize()?));
                }
            }
        };
        let due = Instant::now().checked_add(QUEUE).into_iter().chain(patience.deadline).min();
        let taken = tokio::select! {
            biased;
            () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled.into()),
            taken = taking => taken,
            () = until(due) => return Err(ShadowError::Busy { root: root.to_owned() }),
        };
        let (turn, file, real) = taken.map_err(|source| ShadowError::Mirror { path: dir, source })?;
        let above = real.parent().map_or(above, Path::to_owned);
        if cache.is_some() {
            prune::in_background(above.clone(), real.clone());
        }
        Ok(Held { dir: real, above, changing: Mutex::new(()), _file: file, _turn: turn })
    }

    pub(super) fn passing(&self) -> Result<PathBuf, ShadowError> {
        let mut passing = self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dir) = &*passing {
            return Ok(dir.path().to_owned());
        }
        // Made for this user alone.
        let made = tempfile::Builder::new().prefix("bowline-").tempdir();
        let made =
            made.map_err(|error| WorkspaceError::Internal(format!("no temporary directory: {error}")))?;
        Ok(passing.insert(made).path().to_owned())
    }
}

impl Held {
    /// The mirror: every path of the machine that cargo may ask for has its place in it.
    pub(super) fn tree(&self) -> PathBuf {
        self.dir.join("tree")
    }

    /// Waits until nobody changes the mirror.
    pub(super) fn alone(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where cargo builds.
    pub(super) fn target(&self) -> PathBuf {
        self.dir.join("target")
    }

    pub(super) fn record(&self) -> PathBuf {
        self.dir.join("record.json")
    }

    pub(super) fn above(&self) -> &Path {
        &self.above
    }

    /// Where a path has its place in the mirror.
    pub(super) fn within(&self, path: &Path) -> PathBuf {
        self.tree().join(path.strip_prefix("/").unwrap_or(path))
    }

    /// When the last check ended, by the clock of the file system, which is the one cargo goes by.
    pub(super) fn last_check(&self) -> SystemTime {
        let time = self.mark().metadata().and_then(|metadata| metadata.modified());
        time.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Remembers that cargo was here. A clock that was set back does not make it be forgotten.
    pub(super) fn note_check(&self) {
        let last = self.last_check();
        let noted = replace_private(&self.mark(), b"").and_then(|()| {
            if self.last_check() >= last {
                return Ok(());
            }
            OpenOptions::new().write(true).open(self.mark())?.set_modified(last)
        });
        if let Err(error) = noted {
            tracing::debug!(%error, "the end of a check is not noted");
        }
    }

    fn mark(&self) -> PathBuf {
        mark_of(&self.dir)
    }
}

/// Its time is that of the last check.
pub(super) fn mark_of(dir: &Path) -> PathBuf {
    dir.join("checked")
}

pub(super) fn lock_of(dir: &Path) -> PathBuf {
    dir.join("lock")
}

fn open_lock(dir: &Path) -> io::Result<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    match OpenOptions::new().create(true).truncate(false).write(true).open(lock_of(dir)) {
        // Removed in between: it is made again.
        Err(error) if error.kind() == io::ErrorKind::NotFound => open_lock(dir),
        opened => opened,
    }
}

/// Whether an open file is the lock of a directory: not of one that was there before.
pub(super) fn is_lock_of(file: &File, dir: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), lock_of(dir).symlink_metadata()) else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}
