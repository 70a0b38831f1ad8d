//! Every tool that asks a server one thing, beside that request itself: what going through us adds.
//!
//! Our cache is out of reach while that is measured, since an answer from it asks no server. How long one from it takes
//! has a row of its own.

mod figures;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::servers::choose;
use super::servers::contest::{Cell, Rounds, measure};
use super::servers::raw::Raw;
use super::servers::through::{Through, Who};
use super::{Effort, Report};
use crate::home::Home;
use crate::projects::Project;
use crate::questions::{Given, Question, REQUESTS, call};
use crate::servers;
use figures::Row;

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>) -> Result<Report> {
    let chosen = choose(only)?;
    let places = servers::environment()?;
    let rounds = match effort {
        Effort::Quick => Rounds { warm_up: 3, asked: 20, diagnosed: 0 },
        Effort::Full => Rounds { warm_up: 10, asked: 200, diagnosed: 0 },
    };
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for project in chosen {
        let program = places.iter().find(|(name, _)| *name == project.variable);
        let (_, program) = program.with_context(|| format!("`{}` is not known", project.variable))?;
        let started = Instant::now();
        let (asked, not_offered) =
            raw(project, program, &rounds).with_context(|| format!("{}, asked directly", project.server))?;
        missing.push((project.server, not_offered));
        let found = through(ours, project, program, asked, &rounds)
            .with_context(|| format!("{}, through bowline", project.server))?;
        rows.extend(found);
        println!("  {}: {:.1} s", project.server, started.elapsed().as_secs_f64());
    }
    Ok(figures::report(&rows, &missing, &rounds))
}

type Cells = Vec<(Question, Cell)>;

/// What the server takes, and what it does not offer.
fn raw(project: &'static Project, program: &str, rounds: &Rounds) -> Result<(Cells, Vec<Question>)> {
    let home = Home::new()?;
    let copy = project.copy_to(&home.path()?)?;
    let mut raw = Raw::start(&home, &copy, Path::new(program))?;
    let (offered, not): (Vec<Question>, Vec<Question>) =
        REQUESTS.into_iter().partition(|question| raw.offers(*question));
    let mut cells = Vec::new();
    for question in offered {
        cells.push((question, measure(&mut raw, &copy, question, rounds)?));
    }
    raw.close()?;
    Ok((cells, not))
}

fn through(
    ours: &Path,
    project: &'static Project,
    program: &str,
    asked: Cells,
    rounds: &Rounds,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let home = Home::new()?;
    close_cache(&home)?;
    let copy = project.copy_to(&home.path()?)?;
    let (mut asking, _) = Through::start(Who::Ours, ours, &home, &copy, &project.spec(program))?;
    for (question, raw) in asked {
        let mut ours = measure(&mut asking, &copy, question, rounds)?;
        let (tool, arguments) = call(&copy, question);
        let engine =
            asking.mcp.call(tool, &arguments, PATIENCE)?.and_then(|timed| timed.answer.remark("engine"));
        if engine.as_deref().is_some_and(|engine| engine != "server") {
            ours.fault.get_or_insert(format!("answered by {}", engine.unwrap_or_default()));
        }
        compare(&raw, &mut ours);
        rows.push(Row { server: project.server, question, is_cached: false, raw, ours });
    }
    asking.close();
    rows.extend(from_cache(ours, project, program, &rows, rounds)?);
    Ok(rows)
}

/// References once more, by a process that may remember them.
fn from_cache(
    ours: &Path,
    project: &'static Project,
    program: &str,
    asked: &[Row],
    rounds: &Rounds,
) -> Result<Option<Row>> {
    let Some(row) = asked.iter().find(|row| row.question == Question::References) else { return Ok(None) };
    let home = Home::new()?;
    let copy = project.copy_to(&home.path()?)?;
    let (mut asking, _) = Through::start(Who::Ours, ours, &home, &copy, &project.spec(program))?;
    let mut cell = measure(&mut asking, &copy, Question::References, rounds)?;
    let (tool, arguments) = call(&copy, Question::References);
    let engine = asking.mcp.call(tool, &arguments, PATIENCE)?.and_then(|timed| timed.answer.remark("engine"));
    if engine.as_deref() != Some("cache") {
        cell.fault.get_or_insert(format!("answered by {}", engine.unwrap_or_default()));
    }
    asking.close();
    let raw = row.raw.clone();
    Ok(Some(Row { server: project.server, question: Question::References, is_cached: true, raw, ours: cell }))
}

/// A file where our own cache would have its folder. Those of the servers are beside it, and stay as they are.
fn close_cache(home: &Home) -> Result<()> {
    let caches = home.path()?.join("cache");
    std::fs::create_dir_all(&caches)?;
    std::fs::write(caches.join("bowline"), "")?;
    Ok(())
}

/// Both were asked the same: what one found, the other must.
fn compare(raw: &Cell, ours: &mut Cell) {
    let sorted = |places: &[String]| {
        let mut places = places.to_vec();
        places.sort();
        places.dedup();
        places
    };
    let fault = match (&raw.given, &ours.given) {
        (Some(Given::Places(raw)), Some(Given::Places(ours))) if sorted(raw) != sorted(ours) => {
            Some(format!("found {:?}, and the server {:?}", sorted(ours), sorted(raw)))
        }
        (Some(Given::Items(raw)), Some(Given::Items(ours))) if raw != ours => {
            Some(format!("found {ours}, and the server {raw}"))
        }
        _ => None,
    };
    if let Some(fault) = fault {
        ours.fault.get_or_insert(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_found_must_be_found() {
        let cell = |given| Cell { millis: vec![1.0], given: Some(given), ..Cell::default() };
        let places = |places: &[&str]| Given::Places(places.iter().map(ToString::to_string).collect());
        let fault = |raw, ours| {
            let mut ours = cell(ours);
            compare(&cell(raw), &mut ours);
            ours.fault
        };
        assert_eq!(fault(places(&["a:1", "b:2"]), places(&["b:2", "a:1"])), None);
        assert!(fault(places(&["a:1", "b:2"]), places(&["b:2"])).is_some());
        assert_eq!(fault(Given::Items(3), Given::Items(2)).as_deref(), Some("found 2, and the server 3"));
        assert_eq!(fault(Given::Text("a".into()), Given::Text("b".into())), None);
    }
}
