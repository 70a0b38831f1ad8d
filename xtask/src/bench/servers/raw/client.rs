//! The least that a client must do: shake hands, answer what servers ask, and remember what they say unasked.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use super::hello;
use crate::talk::{Arrived, Framing, Talk, answered};

const HANDSHAKE: Duration = Duration::from_secs(60);

pub(in crate::bench) struct Client {
    pub(in crate::bench) talk: Talk,
    pub(in crate::bench) heard: Heard,
    capabilities: Value,
    folder: Value,
}

/// What a server said unasked.
#[derive(Default)]
pub(in crate::bench) struct Heard {
    pub(in crate::bench) logs: Vec<String>,
    pub(in crate::bench) is_quiescent: bool,
    /// The kinds of progress that have begun, and how often each has ended.
    begun: HashSet<String>,
    ended: HashMap<String, usize>,
    published: HashMap<String, Published>,
    /// What it offers since, by the request.
    registered: HashMap<String, Value>,
}

struct Published {
    at: Instant,
    version: Option<i64>,
    diagnostics: Value,
}

pub(in crate::bench) struct Response {
    pub(in crate::bench) at: Instant,
    pub(in crate::bench) result: Result<Value, String>,
}

impl Response {
    fn of(at: Instant, mut message: Value) -> Self {
        let result = match message.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(message["result"].take()),
        };
        Self { at, result }
    }
}

impl Client {
    pub(in crate::bench) fn start(command: &mut Command, language: &str, root: &Path) -> Result<Self> {
        let talk = Talk::start(command, Framing::Headers)?;
        let folder = json!({ "uri": super::uri(root), "name": language });
        let mut client = Self { talk, heard: Heard::default(), capabilities: Value::Null, folder };
        let params = hello::params(language, root, &client.folder);
        let answer = client.ask("initialize", &params, HANDSHAKE)?.context("no answer to `initialize`")?;
        let mut result = answer.result.map_err(|why| anyhow!("the server refused to start: {why}"))?;
        client.capabilities = result["capabilities"].take();
        client.talk.notify("initialized", &json!({}))?;
        Ok(client)
    }

    /// What a server says of a request that it answers, in the handshake or since.
    pub(in crate::bench) fn offer(&self, method: &str, key: &str) -> Option<&Value> {
        let said = self.capabilities.get(key).filter(|said| !said.is_null());
        said.or_else(|| self.heard.registered.get(method))
    }

    /// One request. None: no answer in time.
    pub(in crate::bench) fn ask(
        &mut self,
        method: &str,
        params: &Value,
        limit: Duration,
    ) -> Result<Option<Response>> {
        let deadline = Instant::now() + limit;
        let id = self.talk.request(method, params)?;
        while let Some(Arrived { at, mut message }) = self.talk.next(deadline)? {
            if answered(&message) != Some(id) {
                self.hear(at, &mut message)?;
                continue;
            }
            return Ok(Some(Response::of(at, message)));
        }
        Ok(None)
    }

    /// Many requests at once, in any order, and every answer. Fails when one does not come in time.
    pub(in crate::bench) fn ask_all(
        &mut self,
        requests: &[(&str, Value)],
        limit: Duration,
    ) -> Result<Vec<Response>> {
        let deadline = Instant::now() + limit;
        let mut asked = HashSet::new();
        for (method, params) in requests {
            asked.insert(self.talk.request(method, params)?);
        }
        let mut answers = Vec::with_capacity(asked.len());
        while !asked.is_empty() {
            let arrived = self.talk.next(deadline)?;
            let Arrived { at, mut message } = arrived.context("an answer did not come in time")?;
            if !answered(&message).is_some_and(|id| asked.remove(&id)) {
                self.hear(at, &mut message)?;
                continue;
            }
            answers.push(Response::of(at, message));
        }
        Ok(answers)
    }

    /// Listens until something was heard; false if it was not in time.
    pub(in crate::bench) fn until(
        &mut self,
        deadline: Instant,
        is_heard: impl Fn(&Heard) -> bool,
    ) -> Result<bool> {
        while !is_heard(&self.heard) {
            let Some(Arrived { at, mut message }) = self.talk.next(deadline)? else { return Ok(false) };
            self.hear(at, &mut message)?;
        }
        Ok(true)
    }

    fn hear(&mut self, at: Instant, message: &mut Value) -> Result<()> {
        if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
            let registrations = message["params"]["registrations"].as_array();
            for registration in registrations.into_iter().flatten() {
                let name = registration["method"].as_str().unwrap_or_default().to_owned();
                // Whoever registers something offers it, with options or without.
                let options = registration.get("registerOptions").cloned().unwrap_or(Value::Bool(true));
                self.heard.registered.insert(name, options);
            }
            let result = match method {
                "workspace/configuration" => {
                    let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                    Value::Array(vec![Value::Null; items])
                }
                "workspace/workspaceFolders" => json!([self.folder]),
                "workspace/applyEdit" => json!({ "applied": false }),
                _ => Value::Null,
            };
            let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            return self.talk.send(&answer);
        }
        self.heard.note(at, message);
        Ok(())
    }
}

impl Heard {
    /// Whether a progress has begun whose token begins so.
    pub(in crate::bench) fn has_begun(&self, token: &str) -> bool {
        self.begun.iter().any(|begun| begun.starts_with(token))
    }

    /// How often a progress has ended whose token begins so.
    pub(in crate::bench) fn ended(&self, token: &str) -> usize {
        self.ended.iter().filter(|(ended, _)| ended.starts_with(token)).map(|(_, times)| times).sum()
    }

    /// What was last published about a file, if it is about this version or a later one; those without a version
    /// are about none.
    pub(in crate::bench) fn published_since(&self, uri: &str, version: i64) -> Option<(Instant, &Value)> {
        let published = self.published.get(uri)?;
        (published.version? >= version).then_some((published.at, &published.diagnostics))
    }

    fn note(&mut self, at: Instant, message: &mut Value) {
        let Some(method) = message["method"].as_str().map(str::to_owned) else { return };
        let params = &mut message["params"];
        match method.as_str() {
            "window/logMessage" => self.logs.extend(params["message"].as_str().map(str::to_owned)),
            "experimental/serverStatus" => self.is_quiescent = params["quiescent"] == true,
            "$/progress" if params["value"]["kind"] == "begin" => {
                self.begun.insert(params["token"].to_string().trim_matches('"').to_owned());
            }
            "$/progress" if params["value"]["kind"] == "end" => {
                let token = params["token"].to_string().trim_matches('"').to_owned();
                *self.ended.entry(token).or_default() += 1;
            }
            "textDocument/publishDiagnostics" => {
                let uri = params["uri"].as_str().unwrap_or_default().to_owned();
                let version = params["version"].as_i64();
                let diagnostics = params["diagnostics"].take();
                self.published.insert(uri, Published { at, version, diagnostics });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_what_is_said_unasked() {
        let mut heard = Heard::default();
        for (method, params) in [
            ("window/logMessage", json!({ "type": 3, "message": "Found 5 source files" })),
            ("experimental/serverStatus", json!({ "health": "ok", "quiescent": true })),
            ("$/progress", json!({ "token": "check/0", "value": { "kind": "begin" } })),
            ("$/progress", json!({ "token": "check/0", "value": { "kind": "end" } })),
            (
                "textDocument/publishDiagnostics",
                json!({ "uri": "file:///a", "version": 2, "diagnostics": [1] }),
            ),
            ("textDocument/publishDiagnostics", json!({ "uri": "file:///b", "diagnostics": [] })),
        ] {
            heard.note(Instant::now(), &mut json!({ "method": method, "params": params }));
        }
        assert!(heard.is_quiescent && heard.logs[0].contains("source file"));
        assert_eq!((heard.ended("check"), heard.ended("index")), (1, 0));
        assert!(heard.has_begun("check") && !heard.has_begun("index"));
        assert_eq!(heard.published_since("file:///a", 2).unwrap().1, &json!([1]));
        assert!(heard.published_since("file:///a", 3).is_none());
        assert!(heard.published_since("file:///b", 0).is_none());
    }
}
