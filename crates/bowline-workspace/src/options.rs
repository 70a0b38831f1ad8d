//! What can be set about a workspace.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Files above this size are left out of the index: they are mostly generated. Default: 2 MiB.
    pub max_file_bytes: u64,
    /// Files above this size are not read even when asked for by name. Default: 5 MiB.
    pub max_named_file_bytes: u64,
    /// A file that takes longer than this to read is left out of the index. Default: 5000.
    pub max_file_ms: u64,
    /// At most this many files are indexed; the first by path are. Default: 100 000.
    pub max_files: usize,
    /// Threads that read and parse. Default: as many as the machine has.
    pub threads: Option<NonZeroUsize>,
    /// What to leave out besides what `.gitignore`, `.ignore` and `.bowlineignore` name, in the same syntax.
    /// Default: nothing.
    pub ignore: Vec<String>,
    /// Whether links are followed when looking for files. What they lead to must still lie within the roots.
    /// Default: no.
    pub follow_links: bool,
    /// Whether language servers of large projects are limited to the packages that are worked on. Default: yes.
    pub selective_indexing: bool,
    /// How long a call waits for the evaluation of a draft, where it does not say so itself. Default: 30.
    pub draft_wait_seconds: u64,
    /// How long an evaluation may take in all: it goes on when its caller has stopped waiting. Default: 180.
    pub max_draft_seconds: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_file_bytes: 2 << 20,
            max_named_file_bytes: 5 << 20,
            max_file_ms: 5000,
            max_files: 100_000,
            threads: None,
            ignore: Vec::new(),
            follow_links: false,
            selective_indexing: true,
            draft_wait_seconds: 30,
            max_draft_seconds: 180,
        }
    }
}

impl Options {
    pub(crate) fn threads(&self) -> usize {
        let all = bowline_std::process::parallelism;
        // A project's file may be anybody's; more threads than this only cost memory.
        self.threads.map_or_else(all, NonZeroUsize::get).min(4 * all())
    }
}
