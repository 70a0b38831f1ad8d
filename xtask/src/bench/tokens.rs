//! Ten questions about real repositories: what an agent reads of our answers, beside what it reads without us.
//!
//! A token is four bytes, on both sides. On ours every text of every answer is counted; an answer that says it is not
//! complete is asked for again, and the first is not counted. On the other side it is what `grep -rnw` prints, no more
//! than its first 100 lines in the order of file names, and the files that must be opened after it, each to its 2000th
//! line. What is asked is counted on neither side, and the list of tools is told apart: it is read once in a
//! conversation.

mod asked;
pub(super) mod reading;
mod repositories;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::Report;
use super::measure::percentile;
use super::table::Table;
use crate::home::Home;
use crate::mcp::{Answer, Mcp};
use crate::{paths, servers};
use asked::{ASKED, Asked};
use reading::{Reading, tokens};
use repositories::{REPOSITORIES, Repository};

/// For one call.
const PATIENCE: Duration = Duration::from_secs(120);
/// Until an answer has all: the first is asked of a server that has read nothing yet. Nothing here is timed.
const COMPLETE: Duration = Duration::from_secs(240);
/// The tools that ask no server.
const BY_NAMES: [&str; 1] = ["get_tests_for_file"];

pub(crate) fn report(ours: &Path, only: Option<&str>) -> Result<Report> {
    let wanted: Option<Vec<&str>> = only.map(|only| only.split(',').collect());
    let places = servers::environment()?;
    let mut rows = Vec::new();
    let mut named = Vec::new();
    let mut listing = None;
    for repository in &REPOSITORIES {
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&repository.language)) {
            continue;
        }
        let program = places.iter().find(|(name, _)| *name == repository.variable);
        let (_, program) = program.with_context(|| format!("`{}` is not known", repository.variable))?;
        let Some(source) = repository.source() else {
            println!("  {} is not on this machine; its questions are left out", repository.name);
            continue;
        };
        let started = Instant::now();
        let home = Home::new()?;
        let root = repository.place(&source, &home.path()?)?;
        let mut mcp = start(ours, &home, repository, &root, program)
            .with_context(|| format!("{}, through bowline", repository.name))?;
        if listing.is_none() {
            listing = Some(tokens(mcp.list(PATIENCE)?.len()));
        }
        for asked in ASKED.iter().filter(|asked| asked.repository == repository.name) {
            let row = ask(&mut mcp, asked, repository, &root)
                .with_context(|| format!("{}: {}", repository.name, asked.question))?;
            rows.push(row);
        }
        named.push(format!("{}: {}", repository.name, repository.about));
        let _ = mcp.talk.close(Duration::from_secs(20));
        println!("  {}: {:.1} s", repository.name, started.elapsed().as_secs_f64());
    }
    if rows.is_empty() {
        bail!("nothing was asked; there are repositories in go, python, typescript, rust");
    }
    Ok(compare(&rows, &named, listing.unwrap_or(0)))
}

fn start(ours: &Path, home: &Home, repository: &Repository, root: &Path, program: &str) -> Result<Mcp> {
    let mut command = home.command(ours, root);
    command.arg("--root").arg(root).arg(repository.spec(program));
    // A server of ours also looks after the small projects of the tests, and the compiler would build in each of them.
    command.env("CARGO_TARGET_DIR", paths::target());
    Mcp::start(&mut command)
}

/// One question, both ways.
struct Row {
    asked: &'static Asked,
    ours: usize,
    calls: Vec<(String, usize)>,
    reading: Reading,
    fault: Option<String>,
}

fn ask(mcp: &mut Mcp, asked: &'static Asked, repository: &Repository, root: &Path) -> Result<Row> {
    let mut calls = Vec::new();
    let mut last = String::new();
    let mut fault = None;
    for (tool, template) in asked.calls {
        let arguments: Value =
            serde_json::from_str(&template.replace("{root}", &root.display().to_string()))?;
        let answer = complete(mcp, tool, &arguments)?;
        if answer.is_error {
            fault.get_or_insert(format!("{tool}: {}", answer.text()));
        } else if is_partial(tool, &answer) {
            fault.get_or_insert(format!("{tool}: the server has not told all"));
        }
        calls.push(((*tool).to_owned(), tokens(answer.texts.iter().map(String::len).sum())));
        last = answer.texts.join("\n");
    }
    let absent: Vec<&str> = asked.expected.iter().copied().filter(|word| !last.contains(word)).collect();
    if !absent.is_empty() {
        fault.get_or_insert(format!("not in the answer: {}", absent.join(", ")));
    }
    let reading = Reading::of(asked, repository.extension, root)?;
    let ours = calls.iter().map(|(_, tokens)| tokens).sum();
    Ok(Row { asked, ours, calls, reading, fault })
}

/// The answer of a server that has seen everything, or the last that came.
fn complete(mcp: &mut Mcp, tool: &str, arguments: &Value) -> Result<Answer> {
    let deadline = Instant::now() + COMPLETE;
    loop {
        let timed = mcp.call(tool, arguments, PATIENCE)?.context("no answer")?;
        if !is_partial(tool, &timed.answer) || Instant::now() > deadline {
            return Ok(timed.answer);
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

fn is_partial(tool: &str, answer: &Answer) -> bool {
    let is_by_names = answer.remark("engine").as_deref() == Some("syntax");
    answer.remark("indexed").as_deref() == Some("false") || (is_by_names && !BY_NAMES.contains(&tool))
}

fn compare(rows: &[Row], named: &[String], listing: usize) -> Report {
    let ratio = |ours: usize, other: usize| format!("{:.1}", other as f64 / ours.max(1) as f64);
    let mut lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let other = row.reading.total();
            vec![
                format!("{}: {}", row.asked.repository, row.asked.question),
                if row.fault.is_some() { "wrong".into() } else { ratio(row.ours, other) },
                row.ours.to_string(),
                other.to_string(),
                row.calls
                    .iter()
                    .map(|(tool, tokens)| format!("{tool} {tokens}"))
                    .collect::<Vec<_>>()
                    .join(", "),
                row.reading.told(),
            ]
        })
        .collect();
    let right = || rows.iter().filter(|row| row.fault.is_none());
    let ours: usize = right().map(|row| row.ours).sum();
    let other: usize = right().map(|row| row.reading.total()).sum();
    lines.push(vec![
        format!("all {} that were answered rightly", right().count()),
        ratio(ours, other),
        ours.to_string(),
        other.to_string(),
    ]);
    // One file of thousands of lines outweighs all other questions in a sum.
    let mut ratios: Vec<f64> =
        right().map(|row| row.reading.total() as f64 / row.ours.max(1) as f64).collect();
    let middle = if ratios.is_empty() { 0.0 } else { percentile(&mut ratios, 50) };
    lines.push(vec!["the question in the middle".into(), format!("{middle:.1}")]);
    lines.push(vec![
        "the list of all tools, once in a conversation".into(),
        String::new(),
        listing.to_string(),
    ]);
    let mut tables = vec![Table {
        title: "tokens (bytes ÷ 4) of answers: bowline's texts; grep -rnw, its first 100 lines, and files opened, to \
                line 2000"
            .into(),
        columns: vec!["", "ratio", "bowline", "grep and read", "bowline's calls", "grep and read"],
        rows: lines,
    }];
    let wrong: Vec<Vec<String>> = rows
        .iter()
        .filter_map(|row| {
            let fault: String = row.fault.as_ref()?.replace('\n', " ").chars().take(200).collect();
            Some(vec![format!("{}: {}", row.asked.repository, row.asked.question), fault])
        })
        .collect();
    if !wrong.is_empty() {
        tables.push(Table { title: "wrong answers".into(), columns: vec!["", ""], rows: wrong });
    }
    tables.push(Table {
        title: "repositories".into(),
        columns: vec![""],
        rows: named.iter().map(|name| vec![name.clone()]).collect(),
    });
    let values = json!({
        "bowline": ours, "grep_and_read": other, "ratio": other as f64 / ours.max(1) as f64,
        "median_ratio": middle,
        "tools_list": listing,
        "questions": rows.iter().map(in_json).collect::<Vec<_>>(),
    });
    Report { tables, values }
}

fn in_json(row: &Row) -> Value {
    json!({
        "repository": row.asked.repository, "question": row.asked.question, "bowline": row.ours,
        "grep_and_read": row.reading.total(), "fault": row.fault,
        "calls": row.calls.iter().map(|(tool, tokens)| json!([tool, tokens])).collect::<Vec<_>>(),
        "counted": row.reading.parts.iter().map(|part| json!([part.what, part.tokens])).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_are_not_in_the_sum() {
        let row = |ours, fault: Option<&str>| Row {
            asked: &ASKED[0],
            ours,
            calls: vec![("list_symbols".into(), ours)],
            reading: Reading { parts: vec![reading::Part { what: "a.rs".into(), tokens: 1000 }] },
            fault: fault.map(str::to_owned),
        };
        let report = compare(&[row(100, None), row(1, Some("nothing"))], &[], 7);
        let rows = &report.tables[0].rows;
        assert_eq!((rows[0][1].as_str(), rows[1][1].as_str()), ("10.0", "wrong"));
        assert_eq!(rows[2][1..], ["10.0", "100", "1000"]);
        assert_eq!(rows[3][1], "10.0");
        assert_eq!(rows[4][2], "7");
        assert_eq!(report.values["ratio"], 10.0);
    }
}
