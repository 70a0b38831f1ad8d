//! Whether records reach the disk, and what was lost while they did not.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Whether records reach the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    Ok,
    Failing {
        since: SystemTime,
        /// What went wrong last.
        reason: String,
        /// How many records could not be written. A `gap` record will say so once writing works again.
        lost: u64,
    },
}

/// The health of one trail, told by its writer and asked for by anyone.
pub(crate) struct Pulse(Mutex<Health>);

/// Whether a failure was already known. People are told once, not once per call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    New,
    Old,
}

impl Pulse {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Health::Ok))
    }

    pub(crate) fn get(&self) -> Health {
        self.lock().clone()
    }

    /// What the next `gap` record has to say.
    pub(crate) fn lost(&self) -> Option<(u64, SystemTime)> {
        match &*self.lock() {
            Health::Failing { lost, since, .. } if *lost > 0 => Some((*lost, *since)),
            Health::Ok | Health::Failing { .. } => None,
        }
    }

    pub(crate) fn mend(&self) {
        *self.lock() = Health::Ok;
    }

    /// Something failed, and this many records were lost by it.
    pub(crate) fn fail(&self, now: SystemTime, why: String, more: u64) -> News {
        let mut health = self.lock();
        match &mut *health {
            Health::Failing { reason, lost, .. } => {
                *reason = why;
                *lost += more;
                News::Old
            }
            Health::Ok => {
                *health = Health::Failing { since: now, reason: why, lost: more };
                News::New
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Health> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
