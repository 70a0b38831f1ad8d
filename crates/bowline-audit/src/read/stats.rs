//! The trail in numbers.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use uuid::Uuid;

use super::histogram::Histogram;
use super::item::Item;
use crate::record::{Event, Record};

/// Callers may invent names of tools; beyond this many they are counted together.
const MOST_NAMES: usize = 500;
const OTHERS: &str = "(others)";

/// The trail in numbers. Durations are in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub files: usize,
    pub writers: usize,
    pub records: u64,
    pub damaged: u64,
    /// What writers said that they could not write.
    pub lost: u64,
    pub calls: u64,
    pub succeeded: u64,
    pub failed: u64,
    pub malformed: u64,
    /// What happened to skills, by the words of its events.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skill_events: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    pub verdicts: BTreeMap<String, u64>,
    pub tools: BTreeMap<String, ToolStats>,
}

/// One tool in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ToolStats {
    pub calls: u64,
    pub failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_ms: Option<u64>,
    #[serde(skip)]
    durations: Histogram,
}

impl Stats {
    pub(super) fn of(files: usize, items: impl Iterator<Item = Item>) -> Self {
        let mut stats = Self { files, ..Self::default() };
        let mut writers = HashSet::<Uuid>::new();
        let mut durations = Histogram::default();
        for item in items {
            match item {
                Item::Damaged(_) => stats.damaged += 1,
                Item::Record(entry) => {
                    writers.insert(entry.record.writer);
                    stats.count(&entry.record, &mut durations);
                }
            }
        }
        stats.writers = writers.len();
        (stats.p50_ms, stats.p95_ms) = (durations.percentile(50), durations.percentile(95));
        for tool in stats.tools.values_mut() {
            (tool.p50_ms, tool.p95_ms) = (tool.durations.percentile(50), tool.durations.percentile(95));
        }
        stats
    }

    fn count(&mut self, record: &Record, durations: &mut Histogram) {
        self.records += 1;
        self.lost += record.lost.unwrap_or(0);
        // Writers run side by side: the first line need not be the earliest.
        let now = &record.timestamp;
        if self.first.as_ref().is_none_or(|first| now < first) {
            self.first = Some(now.clone());
        }
        if self.last.as_ref().is_none_or(|last| now > last) {
            self.last = Some(now.clone());
        }
        match record.event {
            Event::Malformed => self.malformed += 1,
            Event::Call => self.count_call(record, durations),
            Event::SkillsDiscovered
            | Event::ActivateSkill
            | Event::DeactivateSkill
            | Event::PhaseAdvance
            | Event::PhaseViolation
            | Event::PolicyChanged
            | Event::ToolCallBlocked
            | Event::Prompt => *self.skill_events.entry(record.event.as_str()).or_default() += 1,
            Event::Start | Event::Intent | Event::Recovered | Event::Gap | Event::End | Event::Other => {}
        }
    }

    fn count_call(&mut self, record: &Record, durations: &mut Histogram) {
        self.calls += 1;
        let failed = record.success != Some(true);
        *(if failed { &mut self.failed } else { &mut self.succeeded }) += 1;
        if let Some(verdict) = &record.verdict {
            *named(&mut self.verdicts, verdict) += 1;
        }
        let tool = named(&mut self.tools, record.tool.as_deref().unwrap_or(OTHERS));
        tool.calls += 1;
        tool.failed += u64::from(failed);
        if let Some(duration) = record.duration_ms {
            durations.add(duration);
            tool.durations.add(duration);
        }
    }
}

fn named<'a, T: Default>(counts: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let known = counts.len() < MOST_NAMES || counts.contains_key(name);
    counts.entry(if known { name } else { OTHERS }.to_owned()).or_default()
}
