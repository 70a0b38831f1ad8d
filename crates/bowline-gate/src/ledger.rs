//! What happened so far in one conversation: the only state that rules have.

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_call::{CallId, Effect};
use serde::{Deserialize, Serialize};

/// One call that came to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub call: CallId,
    pub tool: String,
    pub effect: Effect,
    /// Real paths.
    pub files: Vec<PathBuf>,
    pub at: SystemTime,
    pub success: bool,
}

/// Append-only. Serialising it is a snapshot, deserialising restores it, a fresh one is a reset.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    entries: Vec<LedgerEntry>,
}

impl Ledger {
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    pub fn append(&mut self, entry: LedgerEntry) {
        self.entries.push(entry);
    }
}
