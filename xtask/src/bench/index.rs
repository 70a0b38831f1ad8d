//! Finding one name in a large tree: the first time, when everything must be read, and the second.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::measure::{Whole, percentile, whole};
use super::sources::{self, Sources};
use super::table::Table;
use super::{Effort, Report, scratch};
use crate::run;

const LIMIT: Duration = Duration::from_secs(900);

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
        whole(&mut start(), LIMIT)?;
    }
    for round in 0..rounds {
        let state = home.path().join(round.to_string());
        for contestant in [&mut first, &mut second] {
            contestant.add(whole(&mut find(ours, &sources.folder, &state), LIMIT)?);
        }
        for (contestant, (_, start)) in rest.iter_mut().zip(&others) {
            contestant.add(whole(&mut start(), LIMIT)?);
        }
    }
    let contestants = [first, second].into_iter().chain(rest).collect();
    Ok(compare(contestants, &sources, rounds))
}

fn find(ours: &Path, tree: &Path, state: &Path) -> Command {
    let mut command = run::command(ours);
    run::isolate(&mut command, state);
    command
        .args(["call", "--root"])
        .arg(tree)
        .args(["find_symbol", "--query", "main"]);
    command
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
    answer: String,
}

impl Contestant {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            seconds: Vec::new(),
            mebibytes: Vec::new(),
            answer: String::new(),
        }
    }

    fn add(&mut self, run: Whole) {
        self.seconds.push(run.took.as_secs_f64());
        self.mebibytes
            .extend(run.peak.map(|kibibytes| kibibytes as f64 / 1024.0));
        self.answer = run.stdout;
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
    let base = figures
        .iter()
        .find(|(one, ..)| one.name.starts_with("ctags"))
        .map(|(_, seconds, _)| *seconds);
    for (one, seconds, memory) in &mut figures {
        let rate = sources.lines as f64 / *seconds;
        let ratio = base.map(|base| *seconds / base);
        rows.push(vec![
            one.name.to_owned(),
            format!("{seconds:.2} s"),
            format!("{rate:.0}"),
            format!("{memory:.0} MiB"),
            ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}")),
            indexed(&one.answer).unwrap_or_default(),
        ]);
        values.insert(
            one.name.to_owned(),
            json!({ "seconds": seconds, "lines_per_second": rate, "peak_mib": memory, "ratio_to_ctags": ratio }),
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
            columns: vec!["", "time", "lines/s", "peak memory", "÷ ctags", "index"],
            rows,
        }],
        values: values.into(),
    }
}

/// Whether our own answer says that the index was whole: a quick answer from half of it proves nothing.
fn indexed(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    Some(format!("indexed: {}", answer.get("indexed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_held_against_the_indexer() {
        let one = |name, seconds: f64, answer: &str| Contestant {
            name,
            seconds: vec![seconds],
            mebibytes: vec![10.0],
            answer: answer.into(),
        };
        let sources = Sources {
            folder: "tree".into(),
            files: 2,
            lines: 1000,
        };
        let report = compare(
            vec![
                one("bowline, first start", 1.0, "{\"indexed\": true}"),
                one("ctags -R", 2.0, ""),
            ],
            &sources,
            1,
        );
        assert_eq!(
            report.tables[0].rows[0],
            [
                "bowline, first start",
                "1.00 s",
                "1000",
                "10 MiB",
                "0.50",
                "indexed: true"
            ]
        );
    }
}
