//! The journal: what is being written, and how far it has come. The ending of a record's name is the phase.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::{State, disk};
use crate::dir::read;
use crate::error::{At, WriteError};
use crate::receipt::{Receipt, Unusable, is_id};

/// A record of ten thousand files with long paths is still smaller.
const MAX_RECORD: u64 = 64 << 20;
const ASIDE: &str = "bad";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Prepared,
    Staged,
    Committed,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Prepared, Self::Staged, Self::Committed];

    fn ending(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Staged => "staged",
            Self::Committed => "committed",
        }
    }
}

/// One file found in the journal.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) phase: Option<Phase>,
    pub(crate) record: Result<Receipt, Unusable>,
}

impl State {
    fn journal(&self) -> PathBuf {
        self.dir.join("journal")
    }

    fn entry(&self, id: &str, phase: Phase) -> PathBuf {
        self.journal().join(format!("{id}.{}", phase.ending()))
    }

    /// From here on, a crash leaves nothing that nobody knows of.
    pub(crate) fn begin(&self, receipt: &Receipt) -> Result<(), WriteError> {
        let name = format!("{}.{}", receipt.id, Phase::Prepared.ending());
        let bytes = serde_json::to_vec(receipt)?;
        disk::put(&self.journal(), &name, &bytes).at(&self.journal().join(&name), "writing the journal")
    }

    /// Durable when it returns. An error comes with the phase that the journal now tells.
    pub(crate) fn advance(&self, id: &str, from: Phase, to: Phase) -> Result<(), (Phase, WriteError)> {
        let (earlier, later) = (self.entry(id, from), self.entry(id, to));
        let failed = |error| WriteError::io(&later, "writing the journal", error);
        std::fs::rename(&earlier, &later).map_err(|error| (from, failed(error)))?;
        let Err(error) = disk::sync_directory(&self.journal()) else { return Ok(()) };
        // A journal that is ahead of the files must not be found by a recovery.
        let phase = if std::fs::rename(&later, &earlier).is_ok() { from } else { to };
        Err((phase, failed(error)))
    }

    /// Nothing of the write is left, and nobody needs to know of it.
    pub(crate) fn forget(&self, id: &str) -> Result<(), WriteError> {
        for phase in Phase::ALL {
            let path = self.entry(id, phase);
            disk::remove(&path).at(&path, "removing it from the journal")?;
        }
        self.drop_pack(id)
    }

    /// The record becomes the receipt. Lost in a power cut, it is a committed record again, and is filed again.
    pub(crate) fn file(&self, id: &str) -> Result<(), WriteError> {
        let receipt = self.receipt_path(id);
        std::fs::rename(self.entry(id, Phase::Committed), &receipt).at(&receipt, "filing the receipt")
    }

    /// Whatever lies in the journal, oldest first. What was never whole is removed.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, WriteError> {
        let mut entries = Vec::new();
        for name in self.names("journal")? {
            let path = self.journal().join(&name);
            let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
            if ending == disk::PARTIAL {
                let _ = std::fs::remove_file(&path);
            } else if !is_aside(&name) {
                let phase = Phase::ALL.into_iter().find(|phase| phase.ending() == ending);
                let record = record(&path, stem);
                entries.push(Entry { name, phase, record });
            }
        }
        Ok(entries)
    }

    /// True where nobody left anything behind, and nobody is at it just now; needs no lock.
    pub(crate) fn is_settled(&self) -> Result<bool, WriteError> {
        Ok(self.names("journal")?.iter().all(|name| is_aside(name)) && self.stray_packs()?.is_empty())
    }

    /// The record of a write that is done but for its tidying.
    pub(crate) fn committed(&self, id: &str) -> Option<Receipt> {
        record(&self.entry(id, Phase::Committed), id).ok()
    }

    pub(crate) fn set_aside(&self, name: &str) -> Result<(), WriteError> {
        let path = self.journal().join(name);
        std::fs::rename(&path, self.journal().join(format!("{name}.{ASIDE}"))).at(&path, "setting it aside")
    }

    /// The names in one part of the directory, sorted; ids sort by time.
    pub(super) fn names(&self, part: &str) -> Result<Vec<String>, WriteError> {
        let (dir, doing) = (self.dir.join(part), "reading the writer's own directory");
        let mut names = Vec::new();
        let entries = match dir.read_dir() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
            entries => entries.at(&dir, doing)?,
        };
        for entry in entries {
            names.push(entry.at(&dir, doing)?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(names)
    }
}

/// Set aside: no longer part of the journal, though it lies there.
pub(super) fn is_aside(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending == ASIDE)
}

/// What a file of ours holds, if it is one of ours.
pub(super) fn record(path: &Path, id: &str) -> Result<Receipt, Unusable> {
    let malformed = |what: String| Unusable::Malformed(what);
    if !is_id(id) {
        return Err(malformed("its name is not an id".to_owned()));
    }
    let file = disk::open(path, OFlags::RDONLY).map_err(|error| malformed(error.to_string()))?;
    match read(file, MAX_RECORD) {
        Ok(Some(bytes)) => Receipt::parse(&bytes, id),
        Ok(None) => Err(malformed("it is too large".to_owned())),
        Err(error) => Err(malformed(error.to_string())),
    }
}
