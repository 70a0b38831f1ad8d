//! Real language servers: what an answer takes by itself, through the peer, and through us.
//!
//! One after the other and never two at once, each on a fresh copy of the same project, in a home of its own.

pub(super) mod contest;
mod figures;
mod memory;
pub(super) mod raw;
pub(super) mod through;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{Effort, Report};
use crate::home::Home;
use crate::projects::{PROJECTS, Project, Replica};
use crate::questions::{QUESTIONS, Question};
use crate::{install, servers, tools};
use contest::{Cell, Contestant, Rounds, measure};
use figures::{Beginning, Row};
use raw::Raw;
use through::{Cold, Through, Who};

pub(crate) fn report(ours: &Path, effort: Effort, only: Option<&str>) -> Result<Report> {
    let chosen = choose(only)?;
    let peer = install::tool(&tools::AGENT_LSP)?;
    let places = servers::environment()?;
    let rounds = match effort {
        Effort::Quick => Rounds { warm_up: 2, asked: 20, diagnosed: 4 },
        Effort::Full => Rounds { warm_up: 5, asked: 200, diagnosed: 20 },
    };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    let mut rows = Vec::new();
    let mut beginnings = Vec::new();
    let mut memory = None;
    for project in &chosen {
        let program = places.iter().find(|(name, _)| *name == project.variable);
        let (_, program) = program.with_context(|| format!("`{}` is not known", project.variable))?;
        let contest = Contest { project, program, rounds: &rounds };
        let raw = contest.raw().with_context(|| format!("{}, asked directly", project.server))?;
        let (theirs, peer_began) = contest.through(Who::Peer, &peer).unwrap_or_else(|error| {
            println!("  agent-lsp: {error:#}");
            (Vec::new(), Cold::default())
        });
        let (mine, ours_began) = contest
            .through(Who::Ours, ours)
            .with_context(|| format!("{}, through bowline", project.server))?;
        rows.extend(side_by_side(project.server, raw, &theirs, &mine));
        beginnings.push(Beginning { server: project.server, ours: ours_began, peer: peer_began });
        if project.language == "go" {
            memory = Some(memory::report(ours, project, &project.spec(program), effort)?);
        }
    }
    let conditions = format!("{} of each, {} of diagnostics, load {load}", rounds.asked, rounds.diagnosed);
    let (mut tables, warm) = figures::warm(&rows, &conditions);
    let (table, cold) = figures::cold(&beginnings);
    tables.push(table);
    let mut values = json!({ "load": load, "warm": warm, "cold": cold });
    if let Some((table, value)) = memory {
        tables.push(table);
        values["memory"] = value;
    }
    Ok(Report { tables, values })
}

pub(super) fn choose(only: Option<&str>) -> Result<Vec<&'static Project>> {
    let wanted: Option<Vec<&str>> = only.map(|only| only.split(',').collect());
    let languages = PROJECTS.each_ref().map(|project| project.language);
    if let Some(unknown) = wanted.iter().flatten().find(|word| !languages.contains(word)) {
        bail!("there is no project in `{unknown}`; there are {}", languages.join(", "));
    }
    let is_wanted = |language| wanted.as_ref().is_none_or(|wanted| wanted.contains(&language));
    Ok(PROJECTS.iter().filter(|project| is_wanted(project.language)).collect())
}

type Cells = Vec<(Question, Cell)>;

/// One server, for whom all do the same.
struct Contest<'a> {
    project: &'static Project,
    program: &'a str,
    rounds: &'a Rounds,
}

impl Contest<'_> {
    fn raw(&self) -> Result<Cells> {
        let started = Instant::now();
        let home = Home::new()?;
        let copy = self.project.copy_to(&home.path()?)?;
        let mut raw = Raw::start(&home, &copy, Path::new(self.program))?;
        // We have the compiler run as well, so there is a figure for that too.
        let more = (self.project.language == "rust").then_some(Question::Checked);
        let questions: Vec<Question> = QUESTIONS.into_iter().chain(more).collect();
        let cells = questions
            .into_iter()
            .map(|question| Ok((question, measure(&mut raw, &copy, question, self.rounds)?)))
            .collect::<Result<_>>()?;
        raw.close()?;
        self.tell("raw", started);
        Ok(cells)
    }

    fn through(&self, who: Who, program: &Path) -> Result<(Cells, Cold)> {
        let started = Instant::now();
        let home = Home::new()?;
        let copy = self.project.copy_to(&home.path()?)?;
        let (mut through, cold) =
            Through::start(who, program, &home, &copy, &self.project.spec(self.program))?;
        let mut cells = Vec::new();
        for question in QUESTIONS {
            cells.push((question, self.ask(&mut through, &copy, question, who)?));
        }
        let name = if who == Who::Ours { "bowline" } else { "agent-lsp" };
        if !through.close() {
            println!("  {name} did not go when it was told to");
        }
        self.tell(name, started);
        Ok((cells, cold))
    }

    /// A peer that breaks down is a figure of its own, and no reason to stop.
    fn ask(
        &self,
        through: &mut dyn Contestant,
        copy: &Replica,
        question: Question,
        who: Who,
    ) -> Result<Cell> {
        match measure(through, copy, question, self.rounds) {
            Err(error) if who == Who::Peer => {
                Ok(Cell { fault: Some(format!("{error:#}")), ..Cell::default() })
            }
            cell => cell,
        }
    }

    fn tell(&self, who: &str, started: Instant) {
        println!("  {}, {who}: {:.1} s", self.project.server, started.elapsed().as_secs_f64());
    }
}

fn side_by_side(server: &'static str, raw: Cells, peer: &Cells, ours: &Cells) -> Vec<Row> {
    let find = |cells: &Cells, question: Question| {
        // Through MCP there is one question about errors, whatever it takes to answer it.
        let question = if question == Question::Checked { Question::Diagnostics } else { question };
        let found = cells.iter().find(|(asked, _)| *asked == question);
        found.map(|(_, cell)| cell.clone()).unwrap_or_default()
    };
    raw.into_iter()
        .map(|(question, raw)| Row {
            server,
            question,
            raw,
            peer: find(peer, question),
            ours: find(ours, question),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_by_language() {
        let servers = |only| -> Vec<&str> { choose(only).unwrap().iter().map(|one| one.server).collect() };
        assert_eq!(servers(Some("rust,go")), ["gopls", "rust-analyzer"]);
        assert_eq!(servers(None).len(), 5);
        assert_eq!(
            choose(Some("cobol")).err().unwrap().to_string(),
            "there is no project in `cobol`; there are go, python, typescript, cpp, rust"
        );
    }

    #[test]
    fn the_compilers_row_has_the_same_answers_beside_it() {
        let cell = |millis| Cell { millis: vec![millis], ..Cell::default() };
        let raw = vec![(Question::Diagnostics, cell(1.0)), (Question::Checked, cell(300.0))];
        let ours = vec![(Question::Diagnostics, cell(310.0))];
        let rows = side_by_side("rust-analyzer", raw, &Vec::new(), &ours);
        assert_eq!(rows[1].ours.millis, [310.0]);
        assert!(rows[1].peer.millis.is_empty());
    }
}
