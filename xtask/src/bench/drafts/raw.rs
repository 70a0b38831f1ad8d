//! What the server takes by itself: it is shown the edit, says what is wrong with every file that can tell, and is shown
//! the file as it was.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Sample;
use super::open::Open;
use super::project::{Edit, Generated};
use crate::bench::servers::raw::client::Client;
use crate::bench::servers::raw::{habits, uri};
use crate::home::Home;

/// Until a cold server knows everything, on a busy machine.
const READY: Duration = Duration::from_secs(180);
const PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::bench) struct Raw {
    open: Open,
}

impl Raw {
    pub(in crate::bench) fn start(home: &Home, project: &Generated, program: &Path) -> Result<Self> {
        let language = project.language;
        let mut command = home.command(program, &project.root);
        let client = Client::start(command.args(language.arguments()), language.name, &project.root)?;
        let (ready, diagnoses) = habits(language.name);
        let mut open = Open::new(client, language.name, diagnoses, PATIENCE);
        for kind in super::project::KINDS {
            let edit = project.edit(kind)?;
            for file in std::iter::once(&edit.file).chain(&edit.others) {
                open.open(file)?;
            }
        }
        let is_ready = open.client.until(Instant::now() + READY, |heard| ready.is_heard(heard))?;
        ensure!(is_ready, "the server was not ready in time");
        Ok(Self { open })
    }

    pub(in crate::bench) fn close(mut self) -> Result<()> {
        self.open.client.ask("shutdown", &Value::Null, PATIENCE)?;
        self.open.client.talk.notify("exit", &Value::Null)?;
        self.open.client.talk.close(Duration::from_secs(20)).map(drop)
    }

    /// Once without the edit, and once with it.
    pub(super) fn try_out(&mut self, edit: &Edit) -> Result<Sample> {
        let began = Instant::now();
        let before = self.errors(edit)?;
        let baseline = began.elapsed();
        self.open.change(&edit.file, &edit.after)?;
        let after = self.errors(edit)?;
        let both = began.elapsed();
        self.open.change(&edit.file, &edit.before)?;
        let fault = (before > 0)
            .then(|| format!("{before} errors before the edit"))
            .or_else(|| (after < edit.breaks).then(|| format!("{after} errors of {}", edit.breaks)))
            .or_else(|| (edit.is_safe() && after > 0).then(|| format!("{after} errors")));
        Ok(Sample { took: both, draft: Some(both - baseline), fault, compared: Some(1 + edit.others.len()) })
    }

    /// The errors in all files that can tell, of the texts that the server has now.
    fn errors(&mut self, edit: &Edit) -> Result<usize> {
        let others: Vec<&Path> = edit.others.iter().map(PathBuf::as_path).collect();
        self.open.errors(&[&edit.file], &others)
    }

    /// Shows the server another text of a file, and asks for its symbols.
    pub(in crate::bench) fn symbols(&mut self, file: &Path, text: &str) -> Result<(Duration, Value)> {
        let began = Instant::now();
        self.open.change(file, text)?;
        self.answer("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri(file) } }), began)
    }

    /// What the server would change to rename what stands at the beginning of an edit.
    pub(in crate::bench) fn rename(&mut self, edit: &Edit, new_name: &str) -> Result<(Duration, Value)> {
        let params = json!({
            "textDocument": { "uri": uri(&edit.file) },
            "position": { "line": edit.line - 1, "character": edit.columns.0 - 1 },
            "newName": new_name,
        });
        self.answer("textDocument/rename", &params, Instant::now())
    }

    /// Tells the server that open files have been written.
    pub(in crate::bench) fn written<'t>(
        &mut self,
        files: impl Iterator<Item = (&'t Path, &'t str)> + Clone,
    ) -> Result<()> {
        let changes: Vec<Value> =
            files.clone().map(|(file, _)| json!({ "uri": uri(file), "type": 2 })).collect();
        for (file, text) in files {
            self.open.change(file, text)?;
        }
        self.open.client.talk.notify("workspace/didChangeWatchedFiles", &json!({ "changes": changes }))
    }

    fn answer(&mut self, method: &str, params: &Value, began: Instant) -> Result<(Duration, Value)> {
        let answer = self.open.client.ask(method, params, PATIENCE)?;
        let answer = answer.with_context(|| format!("no answer to `{method}` in time"))?;
        Ok((answer.at - began, answer.result.map_err(anyhow::Error::msg)?))
    }
}
