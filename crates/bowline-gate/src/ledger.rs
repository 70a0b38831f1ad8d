//! What happened so far in one conversation: the only state that rules have.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::{CallId, Effect};
use serde::{Deserialize, Serialize};

/// One call that came to an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    pub call: CallId,
    pub tool: Arc<str>,
    pub effect: Effect,
    /// Real paths.
    pub files: Arc<[PathBuf]>,
    pub at: SystemTime,
    pub success: bool,
}

/// Append-only. Serialising it is a snapshot, deserialising restores it, a fresh one is a reset.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ledger {
    entries: Vec<LedgerEntry>,
    /// Names and files that entries share: a conversation is long, and calls the same few tools on the same few files.
    #[serde(skip)]
    tools: HashSet<Arc<str>>,
    #[serde(skip)]
    files: HashSet<Arc<[PathBuf]>>,
}

impl PartialEq for Ledger {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for Ledger {}

impl Ledger {
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    pub fn append(&mut self, mut entry: LedgerEntry) {
        entry.tool = shared(&mut self.tools, entry.tool);
        entry.files = shared(&mut self.files, entry.files);
        self.entries.push(entry);
    }
}

/// The one that is known already, if it is the same.
fn shared<T: ?Sized + Eq + Hash>(known: &mut HashSet<Arc<T>>, new: Arc<T>) -> Arc<T>
where
    Arc<T>: Borrow<T>,
{
    if let Some(same) = known.get(&*new) {
        return Arc::clone(same);
    }
    known.insert(Arc::clone(&new));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_call_again_costs_no_more_names() {
        let entry = || LedgerEntry {
            call: CallId::fresh(),
            tool: "list_symbols".into(),
            effect: Effect::Read,
            files: vec![PathBuf::from("/project/src/lib.rs")].into(),
            at: SystemTime::UNIX_EPOCH,
            success: true,
        };
        let mut ledger = Ledger::default();
        ledger.append(entry());
        ledger.append(entry());
        let [first, second] = ledger.entries() else { panic!("two entries") };
        assert!(Arc::ptr_eq(&first.tool, &second.tool) && Arc::ptr_eq(&first.files, &second.files));
    }
}
