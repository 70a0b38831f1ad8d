//! What can be set about the trail.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where the trail is kept, and within which bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The file that is appended to. Configuration does not choose it: a repository could point it anywhere.
    #[serde(skip)]
    pub path: PathBuf,
    /// The trail goes on in a new file before it would grow beyond this many bytes; the old one is kept under another
    /// name. Default: 67108864 (64 MiB).
    pub max_bytes: u64,
    /// How many records may wait to be written before calls wait for them. Default: 256.
    pub queue: usize,
}

impl Options {
    /// The defaults, for a trail in this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { path: PathBuf::new(), max_bytes: 64 << 20, queue: 256 }
    }
}
