//! The figures of all sides beside each other.

use serde_json::{Value, json};

use super::Rounds;
use super::rename::Row as Renamed;
use super::symbol::Row as Edited;
use crate::bench::measure::percentile;
use crate::bench::table::Table;

/// So many times what the server takes to say where the symbols are.
const MOST_OF_SERVER: f64 = 3.0;
/// So many times what it takes to write the files, beside what the server takes to answer.
const MOST_OF_WRITING: f64 = 3.0;

fn median(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| percentile(&mut values.to_vec(), 50))
}

fn shown(millis: Option<f64>) -> String {
    millis.map_or_else(|| "–".into(), |millis| format!("{millis:.1} ms"))
}

fn ratio(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? / other?)
}

fn less(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some((one? - other?).max(0.0))
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}"))
}

fn met(is_met: Option<bool>) -> String {
    is_met.map_or("–", |is_met| if is_met { "met" } else { "missed" }).to_owned()
}

/// One tool on one file.
struct Line<'a> {
    row: &'a Edited,
    tool: &'static str,
    server: Option<f64>,
    written: Option<f64>,
    ours: Option<f64>,
}

impl Line<'_> {
    fn whole(&self) -> Option<f64> {
        ratio(self.ours, self.server)
    }

    fn without_writing(&self) -> Option<f64> {
        ratio(less(self.ours, self.written), self.server)
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.row.language.server.to_owned(),
            self.tool.to_owned(),
            self.row.lines.to_string(),
            shown(self.server),
            shown(self.written),
            shown(self.ours),
            times(self.whole()),
            times(ratio(self.ours, self.written)),
            times(self.without_writing()),
            met(self.whole().map(|ratio| ratio < MOST_OF_SERVER)),
        ]
    }

    fn in_json(&self) -> Value {
        let p95 = |values: &[f64]| (!values.is_empty()).then(|| percentile(&mut values.to_vec(), 95));
        let row = self.row;
        json!({
            "server": row.language.server, "tool": self.tool, "lines": row.lines,
            "server_ms": self.server, "written_ms": self.written, "bowline_ms": self.ours,
            "replaced_p95_ms": p95(&row.replaced), "inserted_p95_ms": p95(&row.inserted),
            "ratio": self.whole(), "ratio_without_writing": self.without_writing(),
            "target": MOST_OF_SERVER, "checked_ms": median(&row.checked),
            "agent_lsp_ms": median(&row.peer), "agent_lsp_fault": row.fault,
        })
    }
}

pub(super) fn symbols(rows: &[Edited], rounds: &Rounds, load: &str) -> (Vec<Table>, Value) {
    let lines: Vec<Line<'_>> = rows
        .iter()
        .flat_map(|row| {
            [("replace_symbol_body", &row.replaced), ("insert_after_symbol", &row.inserted)].map(
                |(tool, ours)| Line {
                    row,
                    tool,
                    server: median(&row.server),
                    written: median(&row.written),
                    ours: median(ours),
                },
            )
        })
        .collect();
    let peers = rows.iter().map(|row| {
        let (peer, checked) = (median(&row.peer), median(&row.checked));
        vec![
            row.language.server.to_owned(),
            row.lines.to_string(),
            shown(peer),
            shown(checked),
            times(ratio(peer, checked)),
            row.fault.as_ref().map_or_else(String::new, |fault| cut(fault)),
        ]
    });
    let tables = vec![
        Table {
            title: format!(
                "a symbol edit, warm; the server alone: it is shown the file and lists its symbols; target: less than \
                 {MOST_OF_SERVER} × that; medians of {}; load {load}",
                rounds.measured
            ),
            columns: vec![
                "",
                "tool",
                "lines",
                "server alone",
                "written and synced",
                "bowline",
                "÷ server",
                "÷ written",
                "without writing ÷ server",
                "",
            ],
            rows: lines.iter().map(Line::cells).collect(),
        },
        Table {
            title: format!(
                "replace_symbol_body with a look at the diagnostics, as the peer does it; medians of {}",
                rounds.peer
            ),
            columns: vec!["", "lines", "agent-lsp", "bowline", "agent-lsp ÷ bowline", "fault of agent-lsp"],
            rows: peers.collect(),
        },
    ];
    (tables, lines.iter().map(Line::in_json).collect())
}

fn cut(fault: &str) -> String {
    fault.replace('\n', " ").chars().take(120).collect()
}

pub(super) fn renames(rows: &[Renamed], rounds: &Rounds, load: &str) -> (Vec<Table>, Value) {
    let (cells, values): (Vec<_>, Vec<_>) = rows.iter().map(rename).unzip();
    let table = Table {
        title: format!(
            "a rename over 100 files, warm; target: beside the server's answer, at most {MOST_OF_WRITING} × what it \
             takes to write each aside, sync it and put it in place; medians of {}; load {load}",
            rounds.renamed
        ),
        columns: vec![
            "",
            "server answers",
            "written and synced",
            "each put in place",
            "bowline",
            "− answer",
            "÷ written",
            "÷ put in place",
            "whole ÷ (answer + put in place)",
            "",
        ],
        rows: cells,
    };
    let next = rows.iter().map(|row| {
        let (server, ours) = (median(&row.next_answered), median(&row.next_ours));
        vec![row.language.server.to_owned(), shown(server), shown(ours), times(ratio(ours, server))]
    });
    let next = Table {
        title: "the first question after a rename over 100 files: the next rename, not yet written".into(),
        columns: vec!["", "server alone", "bowline", "bowline ÷ server"],
        rows: next.collect(),
    };
    (vec![table, next], values.into())
}

fn rename(row: &Renamed) -> (Vec<String>, Value) {
    let (answered, written) = (median(&row.answered), median(&row.written));
    let (replaced, ours) = (median(&row.replaced), median(&row.ours));
    let added = less(ours, answered);
    let ratio_added = ratio(added, replaced);
    let both = answered.zip(replaced).map(|(answered, replaced)| answered + replaced);
    let whole = ratio(ours, both);
    let cells = vec![
        row.language.server.to_owned(),
        shown(answered),
        shown(written),
        shown(replaced),
        shown(ours),
        shown(added),
        times(ratio(added, written)),
        times(ratio_added),
        times(whole),
        met(ratio_added.map(|ratio| ratio <= MOST_OF_WRITING)),
    ];
    let value = json!({
        "server": row.language.server, "files": row.files, "answered_ms": answered, "written_ms": written,
        "put_in_place_ms": replaced, "bowline_ms": ours, "added_ms": added,
        "added_ratio": ratio_added, "whole_ratio": whole, "target": MOST_OF_WRITING,
        "next_answered_ms": median(&row.next_answered), "next_bowline_ms": median(&row.next_ours),
    });
    (cells, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::drafts::project::LANGUAGES;

    const ROUNDS: Rounds = Rounds { warm_up: 0, measured: 1, peer: 1, renamed: 1 };

    #[test]
    fn a_symbol_edit_is_told_with_its_writing_and_without() {
        let row = Edited {
            language: &LANGUAGES[0],
            lines: 28,
            server: vec![4.0],
            written: vec![3.0],
            replaced: vec![9.0],
            inserted: vec![13.0],
            checked: vec![50.0],
            peer: Vec::new(),
            fault: Some("symbol not\nfound".into()),
        };
        let (tables, values) = symbols(&[row], &ROUNDS, "0.1");
        assert_eq!(tables[0].rows[0][6..], ["2.25", "3.00", "1.50", "met"]);
        assert_eq!(tables[0].rows[1][6..], ["3.25", "4.33", "2.50", "missed"]);
        assert_eq!(tables[1].rows[0][2..], ["–", "50.0 ms", "–", "symbol not found"]);
        assert_eq!(values[0]["ratio"], 2.25);
    }

    #[test]
    fn a_rename_is_told_beside_the_answer_of_the_server() {
        let row = Renamed {
            language: &LANGUAGES[0],
            files: 100,
            answered: vec![100.0],
            written: vec![150.0],
            replaced: vec![200.0],
            ours: vec![400.0],
            next_answered: vec![120.0],
            next_ours: vec![180.0],
        };
        let (tables, values) = renames(&[row], &ROUNDS, "0.1");
        assert_eq!(tables[0].rows[0][5..], ["300.0 ms", "2.00", "1.50", "1.33", "met"]);
        assert_eq!(tables[1].rows[0][1..], ["120.0 ms", "180.0 ms", "1.50"]);
        assert_eq!(values[0]["added_ratio"], 1.5);
    }
}
