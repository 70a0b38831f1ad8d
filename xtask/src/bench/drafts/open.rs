//! The files that a language server was shown, and what it says is wrong with them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bench::servers::raw::client::Client;
use crate::bench::servers::raw::{Diagnoses, errors, uri};

/// What is asked of `tsserver` about a file.
const TSSERVER: [&str; 3] =
    ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"];

pub(in crate::bench) struct Open {
    pub(in crate::bench) client: Client,
    language: &'static str,
    diagnoses: Diagnoses,
    /// For the diagnostics of all files that are asked for together.
    limit: Duration,
    texts: HashMap<PathBuf, String>,
    /// Versions go on when a file is closed: what was said of it before is about none of the later ones.
    versions: HashMap<PathBuf, i64>,
}

impl Open {
    pub(in crate::bench) fn new(
        client: Client,
        language: &'static str,
        diagnoses: Diagnoses,
        limit: Duration,
    ) -> Self {
        Self { client, language, diagnoses, limit, texts: HashMap::new(), versions: HashMap::new() }
    }

    /// Shows a file to the server, as it is on disk.
    pub(in crate::bench) fn open(&mut self, file: &Path) -> Result<()> {
        if self.texts.contains_key(file) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        self.open_as(file, &text)
    }

    /// Shows a file to the server that may not be on disk.
    pub(in crate::bench) fn open_as(&mut self, file: &Path, text: &str) -> Result<()> {
        let version = self.next_version(file);
        let document = json!({
            "uri": uri(file), "languageId": self.language, "version": version, "text": text,
        });
        self.texts.insert(file.to_owned(), text.to_owned());
        self.client.talk.notify("textDocument/didOpen", &json!({ "textDocument": document }))
    }

    pub(in crate::bench) fn close(&mut self, file: &Path) -> Result<()> {
        if self.texts.remove(file).is_none() {
            return Ok(());
        }
        self.client.talk.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri(file) } }))
    }

    pub(in crate::bench) fn is_open(&self, file: &Path) -> bool {
        self.texts.contains_key(file)
    }

    pub(in crate::bench) fn change(&mut self, file: &Path, text: &str) -> Result<()> {
        self.change_with(file, text, &Value::Null)
    }

    fn change_with(&mut self, file: &Path, text: &str, more: &Value) -> Result<()> {
        let version = self.next_version(file);
        text.clone_into(self.texts.get_mut(file).context("it is not open")?);
        let mut change = json!({
            "textDocument": { "uri": uri(file), "version": version },
            "contentChanges": [{ "text": text }],
        });
        if let (Some(change), Some(more)) = (change.as_object_mut(), more.as_object()) {
            change.extend(more.clone());
        }
        self.client.talk.notify("textDocument/didChange", &change)
    }

    fn next_version(&mut self, file: &Path) -> i64 {
        let version = self.versions.entry(file.to_owned()).or_default();
        *version += 1;
        *version
    }

    /// The errors in open files, of the texts that the server has now. `edited` were changed last; `others` were not.
    pub(in crate::bench) fn errors(&mut self, edited: &[&Path], others: &[&Path]) -> Result<usize> {
        let files: Vec<&Path> = edited.iter().chain(others).copied().collect();
        match self.diagnoses {
            Diagnoses::Asked => self.pull(&files),
            Diagnoses::Tsserver => self.ask_tsserver(&files),
            Diagnoses::Published => self.await_published(&files, others),
        }
    }

    fn pull(&mut self, files: &[&Path]) -> Result<usize> {
        let request =
            |file: &&Path| ("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(file) } }));
        let requests: Vec<(&str, Value)> = files.iter().map(request).collect();
        let mut found = 0;
        for answer in self.client.ask_all(&requests, self.limit)? {
            found += errors(&answer.result.map_err(anyhow::Error::msg)?["items"]);
        }
        Ok(found)
    }

    fn ask_tsserver(&mut self, files: &[&Path]) -> Result<usize> {
        let mut requests = Vec::new();
        for file in files {
            for question in TSSERVER {
                let arguments = json!([question, { "file": file, "includeLinePosition": true }]);
                let params = json!({ "command": "typescript.tsserverRequest", "arguments": arguments });
                requests.push(("workspace/executeCommand", params));
            }
        }
        let mut found = 0;
        for answer in self.client.ask_all(&requests, self.limit)? {
            let result = answer.result.map_err(anyhow::Error::msg)?;
            ensure!(result["success"] == true, "tsserver has no answer: {result}");
            let body = result["body"].as_array().into_iter().flatten();
            found += body.filter(|found| found["category"] == "error").count();
        }
        Ok(found)
    }

    /// A server that cannot be asked looks again at what it is told has changed.
    fn await_published(&mut self, files: &[&Path], others: &[&Path]) -> Result<usize> {
        let anew = json!({ "forceRebuild": true, "wantDiagnostics": true });
        for other in others {
            let text = self.texts.get(*other).context("it is not open")?.clone();
            self.change_with(other, &text, &anew)?;
        }
        let versions: Vec<(String, i64)> =
            files.iter().filter_map(|file| Some((uri(file), *self.versions.get(*file)?))).collect();
        let is_heard = self.client.until(Instant::now() + self.limit, |heard| {
            versions.iter().all(|(uri, version)| heard.published_since(uri, *version).is_some())
        })?;
        ensure!(is_heard, "not every file was spoken of in time");
        let heard = &self.client.heard;
        let published = versions.iter().filter_map(|(uri, version)| heard.published_since(uri, *version));
        Ok(published.map(|(_, diagnostics)| errors(diagnostics)).sum())
    }
}
