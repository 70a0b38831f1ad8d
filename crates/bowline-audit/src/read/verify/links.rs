//! One writer's chain, followed from record to record.

use std::ops::RangeInclusive;

use serde::Serialize;
use uuid::Uuid;

use super::super::item::Entry;
use super::{Findings, Integrity, MOST_LISTED, Place};
use crate::chain::first_prev;
use crate::record::Event;

/// What became of one writer's records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WriterReport {
    pub writer: Uuid,
    /// How many there are.
    pub records: u64,
    /// When the first and the last of them were written.
    pub first: String,
    pub last: String,
    /// What the writer said that it could not write.
    pub lost: u64,
    /// How many are not there any more.
    pub missing: u64,
    /// Which; not all, where they are many.
    pub missing_seq: Vec<RangeInclusive<u64>>,
    /// Their hash is not that of their bytes.
    pub changed: Findings<Place>,
    /// The record before is not the one that it was written after.
    pub broken: Findings<Place>,
    /// Twice there, or not in their order, or after the writer had ended.
    pub displaced: Findings<Place>,
    /// Whether the writer ended in peace. It may still be running.
    pub ended: bool,
    #[serde(skip)]
    end: Link,
}

/// Where the chain has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Link {
    seq: u64,
    /// The hash that the next record should name: the one that is written there, or, where that was changed, the one
    /// that its bytes have.
    hashes: [String; 2],
}

impl WriterReport {
    pub(super) fn new(writer: Uuid) -> Self {
        Self {
            writer,
            records: 0,
            first: String::new(),
            last: String::new(),
            lost: 0,
            missing: 0,
            missing_seq: Vec::new(),
            changed: Findings::default(),
            broken: Findings::default(),
            displaced: Findings::default(),
            ended: false,
            end: Link { seq: 0, hashes: [first_prev(), first_prev()] },
        }
    }

    pub fn integrity(&self) -> Integrity {
        let whole = self.missing == 0
            && self.changed.is_empty()
            && self.broken.is_empty()
            && self.displaced.is_empty();
        match (whole, self.ended) {
            (false, _) => Integrity::Broken,
            (true, false) => Integrity::Unfinished,
            (true, true) => Integrity::Intact,
        }
    }

    pub(super) fn add(&mut self, entry: &Entry) {
        let record = &entry.record;
        self.records += 1;
        self.lost = self.lost.saturating_add(record.lost.unwrap_or(0));
        if self.first.is_empty() {
            self.first.clone_from(&record.timestamp);
        }
        self.last.clone_from(&record.timestamp);

        let expected = self.end.seq.saturating_add(1);
        let follows = self.end.hashes.contains(&record.prev);
        let genuine = entry.is_genuine();
        if !genuine {
            self.changed.add(Place::of(entry));
        }
        // A changed record may lie about its number, too. Where it links to the one before, it stands where it was.
        let seq = if !genuine && follows { expected } else { record.seq };
        if seq < expected {
            self.displaced.add(Place::of(entry));
            self.found_after_all(seq);
            return;
        }
        if self.ended {
            self.displaced.add(Place::of(entry));
        }
        if seq > expected {
            self.miss(expected..=seq - 1);
        } else if !follows {
            self.broken.add(Place::of(entry));
        }
        let computed = entry.computed.clone().unwrap_or_default();
        self.end = Link { seq, hashes: [record.hash.clone(), computed] };
        self.ended |= record.event == Event::End;
    }

    fn miss(&mut self, range: RangeInclusive<u64>) {
        self.missing = self.missing.saturating_add(range.end() - range.start() + 1);
        if self.missing_seq.len() < MOST_LISTED {
            self.missing_seq.push(range);
        }
    }

    /// A record that was missing stands further on: it is out of its order, but it is there.
    fn found_after_all(&mut self, seq: u64) {
        let Some(index) = self.missing_seq.iter().position(|range| range.contains(&seq)) else {
            return;
        };
        let range = self.missing_seq.swap_remove(index);
        self.missing -= 1;
        let parts = [*range.start()..=seq.saturating_sub(1), seq + 1..=*range.end()];
        self.missing_seq.extend(parts.into_iter().filter(|part| !part.is_empty()));
        self.missing_seq.sort_by_key(|part| *part.start());
    }
}
