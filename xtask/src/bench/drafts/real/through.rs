//! `preview_edit` of bowline on a real repository, and `evaluate_session` again until it is settled.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::edits::Edit;
use crate::bench::repositories::{Language, Repository, warm_up};
use crate::bench::servers::raw::uri;
use crate::home::Home;
use crate::mcp::Mcp;

/// For one call. An agent's host has given up long before.
const LIMIT: Duration = Duration::from_secs(120);
/// Until a cold server knows everything.
const COLD: Duration = Duration::from_secs(600);
/// An evaluation that is not settled is asked for again so long.
const SETTLE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Safe,
    Breaks,
    NotKnown,
}

/// What came of one edit.
pub(super) struct Answered {
    /// By the first answer, within the limits that are set without being asked for.
    pub(super) first: Verdict,
    pub(super) first_ms: f64,
    /// By the last, and how many there were.
    pub(super) settled: Verdict,
    pub(super) settled_ms: f64,
    pub(super) answers: usize,
    /// The first answer, and the last.
    pub(super) said: (Value, Value),
}

pub(super) struct Through {
    mcp: Mcp,
    repository: &'static Repository,
    root: PathBuf,
}

impl Through {
    /// Starts bowline, and asks until its server has read the whole repository.
    pub(super) fn start(
        ours: &Path,
        repository: &'static Repository,
        home: &Home,
        root: &Path,
        edits: &[&Edit],
    ) -> Result<Self> {
        let mcp = repository.through(ours, home, root)?;
        let mut through = Self { mcp, repository, root: root.to_owned() };
        through.warm_up(edits)?;
        Ok(through)
    }

    fn warm_up(&mut self, edits: &[&Edit]) -> Result<()> {
        let began = Instant::now();
        let there = |edit: &&&Edit| edit.changes[0].before.is_some();
        let first = edits.iter().find(there).context("no edit of a file that is there")?;
        if let Some(edit) = edits.iter().find(|edit| edit.symbol.is_some()) {
            let (line, column) = edit.symbol.context("it has one")?;
            let file = self.root.join(&edit.changes[0].file);
            let (line, column) = (u64::try_from(line)? + 1, u64::try_from(column)? + 1);
            if !warm_up(&mut self.mcp, &file, line, column)? {
                println!("  {}, its server is not ready yet", self.repository.short());
            }
        }
        // Comments of Rust are not compiled, and the compiler is to be warm as well.
        let file = self.root.join(&first.changes[0].file);
        let (line, text) = match self.repository.language {
            Language::Rust => (std::fs::read_to_string(&file)?.lines().count(), "const _: () = ();\n"),
            language => (0, language.comment()),
        };
        let range =
            json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } });
        let edit = json!([{ "range": range, "newText": text }]);
        let mut changes = serde_json::Map::new();
        changes.insert(uri(&file), edit);
        let arguments = json!({ "workspace_edit": { "changes": changes }, "timeout_ms": 60_000 });
        while began.elapsed() < COLD {
            let timed = self.mcp.call("preview_edit", &arguments, LIMIT)?;
            let answer = timed.and_then(|timed| timed.answer.json()).unwrap_or_default();
            if answer["timeout"] == false {
                break;
            }
        }
        println!(
            "  {}, bowline is warm after {:.0} s",
            self.repository.short(),
            began.elapsed().as_secs_f64()
        );
        Ok(())
    }

    pub(super) fn try_out(&mut self, edit: &Edit) -> Result<Answered> {
        let begin = json!({ "workspace_root": self.root, "language": self.repository.language.name() });
        let (session, _) = self.mcp.demand("create_simulation_session", &begin, LIMIT)?;
        let id = session["session_id"].clone();
        let began = Instant::now();
        let arguments = json!({ "session_id": id, "workspace_edit": edit.workspace_edit(&self.root) });
        let first = self.ask("preview_edit", &arguments)?;
        let first_ms = began.elapsed().as_secs_f64() * 1000.0;
        let (mut last, mut answers, mut ended) = (first.clone(), 1, usize::from(first["timeout"] != true));
        // What has not run out of time says the same again; it is asked once more, to be sure.
        while verdict(&last) == Verdict::NotKnown && began.elapsed() < SETTLE && ended < 2 {
            last = self.ask("evaluate_session", &json!({ "session_id": id }))?;
            answers += 1;
            ended += usize::from(last["timeout"] != true);
        }
        let settled_ms = began.elapsed().as_secs_f64() * 1000.0;
        self.mcp.call("destroy_session", &json!({ "session_id": id }), LIMIT)?;
        Ok(Answered {
            first: verdict(&first),
            first_ms,
            settled: verdict(&last),
            settled_ms: if answers == 1 { first_ms } else { settled_ms },
            answers,
            said: (first, last),
        })
    }

    /// An answer, or what went wrong as one.
    fn ask(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let Some(timed) = self.mcp.call(tool, arguments, LIMIT)? else {
            return Ok(json!({ "error": format!("no answer in {} s", LIMIT.as_secs()) }));
        };
        let said = timed.answer.text().to_owned();
        Ok(timed.answer.json().filter(|_| !timed.answer.is_error).unwrap_or_else(|| json!({ "error": said })))
    }

    pub(super) fn close(self) {
        // A process that does not end is killed, with all that it started.
        let _ = self.mcp.talk.close(Duration::from_secs(20));
    }
}

pub(super) fn verdict(answer: &Value) -> Verdict {
    if answer["safe_to_apply"] == true {
        Verdict::Safe
    } else if answer["errors_introduced"].as_array().is_some_and(|errors| !errors.is_empty()) {
        Verdict::Breaks
    } else {
        Verdict::NotKnown
    }
}

/// Why nothing is known, in few words: what ran out, what was left out, what is doubted.
pub(super) fn reasons(answer: &Value) -> String {
    let mut reasons = Vec::new();
    if let Some(error) = answer["error"].as_str() {
        reasons.push(error.to_owned());
    }
    if answer["timeout"] == true {
        reasons.push("out of time".to_owned());
    }
    if let Some(files) = answer["files_compared"].as_u64() {
        reasons.push(format!("{files} files compared"));
    }
    if let Some(left) = answer["files_not_compared"].as_u64() {
        reasons.push(format!("{left} not compared"));
    }
    let unproved = answer["without_proof"].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(first) = unproved.first() {
        let file = first["file"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let reason = first["reason"].as_str().unwrap_or_default();
        reasons.push(format!("{} without proof ({file}: {reason})", unproved.len()));
    }
    let doubts = answer["doubts"].as_array().into_iter().flatten().filter_map(Value::as_str);
    reasons.extend(doubts.map(|doubt| format!("doubt: {doubt}")));
    reasons.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_and_their_reasons_are_read_from_the_answer() {
        assert_eq!(verdict(&json!({ "safe_to_apply": true, "errors_introduced": [] })), Verdict::Safe);
        assert_eq!(verdict(&json!({ "safe_to_apply": false, "errors_introduced": [{}] })), Verdict::Breaks);
        let unknown = json!({
            "safe_to_apply": false, "errors_introduced": [], "timeout": true, "files_compared": 3,
            "without_proof": [{ "file": "/r/a.py", "reason": "no answer" }], "doubts": ["much"],
        });
        assert_eq!(verdict(&unknown), Verdict::NotKnown);
        assert_eq!(
            reasons(&unknown),
            "out of time; 3 files compared; 1 without proof (a.py: no answer); doubt: much"
        );
    }
}
