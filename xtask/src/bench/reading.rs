//! The tools that read, on real repositories: what each takes beside the server's own answer, how much there is to read,
//! and whether it is the same.

mod asked;
mod figures;
mod page;
mod symbols;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use super::drafts::open::Open;
use super::repositories::{Repository, warm_up};
use super::{Effort, Report};
use crate::home::Home;
use crate::mcp::{Answer, Mcp};
use asked::{ASKED, Asked, of_ours, of_server};
use symbols::Symbol;

/// For one answer. Nothing may take longer than ten seconds; what does is measured all the same.
const LIMIT: Duration = Duration::from_secs(90);
/// The first answer, and so many more.
const ROUNDS: usize = 3;
/// What takes longer is asked once.
const LONG: f64 = 1500.0;

/// One tool, asked about one symbol.
struct Sample {
    /// In milliseconds: the first answer, and the median of those after it.
    first: f64,
    again: Option<f64>,
    /// The server's, likewise.
    raw_first: f64,
    raw_again: f64,
    bytes: usize,
    /// What is wrong with the answer.
    fault: Option<String>,
    is_equal: Option<bool>,
    about: String,
}

struct Row {
    repository: &'static Repository,
    tool: &'static str,
    samples: Vec<Sample>,
}

/// `is_written`: the page in the reference is written anew.
pub(super) fn report(ours: &Path, effort: Effort, only: Option<&str>, is_written: bool) -> Result<Report> {
    let names: Vec<&str> = only.map_or(Vec::new(), |only| only.split(',').collect());
    let mut rows = Vec::new();
    for repository in Repository::chosen(&names)? {
        let began = Instant::now();
        match measure(ours, repository, effort) {
            Ok(found) => rows.extend(found),
            Err(error) => println!("  {} is left out: {error:#}", repository.short()),
        }
        println!("  {}: {:.0} s", repository.short(), began.elapsed().as_secs_f64());
    }
    let report = figures::report(&rows);
    if is_written {
        page::update(&report.values)?;
    }
    Ok(report)
}

fn measure(ours: &Path, repository: &'static Repository, effort: Effort) -> Result<Vec<Row>> {
    let homes = (Home::new()?, Home::new()?);
    let roots = repository.two_copies()?;
    let files = symbols::files(repository, &roots.0);
    let first = files.get(files.len() / 2).context("no files")?;
    let mut open = repository.serve(&homes.0, &roots.0, first, LIMIT).context("the server by itself")?;
    let mut found = symbols::sample(&mut open, &files)?;
    if effort == Effort::Quick {
        found.truncate(6);
    }
    let mut mcp = repository.through(ours, &homes.1, &roots.1).context("through bowline")?;
    let inside = |symbol: &Symbol| -> Result<Symbol> {
        let file = roots.1.join(symbol.file.strip_prefix(&roots.0)?);
        Ok(Symbol { name: symbol.name.clone(), file, line: symbol.line, character: symbol.character })
    };
    let first = found.first().map(inside).context("no symbols")??;
    if !warm_up(&mut mcp, &first.file, first.line + 1, first.character + 1)? {
        println!("  {}, its server is not ready yet", repository.short());
    }
    let mut rows = Vec::new();
    for asked in &ASKED {
        let mut samples = Vec::new();
        let mut seen = BTreeSet::new();
        for symbol in &found {
            if asked.is_of_file && !seen.insert(symbol.file.clone()) {
                continue;
            }
            let mine = inside(symbol)?;
            let sample = ask(&mut open, &mut mcp, asked, (symbol, &mine), (&roots.0, &roots.1))
                .with_context(|| format!("{} of {}", asked.tool, symbol.name))?;
            samples.push(sample);
        }
        rows.push(Row { repository, tool: asked.tool, samples });
        println!("  {}", rows.last().map(Row::line).unwrap_or_default());
    }
    let _ = mcp.talk.close(Duration::from_secs(20));
    drop(open);
    Ok(rows)
}

fn ask(
    open: &mut Open,
    mcp: &mut Mcp,
    asked: &Asked,
    symbols: (&Symbol, &Symbol),
    roots: (&Path, &Path),
) -> Result<Sample> {
    open.open(&symbols.0.file)?;
    let (mut raw, mut ours) = (Vec::new(), Vec::new());
    let (mut said, mut answer) = (Value::Null, None);
    for _ in 0..=ROUNDS {
        let sent = Instant::now();
        let answered = open.client.ask(asked.method, &asked.params(symbols.0), LIMIT)?;
        raw.push(sent.elapsed().as_secs_f64() * 1000.0);
        said = answered.and_then(|answered| answered.result.ok()).unwrap_or_default();
        let timed = mcp.call(asked.tool, &asked.arguments(symbols.1), LIMIT)?;
        ours.push(timed.as_ref().map_or(LIMIT, |timed| timed.took).as_secs_f64() * 1000.0);
        answer = timed.map(|timed| timed.answer);
        if ours.last().is_some_and(|took| *took > LONG) || raw.last().is_some_and(|took| *took > LONG) {
            break;
        }
    }
    let is_equal = match (&answer, asked.is_compared) {
        (Some(answer), true) if !answer.is_error => is_equal(mcp, asked, symbols.1, answer, &said, roots)?,
        _ => None,
    };
    let fault = match &answer {
        None => Some(format!("no answer in {} s", LIMIT.as_secs())),
        Some(answer) if answer.is_error => Some(answer.text().to_owned()),
        Some(_) if is_equal == Some(false) => Some("other places than the server's".to_owned()),
        Some(answer) => {
            let partial = answer.remark("indexed").filter(|indexed| indexed == "false");
            partial.map(|_| "says that it may be incomplete".to_owned())
        }
    };
    let median = |all: &[f64]| (!all.is_empty()).then(|| super::measure::percentile(&mut all.to_vec(), 50));
    Ok(Sample {
        first: ours[0],
        again: median(&ours[1..]),
        raw_first: raw[0],
        raw_again: median(&raw[1..]).unwrap_or(raw[0]),
        bytes: answer.as_ref().map_or(0, |answer| answer.texts.iter().map(String::len).sum()),
        fault,
        is_equal,
        about: format!("{} in {}", symbols.0.name, short(&symbols.0.file, roots.0)),
    })
}

/// Whether all places are the server's; a list that is cut is asked for whole. None: it cannot be told.
fn is_equal(
    mcp: &mut Mcp,
    asked: &Asked,
    symbol: &Symbol,
    answer: &Answer,
    said: &Value,
    roots: (&Path, &Path),
) -> Result<Option<bool>> {
    let mut whole = answer.json();
    if answer.more() > 0 {
        let mut arguments = asked.arguments(symbol);
        arguments["limit"] = 10_000.into();
        whole = mcp.call(asked.tool, &arguments, LIMIT)?.and_then(|timed| timed.answer.json());
    }
    let Some(ours) = whole.and_then(|whole| of_ours(&whole, roots.1)) else { return Ok(None) };
    let theirs: BTreeSet<(PathBuf, u64)> = of_server(said, roots.0);
    let inside = |places: &BTreeSet<(PathBuf, u64)>, root: &Path| -> BTreeSet<(String, u64)> {
        places.iter().map(|(file, line)| (short(file, root), *line)).collect()
    };
    Ok(Some(inside(&ours, roots.1) == inside(&theirs, roots.0)))
}

fn short(file: &Path, root: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}
