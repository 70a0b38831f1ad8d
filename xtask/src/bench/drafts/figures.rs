//! The figures of all sides beside each other, and whether their verdicts were right.

use serde_json::{Value, json};

use super::project::{Kind, Language};
use super::{Rounds, Sample};
use crate::bench::measure::percentile;
use crate::bench::table::Table;

/// What we may add to what the server takes, in milliseconds.
const MOST: f64 = 50.0;

/// One server and one edit.
pub(super) struct Row {
    pub(super) language: &'static Language,
    pub(super) kind: Kind,
    pub(super) raw: Vec<Sample>,
    pub(super) peer: Vec<Sample>,
    pub(super) ours: Vec<Sample>,
}

impl Row {
    fn name(&self) -> String {
        let itself = if self.language.name == "rust" { "cargo check" } else { self.language.server };
        itself.to_owned()
    }

    fn ours(&self) -> Option<f64> {
        median(&self.ours, |sample| Some(sample.took.as_secs_f64()))
    }

    /// Of the server: the files as they are, and with the edit.
    fn both(&self) -> Option<f64> {
        median(&self.raw, |sample| Some(sample.took.as_secs_f64()))
    }

    /// Of the server: with the edit alone.
    fn draft(&self) -> Option<f64> {
        median(&self.raw, |sample| Some(sample.draft?.as_secs_f64()))
    }
}

/// In milliseconds.
fn median(samples: &[Sample], of: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
    let mut values: Vec<f64> = samples.iter().filter_map(of).map(|seconds| seconds * 1000.0).collect();
    (!values.is_empty()).then(|| percentile(&mut values, 50))
}

fn wrong(samples: &[Sample]) -> usize {
    samples.iter().filter(|sample| sample.fault.is_some()).count()
}

fn verdict(samples: &[Sample]) -> String {
    match (samples.len(), wrong(samples)) {
        (0, _) => "–".into(),
        (_, 0) => "right".into(),
        (all, wrong) if all == wrong => "wrong".into(),
        (all, wrong) => format!("{wrong} of {all} wrong"),
    }
}

fn shown(millis: Option<f64>) -> String {
    millis.map_or_else(|| "–".into(), |millis| format!("{millis:.0} ms"))
}

fn added(ours: Option<f64>, raw: Option<f64>) -> Option<f64> {
    Some(ours? - raw?)
}

fn more(added: Option<f64>) -> String {
    added.map_or_else(|| "–".into(), |added| format!("{added:+.0} ms"))
}

fn ratio(ours: Option<f64>, raw: Option<f64>) -> String {
    match (ours, raw) {
        (Some(ours), Some(raw)) => format!("{:.2}", ours / raw),
        _ => "–".into(),
    }
}

fn met(added: Option<f64>) -> &'static str {
    match added {
        Some(added) if added <= MOST => "met",
        Some(_) => "missed",
        None => "–",
    }
}

pub(super) fn previews(rows: &[Row], rounds: &Rounds, load: &str) -> (Vec<Table>, Value) {
    let conditions = format!("medians of {}, of the peer {}; load {load}", rounds.measured, rounds.peer);
    let times = rows.iter().map(|row| {
        let (ours, both, draft) = (row.ours(), row.both(), row.draft());
        let compared = row.ours.last().and_then(|sample| sample.compared);
        vec![
            row.name(),
            row.kind.name().to_owned(),
            compared.map_or_else(|| "–".into(), |files| files.to_string()),
            shown(draft),
            shown(both),
            shown(ours),
            more(added(ours, both)),
            more(added(ours, draft)),
            ratio(ours, both),
            ratio(ours, draft),
            met(added(ours, both)).to_owned(),
        ]
    });
    let peers = rows.iter().map(|row| {
        let peer = median(&row.peer, |sample| Some(sample.took.as_secs_f64()));
        vec![
            row.name(),
            row.kind.name().to_owned(),
            shown(peer),
            shown(row.ours()),
            ratio(peer, row.ours()),
            verdict(&row.raw),
            verdict(&row.peer),
            verdict(&row.ours),
        ]
    });
    let mut tables = vec![
        Table {
            title: format!(
                "preview_edit, warm; target: within {MOST} ms of what the server takes, before and with the edit; {conditions}"
            ),
            columns: vec![
                "",
                "edit",
                "files",
                "raw, edit only",
                "raw, before + edit",
                "bowline",
                "bowline − raw",
                "− edit only",
                "bowline ÷ raw",
                "÷ edit only",
                "",
            ],
            rows: times.collect(),
        },
        Table {
            title: "preview_edit beside the peer's, and whose verdict was right".into(),
            columns: vec![
                "",
                "edit",
                "agent-lsp",
                "bowline",
                "agent-lsp ÷ bowline",
                "raw",
                "agent-lsp",
                "bowline",
            ],
            rows: peers.collect(),
        },
    ];
    tables.extend(faults(rows));
    (tables, rows.iter().map(in_json).collect())
}

fn faults(rows: &[Row]) -> Option<Table> {
    let lines = rows.iter().flat_map(|row| {
        [("raw", &row.raw), ("agent-lsp", &row.peer), ("bowline", &row.ours)].into_iter().filter_map(
            |(who, samples)| {
                let fault = samples.iter().find_map(|sample| sample.fault.as_ref())?;
                let said: String = fault.replace('\n', " ").chars().take(160).collect();
                Some(vec![format!("{}, {}", row.name(), row.kind.name()), who.to_owned(), said])
            },
        )
    });
    let rows: Vec<Vec<String>> = lines.collect();
    (!rows.is_empty()).then(|| Table {
        title: "wrong verdicts".into(),
        columns: vec!["", "of", "first fault"],
        rows,
    })
}

fn in_json(row: &Row) -> Value {
    let side = |samples: &[Sample]| {
        let took = |percent| {
            let mut millis: Vec<f64> =
                samples.iter().map(|sample| sample.took.as_secs_f64() * 1000.0).collect();
            (!millis.is_empty()).then(|| percentile(&mut millis, percent))
        };
        json!({
            "median_ms": took(50), "p95_ms": took(95), "answers": samples.len(), "wrong": wrong(samples),
            "fault": samples.iter().find_map(|sample| sample.fault.as_ref()),
            "files": samples.last().and_then(|sample| sample.compared),
        })
    };
    json!({
        "server": row.name(), "edit": row.kind.name(),
        "added_ms": added(row.ours(), row.both()), "added_to_edit_only_ms": added(row.ours(), row.draft()),
        "target_ms": MOST, "raw_edit_only_ms": row.draft(),
        "raw": side(&row.raw), "agent_lsp": side(&row.peer), "bowline": side(&row.ours),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::project::LANGUAGES;
    use super::*;

    #[test]
    fn what_is_added_is_told_of_both_and_a_wrong_verdict_is_seen() {
        let sample = |took, draft: Option<u64>, fault: Option<&str>| Sample {
            took: Duration::from_millis(took),
            draft: draft.map(Duration::from_millis),
            fault: fault.map(str::to_owned),
            compared: Some(15),
        };
        let row = Row {
            language: &LANGUAGES[0],
            kind: Kind::Signature,
            raw: vec![sample(100, Some(70), None)],
            peer: vec![sample(500, None, Some("called safe")), sample(500, None, None)],
            ours: vec![sample(160, None, None)],
        };
        let rounds = Rounds { warm_up: 0, measured: 1, peer: 2 };
        let (tables, values) = previews(&[row], &rounds, "0.1");
        assert_eq!(
            tables[0].rows[0][2..],
            ["15", "70 ms", "100 ms", "160 ms", "+60 ms", "+90 ms", "1.60", "2.29", "missed"]
        );
        assert_eq!(tables[1].rows[0][4..], ["3.12", "right", "1 of 2 wrong", "right"]);
        assert_eq!(tables[2].rows[0][2], "called safe");
        assert_eq!(values[0]["added_ms"], 60.0);
    }
}
