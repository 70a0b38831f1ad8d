//! `preview_edit` of a program that serves MCP: ours, or the peer.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::Sample;
use super::project::{Edit, Generated, Kind};
use crate::bench::servers::through::Who;
use crate::home::Home;
use crate::mcp::Mcp;

/// For one call. An agent's host has given up long before.
const PATIENCE: Duration = Duration::from_secs(120);
/// Until a cold one has given a right answer; whoever has not by then is measured as it is.
const COLD: Duration = Duration::from_secs(90);

pub(in crate::bench) struct Through<'a> {
    pub(in crate::bench) mcp: Mcp,
    project: &'a Generated,
    who: Who,
}

impl<'a> Through<'a> {
    pub(in crate::bench) fn start(
        who: Who,
        program: &Path,
        home: &Home,
        project: &'a Generated,
        spec: &str,
    ) -> Result<Self> {
        let mut through = Self::connect(who, program, home, project, spec)?;
        let began = Instant::now();
        let mistake = project.edit(Kind::Mistake)?;
        while began.elapsed() < COLD && through.try_out(&mistake)?.fault.is_some() {}
        Ok(through)
    }

    /// Starts it, and does not wait until it knows anything.
    pub(in crate::bench) fn connect(
        who: Who,
        program: &Path,
        home: &Home,
        project: &'a Generated,
        spec: &str,
    ) -> Result<Self> {
        let mut command = home.command(program, &project.root);
        match who {
            Who::Ours => command.arg("--root").arg(&project.root).arg(spec),
            Who::Peer => command.env("AGENT_LSP_OUTPUT_FORMAT", "json").arg(spec),
        };
        let mcp = Mcp::start(&mut command).with_context(|| format!("`{}`", program.display()))?;
        let mut through = Self { mcp, project, who };
        if who == Who::Peer {
            // Without it no server is there. The language is left out: with it a daemon would be started.
            through.mcp.call("start_lsp", &json!({ "root_dir": project.root }), PATIENCE)?;
        }
        Ok(through)
    }

    pub(super) fn try_out(&mut self, edit: &Edit) -> Result<Sample> {
        let arguments = edit.arguments(self.project);
        let Some(timed) = self.mcp.call("preview_edit", &arguments, PATIENCE)? else {
            bail!("no answer in {} s", PATIENCE.as_secs());
        };
        let said = timed.answer.text();
        let answer = timed.answer.json().unwrap_or_default();
        let fault = if timed.answer.is_error { Some(said.to_owned()) } else { self.fault(edit, &answer) };
        let compared = answer["files_compared"].as_u64().and_then(|files| usize::try_from(files).ok());
        Ok(Sample { took: timed.took, draft: None, fault, compared })
    }

    /// What is wrong with a verdict: dangerous edits are to be told with their errors, others are to be called safe.
    fn fault(&self, edit: &Edit, answer: &Value) -> Option<String> {
        let introduced = answer["errors_introduced"].as_array().map_or(0, Vec::len);
        // The peer says in the description of its tool what is safe.
        let is_called_safe = match self.who {
            Who::Ours => answer["safe_to_apply"] == true,
            Who::Peer => answer["net_delta"] == 0,
        };
        match (edit.is_safe(), is_called_safe) {
            (false, true) => Some(format!("called safe, confidence {}", answer["confidence"])),
            (true, false) => Some(format!("not called safe: {answer}")),
            (false, false) if introduced < edit.breaks => {
                Some(format!("{introduced} errors of {}, confidence {}", edit.breaks, answer["confidence"]))
            }
            _ => None,
        }
    }

    pub(in crate::bench) fn close(self) {
        // Whoever stays is killed, with all that it started.
        let _ = self.mcp.talk.close(Duration::from_secs(20));
    }
}
