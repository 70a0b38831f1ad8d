//! What is added to each request, by server and over all of them.

use serde_json::{Value, json};

use crate::bench::Report;
use crate::bench::measure::percentile;
use crate::bench::servers::contest::{Cell, Rounds};
use crate::bench::table::Table;
use crate::questions::{Question, REQUESTS};

/// What we may add to a request, in milliseconds.
const MOST: f64 = 1.0;

/// One server and one request.
pub(super) struct Row {
    pub(super) server: &'static str,
    pub(super) question: Question,
    /// Answered from what was found out before; no server is asked.
    pub(super) is_cached: bool,
    pub(super) raw: Cell,
    pub(super) ours: Cell,
}

impl Row {
    /// Only times of right answers are compared.
    fn added(&self) -> Option<f64> {
        let median = |cell: &Cell| cell.percentile(50).filter(|_| cell.is_right());
        Some(median(&self.ours)? - median(&self.raw)?)
    }

    fn name(&self) -> String {
        if self.is_cached {
            format!("{}, from our cache", self.question.name())
        } else {
            self.question.name().into()
        }
    }
}

pub(super) fn report(rows: &[Row], missing: &[(&str, Vec<Question>)], rounds: &Rounds) -> Report {
    let all: Vec<f64> = rows.iter().filter(|row| !row.is_cached).filter_map(Row::added).collect();
    let overall = median(&all);
    let within = all.iter().filter(|added| **added <= MOST).count();
    let mut tables = vec![over_all(rows, &all, overall, within), each(rows, rounds)];
    tables.extend(faults(rows));
    tables.extend(not_offered(missing));
    let values = json!({
        "median_added_ms": overall,
        "target_ms": MOST,
        "rows_within": within,
        "rows_compared": all.len(),
        "rows": rows.iter().map(in_json).collect::<Vec<_>>(),
        "not_offered": missing
            .iter()
            .map(|(server, questions)| {
                let names: Vec<&str> = questions.iter().map(|question| question.name()).collect();
                ((*server).to_owned(), json!(names))
            })
            .collect::<serde_json::Map<String, Value>>(),
    });
    Report { tables, values }
}

fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    (!values.is_empty()).then(|| percentile(&mut values, 50))
}

fn shown(added: Option<f64>) -> String {
    added.map_or_else(|| "–".into(), |added| format!("{added:+.2} ms"))
}

fn met(added: Option<f64>) -> String {
    match added {
        Some(added) if added <= MOST => "met".into(),
        Some(_) => "missed".into(),
        None => String::new(),
    }
}

/// By request, over all servers that were compared, and over everything.
fn over_all(rows: &[Row], all: &[f64], overall: Option<f64>, within: usize) -> Table {
    let mut lines =
        vec![vec!["all".to_owned(), shown(overall), format!("{within} of {}", all.len()), met(overall)]];
    for question in REQUESTS {
        let of: Vec<f64> = rows
            .iter()
            .filter(|row| row.question == question && !row.is_cached)
            .filter_map(Row::added)
            .collect();
        let least = of.iter().filter(|added| **added <= MOST).count();
        let middle = median(&of);
        lines.push(vec![
            question.name().to_owned(),
            shown(middle),
            format!("{least} of {}", of.len()),
            met(middle),
        ]);
    }
    Table {
        title: format!(
            "what bowline adds to a warm request, median over the servers; target: within {MOST} ms"
        ),
        columns: vec!["", "bowline − raw", "within", ""],
        rows: lines,
    }
}

fn each(rows: &[Row], rounds: &Rounds) -> Table {
    let time = |cell: &Cell| match cell.percentile(50) {
        Some(median) if cell.is_right() => format!("{median:.2} ms"),
        Some(median) => format!("{median:.2} ms, wrong"),
        None => "no answer".into(),
    };
    let tail = |cell: &Cell| cell.percentile(95).map_or_else(|| "–".into(), |tail| format!("{tail:.2} ms"));
    let lines = rows.iter().map(|row| {
        vec![
            row.server.to_owned(),
            row.name(),
            shown(row.added()),
            time(&row.raw),
            time(&row.ours),
            tail(&row.raw),
            tail(&row.ours),
        ]
    });
    Table {
        title: format!(
            "warm requests, medians of {}; our cache is out of reach but where it is named",
            rounds.asked
        ),
        columns: vec!["server", "request", "bowline − raw", "raw", "bowline", "raw, 95 %", "bowline, 95 %"],
        rows: lines.collect(),
    }
}

fn faults(rows: &[Row]) -> Option<Table> {
    let lines = rows.iter().flat_map(|row| {
        [("raw", &row.raw), ("bowline", &row.ours)].into_iter().filter_map(|(who, cell)| {
            let fault = cell.fault.as_ref()?;
            let said: String = fault.replace('\n', " ").chars().take(160).collect();
            Some(vec![format!("{}, {}", row.server, row.name()), who.to_owned(), said])
        })
    });
    let rows: Vec<Vec<String>> = lines.collect();
    (!rows.is_empty()).then(|| Table {
        title: "wrong answers".into(),
        columns: vec!["", "of", "first fault"],
        rows,
    })
}

fn not_offered(missing: &[(&str, Vec<Question>)]) -> Option<Table> {
    let lines = missing.iter().filter(|(_, questions)| !questions.is_empty()).map(|(server, questions)| {
        let names: Vec<&str> = questions.iter().map(|question| question.name()).collect();
        vec![(*server).to_owned(), names.join(", ")]
    });
    let rows: Vec<Vec<String>> = lines.collect();
    (!rows.is_empty()).then(|| Table {
        title: "not offered by the server".into(),
        columns: vec!["", ""],
        rows,
    })
}

fn in_json(row: &Row) -> Value {
    let cell = |cell: &Cell| {
        json!({
            "median_ms": cell.percentile(50), "p95_ms": cell.percentile(95), "answers": cell.millis.len(),
            "wrong": cell.wrong, "fault": cell.fault,
        })
    };
    json!({
        "server": row.server, "request": row.name(), "added_ms": row.added(),
        "raw": cell(&row.raw), "bowline": cell(&row.ours),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_from_the_cache_and_wrong_ones_are_not_counted() {
        let cell = |millis: f64, fault: Option<&str>| Cell {
            millis: vec![millis],
            fault: fault.map(str::to_owned),
            ..Cell::default()
        };
        let row = |question, is_cached, ours| Row {
            server: "gopls",
            question,
            is_cached,
            raw: cell(2.0, None),
            ours,
        };
        let rows = [
            row(Question::References, false, cell(2.5, None)),
            row(Question::References, true, cell(0.2, None)),
            row(Question::Hover, false, cell(9.0, Some("found 1, and the server 2"))),
        ];
        let rounds = Rounds { warm_up: 0, asked: 1, diagnosed: 0 };
        let report = report(&rows, &[("gopls", vec![Question::Declaration])], &rounds);
        assert_eq!(report.tables[0].rows[0], ["all", "+0.50 ms", "1 of 1", "met"]);
        assert_eq!(report.tables[1].rows[1][..3], ["gopls", "references, from our cache", "-1.80 ms"]);
        assert_eq!(report.tables[2].rows.len(), 1);
        assert_eq!(report.tables[3].rows[0], ["gopls", "declaration"]);
        assert_eq!(report.values["median_added_ms"], 0.5);
    }
}
