//! Whether everything that was written is still there, and nothing else.
//!
//! Each writer's chain is followed through all files. This shows what was changed, taken away, moved or added by
//! somebody who did not calculate all later hashes anew, too: there is no key, so against that only a copy helps. What
//! was taken away from a chain's end looks like a writer that was killed.

mod links;

use std::collections::HashMap;
use std::path::PathBuf;

use bowline_call::CallId;
use serde::Serialize;
use uuid::Uuid;

pub use self::links::WriterReport;
use super::item::{Damaged, Entry, Item};
use crate::record::Event;

/// How many of a kind are listed; the rest is counted.
const MOST_LISTED: usize = 100;

/// What was found of one kind: how many, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Findings<T> {
    pub total: u64,
    pub first: Vec<T>,
}

impl<T> Findings<T> {
    fn add(&mut self, finding: T) {
        self.total += 1;
        if self.first.len() < MOST_LISTED {
            self.first.push(finding);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl<T> Default for Findings<T> {
    fn default() -> Self {
        Self { total: 0, first: Vec::new() }
    }
}

/// Where a record stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    pub file: PathBuf,
    pub line: Option<u64>,
    pub seq: u64,
}

impl Place {
    fn of(entry: &Entry) -> Self {
        Self { file: entry.file.to_path_buf(), line: entry.line, seq: entry.record.seq }
    }
}

/// What the whole trail is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Integrity {
    /// Every chain is whole and was ended.
    Intact,
    /// Every chain is whole as far as it goes, but a writer has not ended it: it still runs, or was killed, which may
    /// have left a torn line.
    Unfinished,
    /// Something was changed, taken away, moved or added.
    Broken,
}

/// What checking the trail has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    pub records: u64,
    pub writers: Vec<WriterReport>,
    pub damaged: Findings<Damaged>,
    /// Intents without an end: these calls may have changed something, or not.
    pub unanswered: Findings<Place>,
}

impl Verification {
    pub(super) fn of(items: impl Iterator<Item = Item>) -> Self {
        let mut found = Self::default();
        let mut known: HashMap<Uuid, usize> = HashMap::new();
        // As large as there are calls under way at once, and as there were when writers were killed.
        let mut intents: HashMap<CallId, Place> = HashMap::new();
        for item in items {
            let entry = match item {
                Item::Record(entry) => entry,
                Item::Damaged(damaged) => {
                    found.damaged.add(damaged);
                    continue;
                }
            };
            found.records += 1;
            // Listed in the order in which they first appear.
            let index = *known.entry(entry.record.writer).or_insert_with(|| {
                found.writers.push(WriterReport::new(entry.record.writer));
                found.writers.len() - 1
            });
            found.writers[index].add(&entry);
            match (entry.record.event, entry.record.call_id) {
                (Event::Intent, Some(call)) => {
                    intents.entry(call).or_insert_with(|| Place::of(&entry));
                }
                (Event::Call, Some(call)) => {
                    intents.remove(&call);
                }
                _ => {}
            }
        }
        let mut left: Vec<Place> = intents.into_values().collect();
        left.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        left.into_iter().for_each(|place| found.unanswered.add(place));
        found
    }

    pub fn integrity(&self) -> Integrity {
        let worst = self.writers.iter().map(WriterReport::integrity).max().unwrap_or(Integrity::Intact);
        // A line that is no record proves nothing by itself: had it been one, its chain would miss it.
        if self.damaged.is_empty() { worst } else { worst.max(Integrity::Unfinished) }
    }
}
