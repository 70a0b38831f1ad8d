//! `cargo xtask bench`: what we promise about speed and size, measured beside others in one run.
//!
//! Machines differ, so figures are shown as ratios, and nothing is asserted.

mod calls;
mod commands;
mod drafts;
mod edits;
mod gate;
mod impact;
mod index;
mod measure;
mod plain;
mod reading;
mod repositories;
mod requests;
mod servers;
mod skills;
mod sources;
mod start;
mod table;
mod tokens;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::arguments::Arguments;
use crate::{paths, run};
use table::Table;

const BUILD: Duration = Duration::from_secs(2700);

/// How long to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick,
    Full,
}

/// What one part found: a table for people, values for programs.
struct Report {
    tables: Vec<Table>,
    values: Value,
}

const PARTS: [&str; 13] = [
    "start", "calls", "index", "gate", "skills", "servers", "impact", "requests", "drafts", "edits",
    "tokens", "reading", "commands",
];

pub(crate) fn main(mut arguments: Arguments) -> Result<()> {
    let effort = if arguments.flag("--quick") { Effort::Quick } else { Effort::Full };
    let is_written = arguments.flag("--update");
    let json = arguments.option("--json")?;
    let binary = arguments.option("--binary")?.map(PathBuf::from);
    let only = arguments.option("--only")?;
    let mut chosen = Vec::new();
    while let Some(word) = arguments.word() {
        if !PARTS.contains(&word.as_str()) {
            bail!("`{word}` is no benchmark; there are {}", PARTS.join(", "));
        }
        chosen.push(word);
    }
    arguments.finish()?;

    let mut values = Map::new();
    for part in PARTS {
        // These take most of an hour: only for those who ask for it.
        let is_meant = if chosen.is_empty() {
            !["tokens", "reading", "commands"].contains(&part)
        } else {
            chosen.iter().any(|word| word == part)
        };
        if !is_meant {
            continue;
        }
        run::header(part);
        let report = match part {
            "start" => start::report(&ours(binary.as_deref())?, effort)?,
            "calls" => calls::report(&ours(binary.as_deref())?, effort)?,
            "index" => index::report(&ours(binary.as_deref())?, effort)?,
            "skills" => skills::report(effort)?,
            "servers" => servers::report(&ours(binary.as_deref())?, effort, only.as_deref())?,
            "impact" => impact::report(&ours(binary.as_deref())?, effort, only.as_deref())?,
            "requests" => requests::report(&ours(binary.as_deref())?, effort, only.as_deref())?,
            "drafts" => drafts::report(&ours(binary.as_deref())?, effort, only.as_deref(), is_written)?,
            "edits" => edits::report(&ours(binary.as_deref())?, effort, only.as_deref())?,
            "reading" => reading::report(&ours(binary.as_deref())?, effort, only.as_deref(), is_written)?,
            "commands" => commands::report(effort, only.as_deref())?,
            "tokens" => tokens::report(&ours(binary.as_deref())?, only.as_deref())?,
            _ => gate::report(effort)?,
        };
        for table in &report.tables {
            println!("\n{table}");
        }
        values.insert(part.to_owned(), report.values);
    }
    if let Some(file) = json {
        let text = serde_json::to_string_pretty(&values)?;
        std::fs::write(&file, text + "\n").with_context(|| format!("cannot write `{file}`"))?;
    }
    Ok(())
}

/// Edits of some real repositories: no verdict may be wrong.
pub(crate) fn verdicts(binary: &Path) -> Result<()> {
    drafts::real::check(binary)
}

/// The binary to measure: the given one, or ours built as it ships.
pub(crate) fn ours(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(given) = given {
        return given.canonicalize().with_context(|| format!("no such file: `{}`", given.display()));
    }
    println!("building bowline as it ships …");
    run::stdout(run::cargo().args(["build", "--release", "--package", "bowline", "--locked"]), BUILD)?;
    Ok(paths::binary("release"))
}

/// What a benchmark below `benches/` prints. Cargo builds those as they ship.
fn figures(bench: &str, effort: Effort) -> Result<Value> {
    let mut command = run::cargo();
    command.args(["bench", "--quiet", "--package", "xtask", "--bench", bench, "--locked", "--"]);
    if effort == Effort::Quick {
        command.arg("--quick");
    }
    let printed = run::stdout(&mut command, BUILD)?;
    let line = printed.lines().last().unwrap_or_default();
    serde_json::from_str(line).with_context(|| format!("the benchmark `{bench}` printed no figures"))
}

/// One of them.
fn figure(values: &Value, name: &str) -> Result<f64> {
    values[name].as_f64().with_context(|| format!("the benchmark did not print `{name}`"))
}

/// A folder of our own to work in.
fn scratch() -> Result<PathBuf> {
    let folder = paths::target().join("bench");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    Ok(folder)
}
