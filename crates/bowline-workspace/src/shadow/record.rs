//! What the shadow holds, and from what: so that a file is read again only when it may have changed, and written only
//! when it must be.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::Path;

use bowline_std::fs::{read_bounded, replace_private};
use serde::{Deserialize, Serialize};

use crate::stamp::changed_ns;

const MOST_BYTES: u64 = 256 << 20;

/// By real path. Every file of the shadow that is no link has its record here.
pub(super) type Records = BTreeMap<String, Record>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The project's file whose content this is. `None`: it is drafted.
    pub(super) source: Option<Seen>,
    /// Of the content.
    pub(super) hash: String,
    /// Our own file as it was left. Something else may write there: a build script, or a check that was ended midway.
    pub(super) held: Seen,
}

/// What tells one version of a file from the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) changed_ns: i64,
    pub(super) size: u64,
}

impl Seen {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { changed_ns: changed_ns(metadata), size: metadata.len() }
    }
}

/// What is remembered. If it cannot be read, every file is compared and nothing is lost but time.
pub(super) fn load(path: &Path) -> Records {
    let read = read_bounded(path, MOST_BYTES).ok();
    read.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

pub(super) fn save(path: &Path, records: &Records) -> std::io::Result<()> {
    replace_private(path, &serde_json::to_vec(records)?)
}
