//! What the server takes by itself: it is shown the edit, says what is wrong with every file that can tell, and is shown
//! the file as it was.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Sample;
use super::project::{Edit, Generated};
use crate::bench::servers::raw::client::Client;
use crate::bench::servers::raw::{Diagnoses, errors, habits, uri};
use crate::home::Home;

/// Until a cold server knows everything, on a busy machine.
const READY: Duration = Duration::from_secs(180);
const PATIENCE: Duration = Duration::from_secs(60);

/// What is asked of `tsserver` about a file.
const TSSERVER: [&str; 3] =
    ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"];

pub(in crate::bench) struct Raw<'a> {
    client: Client,
    project: &'a Generated,
    diagnoses: Diagnoses,
    open: HashMap<PathBuf, (i64, String)>,
}

impl<'a> Raw<'a> {
    pub(in crate::bench) fn start(home: &Home, project: &'a Generated, program: &Path) -> Result<Self> {
        let language = project.language;
        let mut command = home.command(program, &project.root);
        let client = Client::start(command.args(language.arguments()), language.name, &project.root)?;
        let (ready, diagnoses) = habits(language.name);
        let mut raw = Self { client, project, diagnoses, open: HashMap::new() };
        for kind in super::project::KINDS {
            let edit = project.edit(kind)?;
            for file in std::iter::once(&edit.file).chain(&edit.others) {
                raw.open(file)?;
            }
        }
        let is_ready = raw.client.until(Instant::now() + READY, |heard| ready.is_heard(heard))?;
        ensure!(is_ready, "the server was not ready in time");
        Ok(raw)
    }

    pub(in crate::bench) fn close(mut self) -> Result<()> {
        self.client.ask("shutdown", &Value::Null, PATIENCE)?;
        self.client.talk.notify("exit", &Value::Null)?;
        self.client.talk.close(Duration::from_secs(20)).map(drop)
    }

    /// Once without the edit, and once with it.
    pub(super) fn try_out(&mut self, edit: &Edit) -> Result<Sample> {
        let began = Instant::now();
        let before = self.errors(edit)?;
        let baseline = began.elapsed();
        self.change(&edit.file, &edit.after, &Value::Null)?;
        let after = self.errors(edit)?;
        let both = began.elapsed();
        self.change(&edit.file, &edit.before, &Value::Null)?;
        let fault = (before > 0)
            .then(|| format!("{before} errors before the edit"))
            .or_else(|| (after < edit.breaks).then(|| format!("{after} errors of {}", edit.breaks)))
            .or_else(|| (edit.is_safe() && after > 0).then(|| format!("{after} errors")));
        Ok(Sample { took: both, draft: Some(both - baseline), fault, compared: Some(1 + edit.others.len()) })
    }

    /// Shows the server another text of a file, and asks for its symbols.
    pub(in crate::bench) fn symbols(&mut self, file: &Path, text: &str) -> Result<(Duration, Value)> {
        let began = Instant::now();
        self.change(file, text, &Value::Null)?;
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
            self.change(file, text, &Value::Null)?;
        }
        self.client.talk.notify("workspace/didChangeWatchedFiles", &json!({ "changes": changes }))
    }

    fn answer(&mut self, method: &str, params: &Value, began: Instant) -> Result<(Duration, Value)> {
        let answer = self.client.ask(method, params, PATIENCE)?;
        let answer = answer.with_context(|| format!("no answer to `{method}` in time"))?;
        Ok((answer.at - began, answer.result.map_err(anyhow::Error::msg)?))
    }

    fn open(&mut self, file: &Path) -> Result<()> {
        if self.open.contains_key(file) {
            return Ok(());
        }
        let text = std::fs::read_to_string(file)?;
        let document = json!({
            "uri": uri(file), "languageId": self.project.language.name, "version": 1, "text": text,
        });
        self.open.insert(file.to_owned(), (1, text));
        self.client.talk.notify("textDocument/didOpen", &json!({ "textDocument": document }))
    }

    fn change(&mut self, file: &Path, text: &str, more: &Value) -> Result<()> {
        let (version, held) = self.open.get_mut(file).context("it is not open")?;
        *version += 1;
        text.clone_into(held);
        let mut change = json!({
            "textDocument": { "uri": uri(file), "version": version },
            "contentChanges": [{ "text": text }],
        });
        if let (Some(change), Some(more)) = (change.as_object_mut(), more.as_object()) {
            change.extend(more.clone());
        }
        self.client.talk.notify("textDocument/didChange", &change)
    }

    /// The errors in all files that can tell, of the texts that the server has now.
    fn errors(&mut self, edit: &Edit) -> Result<usize> {
        let files: Vec<&PathBuf> = std::iter::once(&edit.file).chain(&edit.others).collect();
        match self.diagnoses {
            Diagnoses::Asked => self.pull(&files),
            Diagnoses::Tsserver => self.ask_tsserver(&files),
            Diagnoses::Published => self.await_published(edit, &files),
        }
    }

    fn pull(&mut self, files: &[&PathBuf]) -> Result<usize> {
        let request =
            |file: &&PathBuf| ("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(file) } }));
        let requests: Vec<(&str, Value)> = files.iter().map(request).collect();
        let mut found = 0;
        for answer in self.client.ask_all(&requests, PATIENCE)? {
            found += errors(&answer.result.map_err(anyhow::Error::msg)?["items"]);
        }
        Ok(found)
    }

    fn ask_tsserver(&mut self, files: &[&PathBuf]) -> Result<usize> {
        let mut requests = Vec::new();
        for file in files {
            for question in TSSERVER {
                let arguments = json!([question, { "file": file, "includeLinePosition": true }]);
                let params = json!({ "command": "typescript.tsserverRequest", "arguments": arguments });
                requests.push(("workspace/executeCommand", params));
            }
        }
        let mut found = 0;
        for answer in self.client.ask_all(&requests, PATIENCE)? {
            let result = answer.result.map_err(anyhow::Error::msg)?;
            ensure!(result["success"] == true, "tsserver has no answer: {result}");
            let body = result["body"].as_array().into_iter().flatten();
            found += body.filter(|found| found["category"] == "error").count();
        }
        Ok(found)
    }

    /// A server that cannot be asked looks again at what it is told has changed.
    fn await_published(&mut self, edit: &Edit, files: &[&PathBuf]) -> Result<usize> {
        let anew = json!({ "forceRebuild": true, "wantDiagnostics": true });
        for other in &edit.others {
            let (_, text) = self.open.get(other).context("it is not open")?.clone();
            self.change(other, &text, &anew)?;
        }
        let versions: Vec<(String, i64)> =
            files.iter().filter_map(|file| Some((uri(file), self.open.get(*file)?.0))).collect();
        let is_heard = self.client.until(Instant::now() + PATIENCE, |heard| {
            versions.iter().all(|(uri, version)| heard.published_since(uri, *version).is_some())
        })?;
        ensure!(is_heard, "not every file was spoken of in time");
        let heard = &self.client.heard;
        let published = versions.iter().filter_map(|(uri, version)| heard.published_since(uri, *version));
        Ok(published.map(|(_, diagnostics)| errors(diagnostics)).sum())
    }
}
