//! What language servers answered to "where is this used", kept between processes and shared as a file.
//!
//! The key of an answer holds everything the answer depends on, so a hit is never stale: another state of the
//! project is another key. Answers of other states stay until there is no room, and live again when the project
//! returns to them.

mod entries;
mod exchange;
mod marks;
mod places;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use bowline_code::Span;

use crate::database::Database;
use crate::{StoreError, schema};
use entries::Found;
use marks::Marks;
use places::Unfit;

/// What was asked, and of which state of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReferenceKey {
    /// A fingerprint of everything the answer depends on: all files of the project, the server, its settings.
    pub world: [u8; 32],
    /// A hash of file, position and flags.
    pub question: [u8; 32],
}

/// A place in a file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelativePlace {
    /// From the root of the workspace, without `.` and `..`.
    pub file: PathBuf,
    pub span: Span,
}

/// Who asked the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// This machine.
    Own,
    /// Whoever made a file that was imported. It is believed as far as that person is.
    Shared,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// In the order in which they were put.
    pub places: Vec<RelativePlace>,
    pub origin: Origin,
}

/// What a store keeps unless it is told otherwise, and the most that an import may hold.
const MOST_ENTRIES: usize = 100_000;

/// How much is kept. Where it is more, what was used least recently goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub entries: usize,
    /// Of all answers as they are written down, without their keys.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: MOST_ENTRIES, bytes: 256 << 20 }
    }
}

/// How large a file may be that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportLimits {
    /// In bytes, once it is unpacked.
    pub unpacked: u64,
}

impl ImportLimits {
    /// For a file that somebody asked for: above what a full store can take on disk, every answer wasting most of a
    /// page.
    pub const ASKED_FOR: Self = Self { unpacked: 1 << 30 };
    /// For a file that came along with something else, and is taken over unasked.
    pub const BROUGHT_ALONG: Self = Self { unpacked: 64 << 20 };
}

/// Whether these bytes look like what [`ReferenceStore::export`] has written. Only their
/// beginning is read, and none of it is believed.
pub fn is_exported(from: &mut dyn Read) -> bool {
    exchange::is_exported(from)
}

/// The answers about one workspace. Several processes may hold the same file open.
///
/// Every operation blocks: call it from a thread that may.
#[derive(Debug)]
pub struct ReferenceStore {
    database: Database,
    limits: Limits,
    marks: Marks,
}

impl ReferenceStore {
    /// Opens the database, making it with its directory where there is none. One that is damaged, another
    /// program's or another version's is renamed to `<name>.broken-<n>` and begun anew.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(&schema::REFERENCES, path).map(Self::new)
    }

    /// A store that ends with the process.
    pub fn in_memory() -> Result<Self, StoreError> {
        Database::in_memory(&schema::REFERENCES).map(Self::new)
    }

    fn new(database: Database) -> Self {
        Self { database, limits: Limits::default(), marks: Marks::default() }
    }

    /// The same store with other limits; they count from the next `put` or `import` on.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What is remembered under this key. A row that cannot be read is forgotten and counts as none.
    pub fn get(&self, key: &ReferenceKey) -> Result<Option<Remembered>, StoreError> {
        match self.database.read(|connection| entries::find(connection, key))? {
            Found::Nothing => Ok(None),
            Found::Good(remembered) => {
                self.mark(key);
                Ok(Some(remembered))
            }
            Found::Bad(reason) => {
                tracing::warn!(reason, "a remembered answer was damaged and is forgotten");
                let removed = self.database.write_if_free(|transaction| entries::remove(transaction, key));
                if let Err(error) = removed {
                    tracing::debug!(%error, "a damaged answer could not be removed");
                }
                Ok(None)
            }
        }
    }

    /// Remembers these answers, all of them or none. Those of the same key are replaced. An answer too large to be
    /// kept is passed over; a place outside of the workspace is an error.
    pub fn put(&self, answers: &[(ReferenceKey, Vec<RelativePlace>)]) -> Result<(), StoreError> {
        let mut rows = Vec::with_capacity(answers.len());
        for (key, places) in answers {
            match places::encode(key, places) {
                Ok(bytes) if bytes.len() <= self.limits.bytes => rows.push((key, bytes)),
                Ok(_) | Err(Unfit::TooLarge) => {
                    tracing::debug!(places = places.len(), "an answer is too large to be remembered");
                }
                Err(Unfit::Place { file, reason }) => return Err(StoreError::BadPlace { file, reason }),
            }
        }
        self.database.write(|transaction| {
            let mut tick = entries::mark(transaction, &self.marks.take())?;
            for (key, bytes) in &rows {
                tick = tick.saturating_add(1);
                entries::put(transaction, key, bytes, tick)?;
            }
            entries::evict(transaction, self.limits)
        })
    }

    /// How many answers are remembered, of all states of the project.
    pub fn count(&self) -> Result<usize, StoreError> {
        self.database.read(entries::count)
    }

    /// Writes everything that is remembered as one compressed file, for [`import`](Self::import) elsewhere. A copy
    /// is made under `scratch` on the way. Returns how many answers were written.
    pub fn export(&self, to: &mut dyn Write, scratch: &Path) -> Result<usize, StoreError> {
        exchange::export(&self.database, to, scratch)
    }

    /// Takes over what another store has exported, where this one has no answer of its own: all of it, or nothing
    /// and an error. It is unpacked under `scratch` on the way, and nothing in it is believed before it was checked.
    /// Returns how many answers are new here.
    pub fn import(
        &self,
        from: &mut dyn Read,
        most: ImportLimits,
        scratch: &Path,
    ) -> Result<usize, StoreError> {
        exchange::import(&self.database, self.limits, from, most, scratch)
    }

    /// Remembers that an answer was used. Writing that down waits for the next writing, or for many of them, and
    /// then only if nobody else is writing: reading must neither wait nor fail for it.
    fn mark(&self, key: &ReferenceKey) {
        if self.marks.add(*key) {
            self.write_marks();
        }
    }

    fn write_marks(&self) {
        let written = self.database.write_if_free(|transaction| {
            entries::mark(transaction, &self.marks.take())?;
            Ok(())
        });
        if let Err(error) = written {
            tracing::debug!(%error, "which answers were used could not be written");
        }
    }
}

impl Drop for ReferenceStore {
    fn drop(&mut self) {
        if !self.marks.is_empty() {
            self.write_marks();
        }
    }
}
