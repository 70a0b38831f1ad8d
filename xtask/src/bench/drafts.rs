//! Drafts: what `preview_edit` adds to what the server, or the compiler, takes for the same; and what it takes to write a
//! hundred files so that all of them are there or none.

mod commit;
mod compiler;
mod figures;
pub(super) mod open;
pub(super) mod project;
pub(super) mod raw;
pub(super) mod real;
pub(super) mod through;

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
use project::{Edit, Generated, KINDS, LANGUAGES, Language};
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

/// `is_written`: what is found of real repositories goes into the reference.
pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>, is_written: bool) -> Result<Report> {
    if let Some(names) = only.and_then(|only| named(only, "truth")) {
        let (table, values) = real::truths(&names)?;
        return Ok(Report { tables: vec![table], values });
    }
    if let Some(names) = only.and_then(|only| named(only, "real")) {
        let (tables, values) = real::report(ours, effort, &names, is_written)?;
        return Ok(Report { tables, values });
    }
    let (chosen, is_commit) = choose(only)?;
    let rounds = match effort {
        Effort::Quick => Rounds { warm_up: 1, measured: 5, peer: 1 },
        Effort::Full => Rounds { warm_up: 3, measured: 20, peer: 5 },
    };
    let load = load();
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

/// How busy the machine is, by its own word.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// `real` for all real repositories, `real:flask,go` for these; `truth` and `truth:flask` for what the compilers say alone.
/// They are not measured unless they are asked for: that takes most of an hour.
fn named<'o>(only: &'o str, word: &str) -> Option<Vec<&'o str>> {
    match only.strip_prefix(word)? {
        "" => Some(Vec::new()),
        names => Some(names.strip_prefix(':')?.split(',').collect()),
    }
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

/// One language: by the server itself and through us in turns, since what else a machine does changes by the second; then
/// through the peer.
fn compare(ours: &Path, language: &'static Language, rounds: &Rounds) -> Result<Vec<Row>> {
    let peer = install::tool(&tools::AGENT_LSP)?;
    let places = servers::environment()?;
    let program = places.iter().find(|(name, _)| *name == language.variable);
    let (_, program) = program.with_context(|| format!("`{}` is not known", language.variable))?;
    let (direct, mine) = in_turns(ours, language, program, rounds)?;
    let theirs = of_peer(&peer, language, program, rounds).unwrap_or_else(|error| {
        println!("  agent-lsp: {error:#}");
        KINDS.map(|_| Vec::new()).into()
    });
    let sides = direct.into_iter().zip(theirs).zip(mine).zip(KINDS);
    Ok(sides.map(|(((raw, peer), ours), kind)| Row { language, kind, raw, peer, ours }).collect())
}

/// The samples of each kind of edit.
type Samples = Vec<Vec<Sample>>;

/// The server, or the compiler.
enum Itself<'a> {
    Server(Box<Raw>),
    Compiler(Compiler<'a>),
}

impl Itself<'_> {
    fn try_out(&mut self, edit: &Edit) -> Result<Sample> {
        match self {
            Self::Server(raw) => raw.try_out(edit),
            Self::Compiler(compiler) => compiler.try_out(edit),
        }
    }
}

fn in_turns(
    ours: &Path,
    language: &'static Language,
    program: &str,
    rounds: &Rounds,
) -> Result<(Samples, Samples)> {
    let started = Instant::now();
    let directly = || format!("{}, asked directly", language.server);
    let through_us = || format!("{}, through bowline", language.server);
    let homes = (Home::new()?, Home::new()?);
    let first = Generated::write(language, &homes.0.path()?.join("project"))?;
    let second = Generated::write(language, &homes.1.path()?.join("project"))?;
    let mut itself = match language.name {
        "rust" => Itself::Compiler(Compiler::new(&homes.0, &first)),
        _ => {
            Itself::Server(Box::new(Raw::start(&homes.0, &first, Path::new(program)).with_context(directly)?))
        }
    };
    let mut through = Through::start(Who::Ours, ours, &homes.1, &second, &language.spec(program))
        .with_context(through_us)?;
    let (mut direct, mut mine) = (Samples::new(), Samples::new());
    for kind in KINDS {
        let edits = (first.edit(kind)?, second.edit(kind)?);
        let (mut by_itself, mut by_us) = (Vec::new(), Vec::new());
        for round in 0..rounds.warm_up + rounds.measured {
            let one = itself.try_out(&edits.0).with_context(directly)?;
            let other = through.try_out(&edits.1).with_context(through_us)?;
            if round >= rounds.warm_up {
                by_itself.push(one);
                by_us.push(other);
            }
        }
        direct.push(by_itself);
        mine.push(by_us);
    }
    through.close();
    if let Itself::Server(raw) = itself {
        raw.close()?;
    }
    tell(language, "raw and bowline", started);
    Ok((direct, mine))
}

fn of_peer(peer: &Path, language: &'static Language, program: &str, rounds: &Rounds) -> Result<Samples> {
    let started = Instant::now();
    let home = Home::new()?;
    let project = Generated::write(language, &home.path()?.join("project"))?;
    let mut through = Through::start(Who::Peer, peer, &home, &project, &language.spec(program))?;
    let mut samples = Samples::new();
    for kind in KINDS {
        let edit = project.edit(kind)?;
        through.try_out(&edit)?;
        samples.push((0..rounds.peer).map(|_| through.try_out(&edit)).collect::<Result<_>>()?);
    }
    through.close();
    tell(language, "agent-lsp", started);
    Ok(samples)
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
        assert_eq!(named("real:flask,go", "real"), Some(vec!["flask", "go"]));
        assert_eq!((named("real", "real"), named("rust", "real")), (Some(vec![]), None));
    }
}
