//! Finding one name in a large tree: the first time, when everything must be read, and the second.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use super::measure::{Whole, percentile, whole};
use super::sources::{self, Sources};
use super::table::Table;
use super::{Effort, Report, scratch};
use crate::run;

const LIMIT: Duration = Duration::from_secs(900);

/// The exit code for "not ready; the same again later may work".
const NOT_READY: i32 = 4;

pub(crate) fn report(ours: &Path, effort: Effort) -> Result<Report> {
    let (wanted, rounds) = match effort {
        Effort::Quick => (500_000, 1),
        Effort::Full => (1_500_000, 3),
    };
    let sources = sources::assemble(&scratch()?, wanted)?;
    let home = tempfile::tempdir_in(scratch()?)?;
    let others = others(&sources, &home.path().join("tags"));

    let mut first = Contestant::new("bowline, first start");
    let mut second = Contestant::new("bowline, second start");
    let mut rest: Vec<Contestant> = others.iter().map(|(name, _)| Contestant::new(name)).collect();
    // Once before the clock runs, so that nobody pays for the disk.
    for (_, start) in &others {
        whole(&mut start(), LIMIT)?.succeeded()?;
    }
    for round in 0..rounds {
        let state = home.path().join(round.to_string());
        for contestant in [&mut first, &mut second] {
            let (answer, calls) = find(ours, &sources.folder, &state)?;
            contestant.add(answer, calls);
        }
        for (contestant, (_, start)) in rest.iter_mut().zip(&others) {
            contestant.add(whole(&mut start(), LIMIT)?.succeeded()?, 1);
        }
    }
    let contestants = [first, second].into_iter().chain(rest).collect();
    Ok(compare(contestants, &sources, rounds))
}

/// Asks until there is an answer, and says how often: "not ready, ask again" is none, but its time counts.
fn find(ours: &Path, tree: &Path, state: &Path) -> Result<(Whole, u32)> {
    let started = Instant::now();
    let mut peak = None;
    let mut calls = 0;
    loop {
        let mut command = run::command(ours);
        run::isolate(&mut command, state);
        command.args(["call", "--root"]).arg(tree).args(["find_symbol", "--query", "main"]);
        let mut answer = whole(&mut command, LIMIT)?;
        calls += 1;
        peak = peak.max(answer.peak);
        if answer.status.code() != Some(NOT_READY) || started.elapsed() > LIMIT {
            answer.took = started.elapsed();
            answer.peak = peak;
            return Ok((answer.succeeded()?, calls));
        }
    }
}

type Start = Box<dyn Fn() -> Command>;

/// An indexer and a searcher, where they are installed. The first is what ratios are taken of.
fn others(sources: &Sources, tags: &Path) -> Vec<(&'static str, Start)> {
    let here = |program: &str| {
        let version = run::stdout(run::command(program).arg("--version"), Duration::from_secs(30));
        version.unwrap_or_default()
    };
    let mut others: Vec<(&str, Start)> = Vec::new();
    let (tree, tags) = (sources.folder.clone(), tags.to_owned());
    if here("ctags").starts_with("Universal") {
        let tree = tree.clone();
        others.push((
            "ctags -R",
            Box::new(move || {
                let mut command = run::command("ctags");
                command.arg("-R").arg("-f").arg(&tags).arg(&tree);
                command
            }),
        ));
    }
    let (name, program, arguments) = if here("rg").is_empty() {
        ("grep -rwc", "grep", ["-rwc", "main"])
    } else {
        ("rg -wc", "rg", ["-wc", "main"])
    };
    others.push((
        name,
        Box::new(move || {
            let mut command = run::command(program);
            command.args(arguments).arg(&tree);
            command
        }),
    ));
    others
}

struct Contestant {
    name: &'static str,
    seconds: Vec<f64>,
    mebibytes: Vec<f64>,
    said: String,
    /// The most that one round took.
    calls: u32,
}

impl Contestant {
    fn new(name: &'static str) -> Self {
        Self { name, seconds: Vec::new(), mebibytes: Vec::new(), said: String::new(), calls: 0 }
    }

    fn add(&mut self, run: Whole, calls: u32) {
        self.calls = self.calls.max(calls);
        self.seconds.push(run.took.as_secs_f64());
        self.mebibytes.extend(run.peak.map(|kibibytes| kibibytes as f64 / 1024.0));
        self.said = run.stderr;
    }
}

fn compare(contestants: Vec<Contestant>, sources: &Sources, rounds: usize) -> Report {
    let mut rows = Vec::new();
    let mut values = serde_json::Map::new();
    let mut figures: Vec<(Contestant, f64, f64)> = contestants
        .into_iter()
        .map(|mut one| {
            let seconds = percentile(&mut one.seconds, 50);
            let memory = percentile(&mut one.mebibytes, 50);
            (one, seconds, memory)
        })
        .collect();
    let base = figures.iter().find(|(one, ..)| one.name.starts_with("ctags")).map(|(_, seconds, _)| *seconds);
    for (one, seconds, memory) in &mut figures {
        let rate = sources.lines as f64 / *seconds;
        let ratio = base.map(|base| *seconds / base);
        rows.push(vec![
            one.name.to_owned(),
            format!("{seconds:.2} s"),
            format!("{rate:.0}"),
            format!("{memory:.0} MiB"),
            ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}")),
            one.calls.to_string(),
            indexed(&one.said).unwrap_or_default(),
        ]);
        values.insert(
            one.name.to_owned(),
            json!({ "seconds": seconds, "lines_per_second": rate, "peak_mib": memory, "calls": one.calls, "ratio_to_ctags": ratio }),
        );
    }
    values.insert("files".into(), sources.files.into());
    values.insert("lines".into(), sources.lines.into());
    Report {
        tables: vec![Table {
            title: format!(
                "find `main` in {} lines of {} files, median of {rounds}",
                sources.lines, sources.files
            ),
            columns: vec!["", "time", "lines/s", "peak memory", "÷ ctags", "calls", "indexed"],
            rows,
        }],
        values: values.into(),
    }
}

/// Whether our own answer came from the whole index: a quick answer from half of it proves nothing.
fn indexed(said: &str) -> Option<String> {
    let (_, word) = said.split_once("indexed: ")?;
    Some(word.split_whitespace().next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_held_against_the_indexer() {
        let one = |name, seconds: f64, said: &str| Contestant {
            name,
            seconds: vec![seconds],
            mebibytes: vec![10.0],
            said: said.into(),
            calls: 1,
        };
        let sources = Sources { folder: "tree".into(), files: 2, lines: 1000 };
        let report = compare(
            vec![
                one("bowline, first start", 1.0, "engine: syntax, indexed: true\nand 9 more\n"),
                one("ctags -R", 2.0, ""),
            ],
            &sources,
            1,
        );
        assert_eq!(
            report.tables[0].rows[0],
            ["bowline, first start", "1.00 s", "1000", "10 MiB", "0.50", "1", "true"]
        );
    }
}
