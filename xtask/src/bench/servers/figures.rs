//! The figures of all contestants side by side.

use serde_json::{Map, Value, json};

use super::contest::Cell;
use super::through::Cold;
use crate::bench::measure::percentile;
use crate::bench::table::Table;
use crate::questions::Question;

/// What we may add to what a server itself takes, in milliseconds: the median over all rows.
const MOST: f64 = 1.0;

/// One server and one question.
pub(crate) struct Row {
    pub(crate) server: &'static str,
    pub(crate) question: Question,
    pub(crate) raw: Cell,
    pub(crate) peer: Cell,
    pub(crate) ours: Cell,
}

impl Row {
    fn added(&self) -> Option<f64> {
        both(&self.ours, &self.raw, |ours, raw| ours - raw)
    }

    fn ratio(&self, of: &Cell) -> Option<f64> {
        both(of, &self.raw, |of, raw| of / raw)
    }
}

/// Only times of right answers are compared.
fn both(left: &Cell, right: &Cell, compare: impl Fn(f64, f64) -> f64) -> Option<f64> {
    let median = |cell: &Cell| cell.percentile(50).filter(|_| cell.is_right());
    Some(compare(median(left)?, median(right)?))
}

pub(crate) fn warm(rows: &[Row], conditions: &str) -> (Vec<Table>, Value) {
    let dash = || "–".to_owned();
    let shown = rows.iter().map(|row| {
        let ratio = |of| row.ratio(of).map_or_else(dash, |ratio| format!("{ratio:.2}"));
        vec![
            row.server.to_owned(),
            row.question.name().to_owned(),
            time(&row.raw),
            time(&row.peer),
            time(&row.ours),
            row.added().map_or_else(dash, |added| format!("{added:+.2} ms")),
            ratio(&row.peer),
            ratio(&row.ours),
        ]
    });
    let mut tables = vec![Table {
        title: format!("warm answers, medians; {conditions}"),
        columns: vec![
            "server",
            "question",
            "raw",
            "agent-lsp",
            "bowline",
            "bowline − raw",
            "agent-lsp ÷ raw",
            "bowline ÷ raw",
        ],
        rows: shown.collect(),
    }];
    tables.extend(faults(rows));
    // What has the compiler run is another question, of one server only.
    let mut added: Vec<f64> =
        rows.iter().filter(|row| row.question != Question::Checked).filter_map(Row::added).collect();
    let median = percentile(&mut added, 50);
    let met = if median < MOST { "met" } else { "missed" };
    tables.push(Table {
        title: "what bowline adds to what the server takes, median of all rows".into(),
        columns: vec!["", "bowline − raw", "target", ""],
        rows: vec![vec![
            format!("{} rows", added.len()),
            format!("{median:+.2} ms"),
            format!("< {MOST} ms"),
            met.into(),
        ]],
    });
    let values = json!({
        "rows": rows.iter().map(in_json).collect::<Vec<_>>(),
        "median_added_ms": number(Some(median)),
        "target_ms": MOST,
        "met": met,
    });
    (tables, values)
}

/// A time; a mark where answers were wrong, and it means nothing.
fn time(cell: &Cell) -> String {
    match cell.percentile(50) {
        Some(_) if cell.wrong == cell.millis.len() => "wrong".into(),
        Some(median) if cell.is_right() => format!("{median:.2} ms"),
        Some(median) => format!("{median:.2} ms, wrong"),
        None => "no answer".into(),
    }
}

/// What was wrong, in words.
fn faults(rows: &[Row]) -> Option<Table> {
    let lines = rows.iter().flat_map(|row| {
        let cells = [("raw", &row.raw), ("agent-lsp", &row.peer), ("bowline", &row.ours)];
        cells.into_iter().filter_map(|(who, cell)| {
            let fault = cell.fault.as_ref()?;
            let said: String = fault.replace('\n', " ").chars().take(120).collect();
            Some(vec![
                format!("{}, {}", row.server, row.question.name()),
                who.to_owned(),
                format!("{} of {}", cell.wrong, cell.millis.len()),
                said,
            ])
        })
    });
    let rows: Vec<Vec<String>> = lines.collect();
    (!rows.is_empty()).then(|| Table {
        title: "wrong answers".into(),
        columns: vec!["", "of", "timed answers", "first fault"],
        rows,
    })
}

fn in_json(row: &Row) -> Value {
    json!({
        "server": row.server,
        "question": row.question.name(),
        "raw": cell_in_json(&row.raw),
        "peer": cell_in_json(&row.peer),
        "bowline": cell_in_json(&row.ours),
        "bowline_minus_raw_ms": number(row.added()),
        "peer_to_raw": number(row.ratio(&row.peer)),
        "bowline_to_raw": number(row.ratio(&row.ours)),
    })
}

fn cell_in_json(cell: &Cell) -> Value {
    json!({
        "median_ms": number(cell.percentile(50)),
        "p95_ms": number(cell.percentile(95)),
        "answers": cell.millis.len(),
        "wrong": cell.wrong,
        "fault": cell.fault,
    })
}

fn number(value: Option<f64>) -> Value {
    value
        .filter(|value| value.is_finite())
        .map_or(Value::Null, |value| json!((value * 1000.0).round() / 1000.0))
}

/// One server's beginnings.
pub(crate) struct Beginning {
    pub(crate) server: &'static str,
    pub(crate) ours: Cold,
    pub(crate) peer: Cold,
}

pub(crate) fn cold(beginnings: &[Beginning]) -> (Table, Value) {
    let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
    let shown = |time| seconds(time).map_or_else(|| "never".to_owned(), |time| format!("{time:.2} s"));
    let ratio = |one: &Beginning| Some(seconds(one.ours.useful)? / seconds(one.peer.useful)?);
    let rows = beginnings.iter().map(|one| {
        vec![
            one.server.to_owned(),
            shown(one.ours.useful),
            shown(one.ours.by_server),
            shown(one.peer.useful),
            ratio(one).map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}")),
            one.ours.short.to_string(),
            one.peer.short.to_string(),
        ]
    });
    let table = Table {
        title: "from the start of the program to the first references that are complete, every cache empty"
            .into(),
        columns: vec![
            "server",
            "bowline",
            "its server",
            "agent-lsp",
            "ratio",
            "short before: bowline",
            "agent-lsp",
        ],
        rows: rows.collect(),
    };
    let values: Map<String, Value> = beginnings
        .iter()
        .map(|one| {
            let value = json!({
                "bowline_s": number(seconds(one.ours.useful)),
                "bowline_by_server_s": number(seconds(one.ours.by_server)),
                "peer_s": number(seconds(one.peer.useful)),
                "ratio": number(ratio(one)),
                "bowline_short_answers": one.ours.short,
                "peer_short_answers": one.peer.short,
            });
            (one.server.to_owned(), value)
        })
        .collect();
    (table, values.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn cell(millis: &[f64], wrong: usize) -> Cell {
        let fault = (wrong > 0).then(|| "2 of 4 uses found".to_owned());
        Cell { millis: millis.to_vec(), wrong, fault, given: None }
    }

    #[test]
    fn times_of_wrong_answers_are_not_compared() {
        let row = |ours, peer| Row {
            server: "gopls",
            question: Question::References,
            raw: cell(&[2.0], 0),
            peer,
            ours,
        };
        let rows = [row(cell(&[2.5], 0), cell(&[1.0, 9.0], 2)), row(cell(&[5.0, 5.0], 1), cell(&[], 0))];
        let (tables, values) = warm(&rows, "quick");
        let shown: Vec<&[String]> = tables[0].rows.iter().map(|row| &row[2..]).collect();
        assert_eq!(shown[0], ["2.00 ms", "wrong", "2.50 ms", "+0.50 ms", "–", "1.25"]);
        assert_eq!(shown[1], ["2.00 ms", "no answer", "5.00 ms, wrong", "–", "–", "–"]);
        assert_eq!(tables[1].rows.len(), 2);
        assert_eq!((values["median_added_ms"].as_f64(), values["met"].as_str()), (Some(0.5), Some("met")));
    }

    #[test]
    fn who_never_comes_has_no_ratio() {
        let ours =
            Cold { useful: Some(Duration::from_secs(1)), by_server: Some(Duration::from_secs(2)), short: 0 };
        let (table, values) =
            cold(&[Beginning { server: "gopls", ours, peer: Cold { short: 3, ..Cold::default() } }]);
        assert_eq!(table.rows[0], ["gopls", "1.00 s", "2.00 s", "never", "–", "0", "3"]);
        assert_eq!(values["gopls"]["ratio"], Value::Null);
    }
}
