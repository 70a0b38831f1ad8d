//! The figures of edits in real repositories, for people and for programs.

use serde_json::{Value, json};

use super::edits::{Budget, KINDS};
use super::through::{Verdict, reasons};
use super::{Class, Row};
use crate::bench::measure::percentile;
use crate::bench::repositories::REPOSITORIES;
use crate::bench::table::Table;

/// So much of a reason is shown.
const SHOWN: usize = 300;

impl Row {
    fn name(&self) -> String {
        format!("{}: {}", self.repository.short(), self.edit.name())
    }

    /// What the server takes by itself for what has to be known.
    fn raw_ms(&self) -> Option<f64> {
        let raw = self.raw.as_ref()?;
        Some(match self.edit.budget {
            Budget::Added(_) | Budget::OfFile(_) => raw.file(),
            Budget::OfReferring(_) => raw.referring(),
        })
    }

    fn allowed_ms(&self) -> Option<f64> {
        let raw = self.raw_ms()?;
        Some(match self.edit.budget {
            Budget::Added(more) => raw + more,
            Budget::OfFile(times) | Budget::OfReferring(times) => raw * times,
        })
    }

    fn is_within(&self) -> Option<bool> {
        Some(self.ours.first != Verdict::NotKnown && self.ours.first_ms <= self.allowed_ms()?)
    }

    pub(super) fn line(&self) -> String {
        let raw = self.raw_ms().map_or("-".into(), |raw| format!("{raw:.0} ms"));
        format!(
            "  {:<70} {:<9} {:>7.0} ms  settled {:<9} {:>7.0} ms in {}  raw {raw}",
            self.name(),
            said(self.class(self.ours.first)),
            self.ours.first_ms,
            said(self.class(self.ours.settled)),
            self.ours.settled_ms,
            self.ours.answers
        )
    }
}

fn said(class: Class) -> &'static str {
    match class {
        Class::Right => "right",
        Class::Wrong => "WRONG",
        Class::NotKnown => "not known",
    }
}

/// `load` says how busy the machine was.
pub(super) fn report(rows: &[Row], left_out: &[(&str, String)], load: &str) -> (Vec<Table>, Value) {
    let mut tables = vec![by_repository(rows, load), by_kind(rows)];
    tables.extend(wrong(rows));
    tables.extend(not_known(rows));
    tables.extend(slow(rows));
    if !left_out.is_empty() {
        let lines = left_out.iter().map(|(name, why)| vec![(*name).to_owned(), cut(why)]).collect();
        tables.push(Table { title: "left out".into(), columns: vec!["", "why"], rows: lines });
    }
    let left_out: Vec<Value> =
        left_out.iter().map(|(name, why)| json!({ "repository": name, "why": why })).collect();
    let edits: Vec<Value> = rows.iter().map(in_json).collect();
    (
        tables,
        json!({ "load": load, "edits": edits, "left_out": left_out, "total": summary(&rows.iter().collect::<Vec<_>>()) }),
    )
}

const COLUMNS: [&str; 12] = [
    "",
    "edits",
    "right",
    "wrong",
    "not known",
    "not known, settled",
    "median",
    "p95",
    "settled, median",
    "raw, median",
    "÷ raw, median",
    "within target",
];

fn by_repository(rows: &[Row], load: &str) -> Table {
    let names = REPOSITORIES.iter().map(|repository| (repository.short(), repository.language.name()));
    let mut lines: Vec<Vec<String>> = names
        .filter_map(|(name, language)| {
            let of: Vec<&Row> = rows.iter().filter(|row| row.repository.short() == name).collect();
            (!of.is_empty()).then(|| line(&format!("{name} ({language})"), &of))
        })
        .collect();
    lines.push(line("all", &rows.iter().collect::<Vec<_>>()));
    Table {
        title: format!("edits of real repositories, by repository; the load of the machine was {load}"),
        columns: COLUMNS.to_vec(),
        rows: lines,
    }
}

fn by_kind(rows: &[Row]) -> Table {
    let lines = KINDS.iter().filter_map(|(kind, _)| {
        let of: Vec<&Row> = rows.iter().filter(|row| row.edit.kind == *kind).collect();
        (!of.is_empty()).then(|| line(kind, &of))
    });
    Table { title: "the same, by kind".into(), columns: COLUMNS.to_vec(), rows: lines.collect() }
}

fn line(name: &str, rows: &[&Row]) -> Vec<String> {
    let count = |class: Class| rows.iter().filter(|row| row.class(row.ours.first) == class).count();
    let unsettled = rows.iter().filter(|row| row.class(row.ours.settled) == Class::NotKnown).count();
    let within: Vec<bool> = rows.iter().filter_map(|row| row.is_within()).collect();
    let millis = |value: f64| if value.is_nan() { "-".into() } else { format!("{value:.0} ms") };
    let ratio = median(rows.iter().filter_map(|row| Some(row.ours.first_ms / row.raw_ms()?)));
    let mut first: Vec<f64> = rows.iter().map(|row| row.ours.first_ms).collect();
    vec![
        name.to_owned(),
        rows.len().to_string(),
        count(Class::Right).to_string(),
        count(Class::Wrong).to_string(),
        count(Class::NotKnown).to_string(),
        unsettled.to_string(),
        millis(percentile(&mut first, 50)),
        millis(percentile(&mut first, 95)),
        millis(median(rows.iter().map(|row| row.ours.settled_ms))),
        millis(median(rows.iter().filter_map(|row| row.raw_ms()))),
        if ratio.is_nan() { "-".into() } else { format!("{ratio:.2}") },
        format!("{} of {}", within.iter().filter(|is_within| **is_within).count(), within.len()),
    ]
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    percentile(&mut values.collect::<Vec<_>>(), 50)
}

fn wrong(rows: &[Row]) -> Option<Table> {
    let is_wrong =
        |row: &&Row| row.class(row.ours.first) == Class::Wrong || row.class(row.ours.settled) == Class::Wrong;
    let detail = |row: &Row| {
        let answer =
            if row.class(row.ours.first) == Class::Wrong { &row.ours.said.0 } else { &row.ours.said.1 };
        let ours = match row.ours.settled {
            Verdict::Safe => "safe".to_owned(),
            _ => problem(answer["errors_introduced"].get(0).unwrap_or(&Value::Null)),
        };
        let truth =
            row.truth.introduced.first().map_or("nothing".into(), |(file, said)| format!("{file}: {said}"));
        vec![row.name(), cut(&ours), format!("{} errors: {}", row.truth.introduced.len(), cut(&truth))]
    };
    let rows: Vec<Vec<String>> = rows.iter().filter(is_wrong).map(detail).collect();
    (!rows.is_empty()).then(|| Table {
        title: "WRONG verdicts".into(),
        columns: vec!["edit", "bowline", "the compiler"],
        rows,
    })
}

fn problem(problem: &Value) -> String {
    let file = problem["file"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    format!("{file}:{}: {}", problem["line"], problem["message"].as_str().unwrap_or_default())
}

fn not_known(rows: &[Row]) -> Option<Table> {
    let unknown = rows.iter().filter(|row| row.class(row.ours.first) == Class::NotKnown);
    let detail = |row: &Row| {
        let truth = if row.truth.is_clean() { "accepts" } else { "breaks" };
        let time = format!("{:.0} ms", row.ours.first_ms);
        vec![
            row.name(),
            truth.into(),
            time,
            said(row.class(row.ours.settled)).into(),
            cut(&reasons(&row.ours.said.0)),
        ]
    };
    let rows: Vec<Vec<String>> = unknown.map(detail).collect();
    (!rows.is_empty()).then(|| Table {
        title: "not known by the first answer".into(),
        columns: vec!["edit", "the compiler", "after", "settled", "why"],
        rows,
    })
}

fn slow(rows: &[Row]) -> Option<Table> {
    let late =
        rows.iter().filter(|row| row.is_within() == Some(false) && row.ours.first != Verdict::NotKnown);
    let detail = |row: &Row| {
        let referring = row.raw.as_ref().and_then(|raw| raw.referring.as_ref());
        vec![
            row.name(),
            format!("{:.0} ms", row.ours.first_ms),
            row.allowed_ms().map_or("-".into(), |allowed| format!("{allowed:.0} ms")),
            referring.map_or(String::new(), |referring| format!("{} files refer to it", referring.files)),
            row.ours.said.0["files_compared"]
                .as_u64()
                .map_or(String::new(), |files| format!("{files} compared")),
        ]
    };
    let rows: Vec<Vec<String>> = late.map(detail).collect();
    (!rows.is_empty()).then(|| Table {
        title: "known, but later than the target".into(),
        columns: vec!["edit", "answer", "target", "raw", "bowline"],
        rows,
    })
}

fn cut(text: &str) -> String {
    let line = text.replace('\n', " ");
    if line.chars().count() <= SHOWN { line } else { line.chars().take(SHOWN).collect::<String>() + " …" }
}

fn in_json(row: &Row) -> Value {
    let verdict = |verdict: Verdict| match verdict {
        Verdict::Safe => "safe",
        Verdict::Breaks => "breaks",
        Verdict::NotKnown => "not known",
    };
    let raw = row.raw.as_ref().map(|raw| {
        let referring = raw.referring.as_ref().map(|referring| {
            json!({ "files": referring.files, "references_ms": referring.references, "took_ms": referring.took })
        });
        json!({ "open_ms": raw.open, "edit_ms": raw.edit, "referring": referring, "errors": [raw.errors.0, raw.errors.1] })
    });
    json!({
        "repository": row.repository.short(), "language": row.repository.language.name(), "kind": row.edit.kind,
        "file": row.edit.changes[0].file, "truth": row.truth.introduced,
        "raw": raw, "raw_ms": row.raw_ms(), "allowed_ms": row.allowed_ms(), "is_within": row.is_within(),
        "first": { "verdict": verdict(row.ours.first), "class": said(row.class(row.ours.first)), "ms": row.ours.first_ms },
        "settled": {
            "verdict": verdict(row.ours.settled), "class": said(row.class(row.ours.settled)),
            "ms": row.ours.settled_ms, "answers": row.ours.answers,
        },
        "reasons": reasons(&row.ours.said.0), "answer": row.ours.said.0,
    })
}

fn summary(rows: &[&Row]) -> Value {
    let count = |class: Class| rows.iter().filter(|row| row.class(row.ours.first) == class).count();
    json!({
        "edits": rows.len(), "right": count(Class::Right), "wrong": count(Class::Wrong),
        "not_known": count(Class::NotKnown),
    })
}
