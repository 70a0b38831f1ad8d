//! One writer at a time, over all processes and threads that share the directory.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::disk;
use crate::error::{At, WriteError};

/// Held until dropped. The kernel lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(path: &Path, wait: Duration) -> Result<Self, WriteError> {
        let doing = "locking the writer's own directory";
        let file = disk::open(path, OFlags::RDWR | OFlags::CREATE).at(path, doing)?;
        let begun = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(Errno::WOULDBLOCK) if begun.elapsed() < wait => {
                    std::thread::sleep(Duration::from_millis(5).min(wait));
                }
                Err(Errno::WOULDBLOCK) => return Err(WriteError::Busy(wait)),
                Err(Errno::INTR) => {}
                Err(error) => return Err(WriteError::io(path, doing, error)),
            }
        }
    }
}
