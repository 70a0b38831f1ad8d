//! What a change to a file with fifty functions reaches, in a project of three hundred files: with every cache empty,
//! asked again, and in a new process that finds what the last one kept.

mod figures;
mod project;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{Effort, Report};
use crate::home::Home;
use crate::mcp::Mcp;
use crate::{install, servers, tools};
use figures::{Outcome, Side};
use project::{Found, Generated, LANGUAGES, Language};

/// For one call: longer than either gives itself.
const PATIENCE: Duration = Duration::from_secs(150);
/// Until an answer is complete; whoever is not by then never is.
const COMPLETE: Duration = Duration::from_secs(240);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Ours,
    Peer,
}

struct Rounds {
    /// Beginnings with every cache empty.
    cold: usize,
    /// The same call again, in each process.
    warm: usize,
}

pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>) -> Result<Report> {
    let chosen = choose(only)?;
    let peer = install::tool(&tools::AGENT_LSP)?;
    let places = servers::environment()?;
    let rounds = match effort {
        Effort::Quick => Rounds { cold: 1, warm: 5 },
        Effort::Full => Rounds { cold: 3, warm: 20 },
    };
    let (mut tables, mut values) = (Vec::new(), serde_json::Map::new());
    for language in chosen {
        let program = places.iter().find(|(name, _)| *name == language.variable);
        let (_, program) = program.with_context(|| format!("`{}` is not known", language.variable))?;
        let spec = language.spec(program);
        let (mut mine, mut theirs) = (Side::default(), Side::default());
        for _ in 0..rounds.cold {
            for (who, program, side) in
                [(Who::Ours, ours, &mut mine), (Who::Peer, peer.as_path(), &mut theirs)]
            {
                let started = Instant::now();
                match side_of(who, program, language, &spec, rounds.warm, side) {
                    Err(error) if who == Who::Peer => println!("  agent-lsp: {error:#}"),
                    done => done.with_context(|| format!("{}, through bowline", language.server))?,
                }
                let name = if who == Who::Ours { "bowline" } else { "agent-lsp" };
                println!("  {}, {name}: {:.1} s", language.server, started.elapsed().as_secs_f64());
            }
        }
        let (table, value) = figures::compare(language, &mine, &theirs, &rounds);
        tables.push(table);
        values.insert(language.name.to_owned(), value);
    }
    Ok(Report { tables, values: values.into() })
}

fn choose(only: Option<&str>) -> Result<Vec<&'static Language>> {
    let Some(only) = only else { return Ok(LANGUAGES.iter().collect()) };
    let wanted: Vec<&str> = only.split(',').collect();
    let chosen: Vec<&Language> =
        LANGUAGES.iter().filter(|language| wanted.contains(&language.name)).collect();
    if chosen.is_empty() {
        bail!(
            "nothing is generated in `{only}`; there are {}",
            LANGUAGES.each_ref().map(|one| one.name).join(", ")
        );
    }
    Ok(chosen)
}

/// Two processes, one after the other, in a home of their own: the second finds what the first has kept.
fn side_of(
    who: Who,
    program: &Path,
    language: &'static Language,
    spec: &str,
    warm: usize,
    side: &mut Side,
) -> Result<()> {
    let home = Home::new()?;
    let project = Generated::write(language, &home.path()?.join("project"))?;
    let mut asking = Asking::start(who, program, &home, &project, spec)?;
    side.cold.push(asking.until_complete()?);
    for _ in 0..warm {
        side.warm.push(asking.once()?);
    }
    asking.close();
    let mut asking = Asking::start(who, program, &home, &project, spec)?;
    side.again.push(asking.until_complete()?);
    asking.close();
    Ok(())
}

/// A program that is asked, and when it was started.
struct Asking<'a> {
    mcp: Mcp,
    project: &'a Generated,
    began: Instant,
}

impl<'a> Asking<'a> {
    fn start(who: Who, program: &Path, home: &Home, project: &'a Generated, spec: &str) -> Result<Self> {
        let began = Instant::now();
        let mut command = home.command(program, &project.root);
        match who {
            Who::Ours => command.arg("--root").arg(&project.root).arg(spec),
            Who::Peer => command.env("AGENT_LSP_OUTPUT_FORMAT", "json").arg(spec),
        };
        let mut mcp = Mcp::start(&mut command).with_context(|| format!("`{}`", program.display()))?;
        if who == Who::Peer {
            // Without it no server is there. The language is left out: with it a daemon would be started.
            mcp.call("start_lsp", &json!({ "root_dir": project.root }), PATIENCE)?;
        }
        Ok(Self { mcp, project, began })
    }

    /// From the start of the program to the first answer that has every caller.
    fn until_complete(&mut self) -> Result<Outcome> {
        let mut calls = 0;
        loop {
            let mut outcome = self.once()?;
            calls += 1;
            outcome.took = self.began.elapsed();
            outcome.calls = calls;
            if outcome.found.is_whole() || self.began.elapsed() > COMPLETE {
                return Ok(outcome);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn once(&mut self) -> Result<Outcome> {
        let arguments = json!({ "changed_files": [self.project.library()] });
        let Some(timed) = self.mcp.call("blast_radius", &arguments, PATIENCE)? else {
            bail!("no answer in {} s", PATIENCE.as_secs());
        };
        let found = if timed.answer.is_error {
            Found::default()
        } else {
            self.project.judge(&timed.answer.json().unwrap_or_default())
        };
        let fault = timed.answer.is_error.then(|| timed.answer.text().chars().take(200).collect());
        let engine = timed.answer.remark("engine");
        Ok(Outcome { took: timed.took, calls: 1, found, engine, fault })
    }

    fn close(self) {
        // Whoever stays is killed, with all that it started.
        let _ = self.mcp.talk.close(Duration::from_secs(20));
    }
}
