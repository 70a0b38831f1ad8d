//! What was written, as it is remembered: the journal holds it while it happens, the receipt afterwards.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;
use crate::plan::is_plain;

/// The shape of the records on disk.
pub(crate) const FORMAT: u32 = 1;

/// One write that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub(crate) format: u32,
    /// Sorts by time.
    pub id: String,
    /// RFC 3339, UTC.
    pub at: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    pub files: Vec<Written>,
    /// Directories that were made for new files, each before those below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<PathBuf>,
    /// Directories that go with their last file: those that the write which is taken back had made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmade: Vec<PathBuf>,
}

/// One file of a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    pub path: PathBuf,
    /// None: it was not there.
    pub before: Option<ContentHash>,
    /// None: it was removed.
    pub after: Option<ContentHash>,
    /// How many bytes it had before.
    pub size: u64,
    /// Its mode before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
    /// Its user and group before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A file that somebody else changed while a write was unfinished. It is theirs, and stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    pub path: PathBuf,
    /// Where the version lies that they did not see go.
    pub kept: Option<PathBuf>,
}

/// What became of an unfinished write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    pub id: String,
    pub label: String,
    pub files: Vec<PathBuf>,
    pub outcome: Outcome,
    /// Empty but for files that somebody else changed in between.
    pub conflicts: Vec<Conflict>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All files are as before.
    RolledBack,
    /// All files are new, and there is a receipt.
    Finished,
    /// The record is not one of ours, or damaged. It was put aside; no file was touched.
    SetAside { reason: String },
    /// It could not be brought to an end now. The next write or recovery tries again.
    Unfinished { reason: String },
}

/// Why a record on disk is not used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    Malformed(String),
    Newer(u32),
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl Receipt {
    /// Reads a record that lies under this id. What it says is believed only as far as it could have been written
    /// here.
    pub(crate) fn parse(bytes: &[u8], id: &str) -> Result<Self, Unusable> {
        let malformed = |error: serde_json::Error| Unusable::Malformed(error.to_string());
        let Format { format } = serde_json::from_slice(bytes).map_err(malformed)?;
        if format > FORMAT {
            return Err(Unusable::Newer(format));
        }
        let receipt: Self = serde_json::from_slice(bytes).map_err(malformed)?;
        match receipt.flaw(id) {
            Some(flaw) => Err(Unusable::Malformed(flaw.to_owned())),
            None => Ok(receipt),
        }
    }

    fn flaw(&self, id: &str) -> Option<&'static str> {
        let paths: BTreeSet<&Path> = self.files.iter().map(|file| file.path.as_path()).collect();
        let directories = || self.made.iter().chain(&self.unmade);
        // Paths are ordered part by part: what is below a directory follows it at once.
        let holds_a_file = |dir: &PathBuf| {
            let mut after = paths.range::<Path, _>((Bound::Excluded(dir.as_path()), Bound::Unbounded));
            after.next().is_some_and(|path| path.starts_with(dir))
        };
        if self.id != id || !is_id(id) {
            Some("it lies under a name that is not its own")
        } else if paths.is_empty() || paths.len() != self.files.len() {
            Some("it names no file, or one more than once")
        } else if !paths.iter().all(|path| is_plain(path)) || !directories().all(|dir| is_plain(dir)) {
            Some("it names a path that is not plain and absolute")
        } else if !directories().all(holds_a_file) {
            Some("it names a directory that has none of its files")
        } else if self.files.iter().any(|file| file.before == file.after) {
            Some("it names a file that does not change")
        } else {
            None
        }
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Every directory in which a name comes or goes.
    pub(crate) fn directories(&self) -> BTreeSet<&Path> {
        let files = self.files.iter().map(|file| file.path.as_path());
        let made = self.made.iter().chain(&self.unmade).map(PathBuf::as_path);
        files.chain(made).filter_map(Path::parent).collect()
    }
}

pub(crate) fn fresh_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// Only such names are ever made into paths.
pub(crate) fn is_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
