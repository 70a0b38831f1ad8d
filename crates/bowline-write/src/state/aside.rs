//! What was put aside for somebody to look at: versions that could not go back, and records that nobody can read.
//! Whoever has not looked for long will not look any more.

use std::path::PathBuf;
use std::time::SystemTime;

use super::{State, disk, journal};
use crate::error::{At, WriteError};

/// So many stay of each.
const KEPT: usize = 50;

impl State {
    /// Puts a version aside that cannot go back to where it was.
    pub(crate) fn keep(&self, id: &str, number: usize, bytes: &[u8]) -> Result<PathBuf, WriteError> {
        let dir = self.dir.join("kept");
        let name = format!("{id}-{number}");
        disk::put(&dir, &name, bytes).at(&dir.join(&name), "keeping an old version")?;
        Ok(dir.join(name))
    }

    /// Removes the oldest. What belongs to one write with the newest stays, however much it is.
    pub(crate) fn drop_aside(&self) -> Result<(), WriteError> {
        let mut bad = self.names("journal")?;
        bad.retain(|name| journal::is_aside(name));
        for (part, names) in [("kept", self.names("kept")?), ("journal", bad)] {
            if names.len() <= KEPT {
                continue;
            }
            let aged = names.iter().map(|name| (self.put_at(part, name), name.as_str()));
            let mut aged: Vec<(SystemTime, &str)> = aged.collect();
            aged.sort_unstable();
            let newest = aged.last().map_or("", |(_, name)| write_of(name));
            let old = aged.len() - KEPT;
            for (_, name) in aged[..old].iter().filter(|(_, name)| write_of(name) != newest) {
                let _ = std::fs::remove_file(self.dir.join(part).join(name));
            }
        }
        Ok(())
    }

    fn put_at(&self, part: &str, name: &str) -> SystemTime {
        let metadata = self.dir.join(part).join(name).symlink_metadata();
        metadata.and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// The id of the write that it comes from.
fn write_of(name: &str) -> &str {
    name.split(['-', '.']).next().unwrap_or(name)
}
