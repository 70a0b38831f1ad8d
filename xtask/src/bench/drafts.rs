//! Drafts: what `preview_edit` adds to what the server, or the compiler, takes for the same; and what it takes to write a
//! hundred files so that all of them are there or none.

mod commit;
mod compiler;
mod figures;
mod project;
mod raw;
mod through;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::servers::through::Who;
use super::{Effort, Report};
use crate::home::Home;
use crate::{install, servers, tools};
use compiler::Compiler;
use figures::Row;
use project::{Edit, Generated, KINDS, Kind, LANGUAGES, Language};
use raw::Raw;
use through::Through;

/// One edit, tried out once.
struct Sample {
    /// The files as they are, and with the edit: both are looked at.
    took: Duration,
    /// With the edit alone, where the two can be told apart.
    draft: Option<Duration>,
    /// What is wrong with the verdict.
    fault: Option<String>,
    /// So many files were looked at.
    compared: Option<usize>,
}

struct Rounds {
    warm_up: usize,
    measured: usize,
    /// The peer often takes seconds.
    peer: usize,
}

pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>) -> Result<Report> {
    let (chosen, is_commit) = choose(only)?;
    let rounds = match effort {
        Effort::Quick => Rounds { warm_up: 1, measured: 5, peer: 1 },
        Effort::Full => Rounds { warm_up: 3, measured: 20, peer: 5 },
    };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown").to_owned();
    let (mut tables, mut values) = (Vec::new(), json!({ "load": load }));
    if !chosen.is_empty() {
        let mut rows = Vec::new();
        for language in chosen {
            rows.extend(compare(ours, language, &rounds)?);
        }
        let (found, value) = figures::previews(&rows, &rounds, &load);
        tables.extend(found);
        values["preview_edit"] = value;
    }
    if is_commit {
        let (table, value) = commit::report(ours, effort)?;
        tables.push(table);
        values["commit"] = value;
    }
    Ok(Report { tables, values })
}

/// The languages, and whether files are written.
fn choose(only: Option<&str>) -> Result<(Vec<&'static Language>, bool)> {
    let Some(only) = only else { return Ok((LANGUAGES.iter().collect(), true)) };
    let wanted: Vec<&str> = only.split(',').collect();
    let names = LANGUAGES.each_ref().map(|language| language.name);
    if let Some(unknown) = wanted.iter().find(|word| **word != "commit" && !names.contains(word)) {
        bail!("there are no drafts in `{unknown}`; there are {}, commit", names.join(", "));
    }
    let chosen = LANGUAGES.iter().filter(|language| wanted.contains(&language.name)).collect();
    Ok((chosen, wanted.contains(&"commit")))
}

/// One language: by the server itself, through the peer, and through us, one after the other.
fn compare(ours: &Path, language: &'static Language, rounds: &Rounds) -> Result<Vec<Row>> {
    let peer = install::tool(&tools::AGENT_LSP)?;
    let places = servers::environment()?;
    let program = places.iter().find(|(name, _)| *name == language.variable);
    let (_, program) = program.with_context(|| format!("`{}` is not known", language.variable))?;
    let direct = by_itself(language, program, rounds)
        .with_context(|| format!("{}, asked directly", language.server))?;
    let spec = language.spec(program);
    let mine = through(Who::Ours, ours, language, &spec, rounds.measured, rounds)
        .with_context(|| format!("{}, through bowline", language.server))?;
    let theirs = through(Who::Peer, &peer, language, &spec, rounds.peer, rounds).unwrap_or_else(|error| {
        println!("  agent-lsp: {error:#}");
        KINDS.map(|_| Vec::new()).into()
    });
    let sides = direct.into_iter().zip(theirs).zip(mine).zip(KINDS);
    Ok(sides.map(|(((raw, peer), ours), kind)| Row { language, kind, raw, peer, ours }).collect())
}

/// The samples of each kind of edit.
type Samples = Vec<Vec<Sample>>;

fn by_itself(language: &'static Language, program: &str, rounds: &Rounds) -> Result<Samples> {
    let started = Instant::now();
    let home = Home::new()?;
    let project = Generated::write(language, &home.path()?.join("project"))?;
    let samples = if language.name == "rust" {
        let compiler = Compiler::new(&home, &project);
        each(&project, rounds, rounds.measured, &mut |edit| compiler.try_out(edit))?
    } else {
        let mut raw = Raw::start(&home, &project, Path::new(program))?;
        let samples = each(&project, rounds, rounds.measured, &mut |edit| raw.try_out(edit))?;
        raw.close()?;
        samples
    };
    tell(language, "raw", started);
    Ok(samples)
}

fn through(
    who: Who,
    program: &Path,
    language: &'static Language,
    spec: &str,
    measured: usize,
    rounds: &Rounds,
) -> Result<Samples> {
    let started = Instant::now();
    let home = Home::new()?;
    let project = Generated::write(language, &home.path()?.join("project"))?;
    let mut through = Through::start(who, program, &home, &project, spec)?;
    let samples = each(&project, rounds, measured, &mut |edit| through.try_out(edit))?;
    through.close();
    tell(language, if who == Who::Ours { "bowline" } else { "agent-lsp" }, started);
    Ok(samples)
}

fn each(
    project: &Generated,
    rounds: &Rounds,
    measured: usize,
    try_out: &mut dyn FnMut(&Edit) -> Result<Sample>,
) -> Result<Samples> {
    let of_kind = |kind: Kind| -> Result<Vec<Sample>> {
        let edit = project.edit(kind)?;
        for _ in 0..rounds.warm_up {
            try_out(&edit)?;
        }
        (0..measured).map(|_| try_out(&edit)).collect()
    };
    KINDS.into_iter().map(of_kind).collect()
}

fn tell(language: &Language, who: &str, started: Instant) {
    println!("  {}, {who}: {:.1} s", language.server, started.elapsed().as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_by_language_and_what_is_written_by_its_own_word() {
        let names = |only| {
            let (chosen, is_commit) = choose(only).unwrap();
            (chosen.iter().map(|language| language.name).collect::<Vec<_>>(), is_commit)
        };
        assert_eq!(names(Some("rust,go")), (vec!["go", "rust"], false));
        assert_eq!(names(Some("commit")), (vec![], true));
        assert_eq!(names(None).0.len(), 5);
        assert!(choose(Some("cobol")).is_err());
    }
}
