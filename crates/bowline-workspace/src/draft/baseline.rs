//! Diagnostics of files as they are on disk, remembered for as long as nothing on disk changes: a second draft pays only
//! for what it changes itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bowline_lsp::Life;

use super::server_evaluation::Known;

/// Maximum number of files remembered; then everything is forgotten, which costs asking once more.
const MAX_FILES: usize = 4_000;

/// What servers said of files on disk.
#[derive(Default)]
pub(crate) struct Baselines(Mutex<HashMap<PathBuf, Remembered>>);

struct Remembered {
    /// The process that said it.
    life: Weak<Life>,
    /// How far in the log of changes it had been told.
    told: u64,
    known: Known,
}

impl Baselines {
    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Remembered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, life: &Arc<Life>, told: u64, path: &Path) -> Option<Known> {
        let all = self.lock();
        let found = all.get(path)?;
        (found.told == told && std::ptr::eq(found.life.as_ptr(), Arc::as_ptr(life)))
            .then(|| found.known.clone())
    }

    /// Remembers what is proved.
    pub(super) fn put(&self, life: &Arc<Life>, told: u64, path: &Path, known: &Known) {
        if !known.as_ref().is_ok_and(|(_, proof)| proof.holds()) {
            return;
        }
        let mut all = self.lock();
        if all.len() >= MAX_FILES {
            all.clear();
        }
        all.insert(path.to_owned(), Remembered { life: Arc::downgrade(life), told, known: known.clone() });
    }
}
