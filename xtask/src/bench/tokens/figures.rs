//! The figures of all sides, for people and for programs.

use serde_json::{Map, Value, json};

use super::{Listing, Outcome, Row, SIDES, sum};
use crate::bench::Report;
use crate::bench::measure::percentile;
use crate::bench::table::Table;

/// Maximum number of letters shown of what is wrong with an answer.
const MAX_FAULT: usize = 160;

pub(super) fn report(rows: &[Row], listings: &[Listing], repositories: Vec<String>) -> Report {
    let mut tables = vec![figures(rows, listings)];
    let faults = faults(rows);
    if !faults.is_empty() {
        let title = "wrong or missing answers".into();
        tables.push(Table { title, columns: vec!["", "side", "why"], rows: faults });
    }
    let values = json!({
        "repositories": repositories,
        "median_ratio": by_side(SIDES.iter().enumerate().skip(1).map(|(at, side)| (*side, json!(median(rows, at))))),
        "tools_list": by_side(listings.iter().map(|listing| (listing.side, json!(listing.tokens)))),
        "questions": rows.iter().map(in_json).collect::<Vec<_>>(),
    });
    let title = "repositories".into();
    let rows = repositories.into_iter().map(|name| vec![name]).collect();
    tables.push(Table { title, columns: vec![""], rows });
    Report { tables, values }
}

fn figures(rows: &[Row], listings: &[Listing]) -> Table {
    let mut columns = vec![""];
    columns.extend(SIDES);
    columns.extend(["÷ grep and read", "÷ agent-lsp", "÷ serena"]);
    let others = || 1..SIDES.len();
    let decimal = |ratio: Option<f64>| ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
    let mut lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut cells = vec![row.question.title()];
            cells.extend(row.outcomes.iter().map(cell));
            cells.extend(others().map(|side| decimal(ratio(row, side))));
            cells
        })
        .collect();

    let right = |side: usize| rows.iter().filter(|row| row.outcomes[side].tokens().is_some()).count();
    let mut counts = vec!["right answers".to_owned()];
    counts.extend((0..SIDES.len()).map(|side| format!("{} of {}", right(side), rows.len())));
    lines.push(counts);

    let mut medians = vec!["median ratio, where both are right".to_owned()];
    medians.extend(SIDES.iter().map(|_| String::new()));
    medians.extend(others().map(|side| decimal(median(rows, side))));
    lines.push(medians);

    let mut lists = vec!["the list of all tools, once in a conversation".to_owned()];
    lists.extend(SIDES.iter().map(|side| {
        let listing = listings.iter().find(|listing| listing.side == *side);
        listing.map_or(String::new(), |listing| listing.tokens.to_string())
    }));
    lines.push(lists);
    Table {
        title: "tokens (bytes ÷ 4) read for an answer, and those of bowline ÷ those of the others".into(),
        columns,
        rows: lines,
    }
}

fn cell(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answer { parts, fault: None } => sum(parts).to_string(),
        Outcome::Answer { .. } => "wrong".into(),
        Outcome::Absent(_) => "-".into(),
    }
}

/// Tokens of bowline for one token of the other side, if both are right.
fn ratio(row: &Row, side: usize) -> Option<f64> {
    Some(row.outcomes[0].tokens()? as f64 / row.outcomes[side].tokens()?.max(1) as f64)
}

/// One file of thousands of lines would outweigh all other questions in a sum.
fn median(rows: &[Row], side: usize) -> Option<f64> {
    let mut ratios: Vec<f64> = rows.iter().filter_map(|row| ratio(row, side)).collect();
    (!ratios.is_empty()).then(|| percentile(&mut ratios, 50))
}

fn faults(rows: &[Row]) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for row in rows {
        for (side, outcome) in SIDES.iter().zip(&row.outcomes) {
            let (Outcome::Answer { fault: Some(why), .. } | Outcome::Absent(why)) = outcome else { continue };
            let why: String = why.replace('\n', " ").chars().take(MAX_FAULT).collect();
            lines.push(vec![row.question.title(), (*side).to_owned(), why]);
        }
    }
    lines
}

fn in_json(row: &Row) -> Value {
    let outcome = |outcome: &Outcome| match outcome {
        Outcome::Answer { parts, fault } => json!({
            "tokens": sum(parts), "fault": fault,
            "parts": parts.iter().map(|part| json!([part.what, part.tokens])).collect::<Vec<_>>(),
        }),
        Outcome::Absent(why) => json!({ "tokens": null, "not_asked": why }),
    };
    let sides = SIDES.iter().zip(&row.outcomes);
    json!({
        "repository": row.question.repository, "question": row.question.title(),
        "answers": by_side(sides.map(|(side, told)| (*side, outcome(told)))),
    })
}

fn by_side(values: impl Iterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    values.map(|(side, value)| (side.replace(' ', "_"), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::super::questions::QUESTIONS;
    use super::*;

    fn row(outcomes: [(usize, Option<&str>); 4]) -> Row {
        let outcome = |(tokens, fault): (usize, Option<&str>)| Outcome::Answer {
            parts: vec![Part { what: "a.py".into(), tokens }],
            fault: fault.map(str::to_owned),
        };
        Row { question: &QUESTIONS[0], outcomes: outcomes.map(outcome).into() }
    }

    #[test]
    fn wrong_answers_have_no_ratio_on_any_side() {
        let right = row([(100, None), (1000, None), (200, None), (50, None)]);
        let mut wrong = row([(100, None), (400, None), (1, Some("nothing")), (1, None)]);
        wrong.outcomes[3] = Outcome::Absent("it does not start".into());
        let ours_wrong = row([(1, Some("nothing")), (400, None), (400, None), (400, None)]);
        let listings = [Listing { side: "serena", tokens: 7 }];
        let report = report(&[right, wrong, ours_wrong], &listings, vec!["flask 1".into()]);
        let rows = &report.tables[0].rows;
        assert_eq!(rows[0][1..], ["100", "1000", "200", "50", "0.10", "0.50", "2.00"]);
        assert_eq!(rows[1][1..], ["100", "400", "wrong", "-", "0.25", "-", "-"]);
        assert_eq!(rows[2][1..], ["wrong", "400", "400", "400", "-", "-", "-"]);
        assert_eq!(rows[3][1..], ["2 of 3", "3 of 3", "2 of 3", "2 of 3"]);
        assert_eq!(rows[4][5..], ["0.10", "0.50", "2.00"]);
        assert_eq!(rows[5][1..], ["", "", "", "7"]);
        let faults: Vec<&str> = report.tables[1].rows.iter().map(|row| row[1].as_str()).collect();
        assert_eq!(faults, ["agent-lsp", "serena", "bowline"]);
    }

    #[test]
    fn programs_see_every_answer_and_why_there_is_none() {
        let mut wrong = row([(10, None), (40, None), (20, Some("nothing")), (0, None)]);
        wrong.outcomes[3] = Outcome::Absent("it does not start".into());
        let values = report(&[wrong], &[], Vec::new()).values;
        assert_eq!(
            values["median_ratio"],
            json!({ "grep_and_read": 0.25, "agent-lsp": null, "serena": null })
        );
        let answers = &values["questions"][0]["answers"];
        assert_eq!(answers["agent-lsp"]["fault"], "nothing");
        assert_eq!(answers["serena"], json!({ "tokens": null, "not_asked": "it does not start" }));
        assert_eq!(answers["bowline"]["parts"], json!([["a.py", 10]]));
    }
}
