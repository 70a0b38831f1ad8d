//! Edits of real repositories, with the compilers as truth: what bowline says of each, and what it takes beside the server
//! by itself.

mod check;
mod compilers;
mod edits;
mod figures;
mod page;
mod raw;
mod through;
mod truth;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::Effort;
use crate::bench::repositories::Repository;
use crate::bench::table::Table;
use crate::home::Home;
use edits::Edit;
use raw::{Raw, Timing};
use through::{Answered, Through, Verdict};
use truth::Truth;

pub(in crate::bench) use check::check;

/// One edit: what is true, what the server takes, what bowline says.
struct Row {
    repository: &'static Repository,
    edit: Edit,
    truth: Truth,
    /// None where the server had no answer by itself.
    raw: Option<Timing>,
    ours: Answered,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Right,
    Wrong,
    NotKnown,
}

impl Row {
    fn class(&self, verdict: Verdict) -> Class {
        class(verdict, self.truth.is_clean())
    }
}

/// What a verdict is worth of an edit that is clean, or is not.
fn class(verdict: Verdict, is_clean: bool) -> Class {
    match (verdict, is_clean) {
        (Verdict::NotKnown, _) => Class::NotKnown,
        (Verdict::Safe, true) | (Verdict::Breaks, false) => Class::Right,
        _ => Class::Wrong,
    }
}

/// The repositories that are named, all if none is. The page is written only when it is asked for.
pub(super) fn report(
    ours: &Path,
    effort: Effort,
    names: &[&str],
    is_written: bool,
) -> Result<(Vec<Table>, Value)> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    let load = super::load();
    for repository in Repository::chosen(names)? {
        let began = Instant::now();
        match measure(ours, repository, effort) {
            Ok(found) => rows.extend(found),
            Err(error) => {
                println!("  {} is left out: {error:#}", repository.short());
                left_out.push((repository.short(), format!("{error:#}")));
            }
        }
        println!("  {}: {:.0} s", repository.short(), began.elapsed().as_secs_f64());
    }
    let (tables, values) = figures::report(&rows, &left_out, &format!("{load} to {}", super::load()));
    if is_written {
        page::update(&values)?;
    }
    Ok((tables, values))
}

/// What the compilers say of every edit, and nothing else: it is kept, and the rest goes faster.
pub(super) fn truths(names: &[&str]) -> Result<(Table, Value)> {
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for repository in Repository::chosen(names)? {
        let found = || -> Result<_> {
            let edits = edits::of(repository, &repository.source()?)?;
            let truths = truth::of(repository, &edits.iter().collect::<Vec<_>>())?;
            Ok((edits, truths))
        };
        let (edits, truths) = match found() {
            Ok(found) => found,
            Err(error) => {
                println!("  {} is left out: {error:#}", repository.short());
                continue;
            }
        };
        for (edit, truth) in edits.iter().zip(&truths) {
            let expected = if edit.breaks == truth.is_clean() { "not as expected" } else { "" };
            let said = truth.introduced.first().map_or("", |(file, _)| file).to_owned();
            let count = truth.introduced.len().to_string();
            rows.push(vec![format!("{}: {}", repository.short(), edit.name()), count, said, expected.into()]);
            values.push(json!({ "repository": repository.short(), "edit": edit.name(), "introduced": truth.introduced }));
        }
    }
    let columns = vec!["edit", "errors", "first in", ""];
    Ok((Table { title: "what the compilers say".into(), columns, rows }, Value::from(values)))
}

fn measure(ours: &Path, repository: &'static Repository, effort: Effort) -> Result<Vec<Row>> {
    let source = repository.source()?;
    let mut edits = edits::of(repository, &source)?;
    if effort == Effort::Quick {
        let mut seen = BTreeSet::new();
        edits.retain(|edit| seen.insert(edit.kind));
    }
    if edits.is_empty() {
        return Ok(Vec::new());
    }
    let borrowed: Vec<&Edit> = edits.iter().collect();
    let truths = truth::of(repository, &borrowed)?;
    for (edit, truth) in edits.iter().zip(&truths) {
        if edit.breaks == truth.is_clean() {
            println!(
                "  {}, {}: the compiler introduces {} errors",
                repository.short(),
                edit.name(),
                truth.introduced.len()
            );
        }
    }
    let homes = (Home::new()?, Home::new()?);
    let roots = repository.two_copies()?;
    let mut raw = Raw::start(repository, &homes.0, &roots.0, &borrowed).context("the server by itself")?;
    let mut through =
        Through::start(ours, repository, &homes.1, &roots.1, &borrowed).context("through bowline")?;
    // In turns, since what else a machine does changes by the second.
    let mut rows = Vec::new();
    for (edit, truth) in edits.into_iter().zip(truths) {
        let by_itself = raw.try_out(&edit);
        if let Err(error) = &by_itself {
            println!("  {}, {}, the server by itself: {error:#}", repository.short(), edit.name());
        }
        let row = Row {
            repository,
            raw: by_itself.ok(),
            ours: through.try_out(&edit).with_context(|| edit.name())?,
            edit,
            truth,
        };
        println!("{}", row.line());
        rows.push(row);
    }
    through.close();
    raw.close()?;
    Ok(rows)
}
