//! A language server, asked through a program that serves MCP: ours, or the peer.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;

use super::contest::{Contestant, Heard};
use crate::home::Home;
use crate::mcp::Mcp;
use crate::projects::Replica;
use crate::questions::{Given, Question, call, missing, read};

/// For one call. An agent's host has given up long before.
const PATIENCE: Duration = Duration::from_secs(60);
/// Until a cold workspace has given the first full answer.
const COLD: Duration = Duration::from_secs(180);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Ours,
    Peer,
}

pub(crate) struct Through<'a> {
    pub(crate) mcp: Mcp,
    copy: &'a Replica,
}

/// From the start of the program to the first answer that has every use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cold {
    /// Whoever found them: a server, or a look at the text.
    pub(crate) useful: Option<Duration>,
    pub(crate) by_server: Option<Duration>,
    /// Answers before that lacked uses and did not say that they might.
    pub(crate) short: usize,
}

impl<'a> Through<'a> {
    /// Starts the program with this server and no other, and asks until all is found. Fails when it cannot be started.
    pub(crate) fn start(
        who: Who,
        program: &Path,
        home: &Home,
        copy: &'a Replica,
        spec: &str,
    ) -> Result<(Self, Cold)> {
        let began = Instant::now();
        let mut command = home.command(program, &copy.root);
        match who {
            Who::Ours => command.arg("--root").arg(&copy.root).arg(spec),
            Who::Peer => command.env("AGENT_LSP_OUTPUT_FORMAT", "json").arg(spec),
        };
        let mcp = Mcp::start(&mut command).with_context(|| format!("`{}`", program.display()))?;
        let mut through = Self { mcp, copy };
        if who == Who::Peer {
            // Without it no server is there. The language is left out: with it a daemon would be started.
            through.mcp.call("start_lsp", &json!({ "root_dir": copy.root }), PATIENCE)?;
        }
        let cold = through.warm(who, began)?;
        Ok((through, cold))
    }

    fn warm(&mut self, who: Who, began: Instant) -> Result<Cold> {
        let mut cold = Cold::default();
        while began.elapsed() < COLD && cold.by_server.is_none() {
            let (tool, arguments) = call(self.copy, Question::References);
            let Some(timed) = self.mcp.call(tool, &arguments, PATIENCE)? else { break };
            let now = began.elapsed();
            let given = read(self.copy, Question::References, &timed.answer);
            let is_full =
                matches!(&given, Given::Places(places) if missing(self.copy.project.uses, places).is_none());
            if is_full {
                cold.useful.get_or_insert(now);
                let engine = timed.answer.remark("engine");
                if who == Who::Peer || engine.as_deref() == Some("server") {
                    cold.by_server = Some(now);
                }
            } else if let Given::Places(_) = given
                && timed.answer.remark("indexed").as_deref() != Some("false")
            {
                cold.short += 1;
            }
            if cold.by_server.is_none() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Ok(cold)
    }

    /// Whether it goes by itself when it is told to.
    pub(crate) fn close(self) -> bool {
        self.mcp.talk.close(Duration::from_secs(20)).is_ok()
    }
}

impl Contestant for Through<'_> {
    fn ask(&mut self, question: Question) -> Result<Heard> {
        let (tool, arguments) = call(self.copy, question);
        let timed = self.mcp.call(tool, &arguments, PATIENCE)?;
        Ok(timed.map_or(Heard::Nothing, |timed| Heard::Answer {
            took: timed.took,
            given: read(self.copy, question, &timed.answer),
        }))
    }

    fn diagnose(&mut self, question: Question, text: &str) -> Result<Heard> {
        std::fs::write(self.copy.main(), text)?;
        self.ask(question)
    }
}
