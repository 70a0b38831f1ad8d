//! The figures of the tools that read, for people and for programs.

use serde_json::{Value, json};

use super::{Row, Sample};
use crate::bench::Report;
use crate::bench::measure::percentile;
use crate::bench::table::Table;
use crate::bench::tokens::reading::tokens;

/// Milliseconds more than the server, at the median.
const ADDED: f64 = 1.0;
/// Nothing takes longer.
const LONGEST: f64 = 10_000.0;
/// No answer has more tokens unless it is asked for.
const TOKENS: usize = 10_000;

impl Row {
    fn first(&self, percent: usize) -> f64 {
        percentile(&mut self.samples.iter().map(|sample| sample.first).collect::<Vec<_>>(), percent)
    }

    fn warm(sample: &Sample) -> f64 {
        sample.again.unwrap_or(sample.first)
    }

    /// What is added to the server at the median, when all are warm.
    fn added(&self) -> f64 {
        let ours = percentile(&mut self.samples.iter().map(Self::warm).collect::<Vec<_>>(), 50);
        ours - percentile(&mut self.samples.iter().map(|sample| sample.raw_again).collect::<Vec<_>>(), 50)
    }

    fn largest(&self) -> usize {
        self.samples.iter().map(|sample| tokens(sample.bytes)).max().unwrap_or(0)
    }

    fn equal(&self) -> String {
        let told: Vec<bool> = self.samples.iter().filter_map(|sample| sample.is_equal).collect();
        let equal = told.iter().filter(|is_equal| **is_equal).count();
        if told.is_empty() { String::new() } else { format!("{equal} of {}", told.len()) }
    }

    fn missed(&self) -> String {
        let mut missed = Vec::new();
        let is_one_request = ["go_to_definition", "find_references", "list_symbols"].contains(&self.tool);
        if is_one_request && self.added() > ADDED {
            missed.push("slower than raw + 1 ms");
        }
        if self.first(100) > LONGEST {
            missed.push("over 10 s");
        }
        if self.largest() > TOKENS {
            missed.push("over 10,000 tokens");
        }
        missed.join(", ")
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let millis =
            |value: f64| if value < 10.0 { format!("{value:.1} ms") } else { format!("{value:.0} ms") };
        let of = |read: &dyn Fn(&Sample) -> f64| {
            millis(percentile(&mut self.samples.iter().map(read).collect::<Vec<_>>(), 50))
        };
        let mut sizes: Vec<f64> = self.samples.iter().map(|sample| tokens(sample.bytes) as f64).collect();
        vec![
            self.repository.short().to_owned(),
            self.tool.to_owned(),
            self.samples.len().to_string(),
            of(&|sample| sample.first),
            millis(self.first(95)),
            millis(self.first(100)),
            of(&Self::warm),
            of(&|sample| sample.raw_first),
            of(&|sample| sample.raw_again),
            format!("{:+.1} ms", self.added()),
            format!("{:.0}", percentile(&mut sizes, 50)),
            self.largest().to_string(),
            self.equal(),
            self.missed(),
        ]
    }

    pub(super) fn line(&self) -> String {
        self.cells().join("  ")
    }
}

const COLUMNS: [&str; 14] = [
    "repository",
    "tool",
    "asked",
    "first, median",
    "p95",
    "max",
    "again, median",
    "raw, first",
    "raw, again",
    "added",
    "tokens, median",
    "tokens, max",
    "equal",
    "missed",
];

pub(super) fn report(rows: &[Row]) -> Report {
    let table = Table {
        title: "tools that read, on real repositories: milliseconds beside the server's own answer".into(),
        columns: COLUMNS.to_vec(),
        rows: rows.iter().map(Row::cells).collect(),
    };
    let mut tables = vec![table];
    let faults: Vec<Vec<String>> = rows
        .iter()
        .flat_map(|row| {
            let with_fault = row.samples.iter().filter(|sample| sample.fault.is_some());
            with_fault.take(3).map(|sample| {
                let fault = sample.fault.as_deref().unwrap_or_default().replace('\n', " ");
                let shown = fault.chars().take(200).collect();
                vec![row.repository.short().to_owned(), row.tool.to_owned(), sample.about.clone(), shown]
            })
        })
        .collect();
    if !faults.is_empty() {
        let columns = vec!["repository", "tool", "about", "fault"];
        tables.push(Table { title: "faults, the first three of each".into(), columns, rows: faults });
    }
    Report { tables, values: rows.iter().map(in_json).collect() }
}

fn in_json(row: &Row) -> Value {
    let sample = |sample: &Sample| {
        json!({
            "about": sample.about, "first_ms": sample.first, "again_ms": sample.again,
            "raw_first_ms": sample.raw_first, "raw_again_ms": sample.raw_again, "bytes": sample.bytes,
            "tokens": tokens(sample.bytes), "is_equal": sample.is_equal, "fault": sample.fault,
        })
    };
    json!({
        "repository": row.repository.short(), "language": row.repository.language.name(), "tool": row.tool,
        "added_ms": row.added(), "max_ms": row.first(100), "missed": row.missed(),
        "samples": row.samples.iter().map(sample).collect::<Vec<_>>(),
    })
}
