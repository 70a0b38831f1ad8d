//! A language server, asked without anybody in between: what an answer costs at least.

pub(in crate::bench) mod client;
mod hello;
mod request;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::contest::{Contestant, Heard};
use crate::home::Home;
use crate::projects::Replica;
use crate::questions::{Given, Question, missing};
use client::{Client, Response};

/// Until a cold server knows everything, on a busy machine.
const READY: Duration = Duration::from_secs(180);
/// For one answer of a warm one.
const PATIENCE: Duration = Duration::from_secs(60);

/// The progress under which rust-analyzer has the compiler run.
const CHECK: &str = "rust-analyzer/flycheck";

/// How it is known that a server has read the whole project. What it answers before is often short, and no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum Ready {
    /// It waits with its answer.
    Answers,
    Logs(&'static str),
    Ends(&'static str),
    /// It says itself that it has nothing left to do.
    Quiescent,
}

impl Ready {
    pub(in crate::bench) fn is_heard(self, heard: &client::Heard) -> bool {
        match self {
            Self::Answers => true,
            Self::Logs(text) => heard.logs.iter().any(|line| line.contains(text)),
            Self::Ends(token) => heard.ended(token) > 0,
            Self::Quiescent => heard.is_quiescent,
        }
    }
}

/// How it is known what is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum Diagnoses {
    Asked,
    Published,
    /// What it publishes has no version, but it passes questions on to the compiler.
    Tsserver,
}

pub(in crate::bench) fn habits(language: &str) -> (Ready, Diagnoses) {
    match language {
        "python" => (Ready::Logs("source file"), Diagnoses::Asked),
        "typescript" => (Ready::Answers, Diagnoses::Tsserver),
        "cpp" => (Ready::Ends("backgroundIndexProgress"), Diagnoses::Published),
        "rust" => (Ready::Quiescent, Diagnoses::Asked),
        _ => (Ready::Answers, Diagnoses::Asked),
    }
}

pub(crate) struct Raw<'a> {
    client: Client,
    copy: &'a Replica,
    version: i64,
}

impl<'a> Raw<'a> {
    /// Starts the server, and waits until it knows all of the project.
    pub(crate) fn start(home: &Home, copy: &'a Replica, program: &Path) -> Result<Self> {
        let project = copy.project;
        let mut command = home.command(program, &copy.root);
        let client = Client::start(command.args(project.arguments), project.language, &copy.root)?;
        let mut raw = Self { client, copy, version: 1 };
        for file in [&copy.declaration.file, &copy.usage.file, &copy.main()] {
            raw.open(file)?;
        }
        raw.await_ready()?;
        Ok(raw)
    }

    /// Whether the server says that it can answer this.
    pub(crate) fn offers(&self, question: Question) -> bool {
        request::is_offered(question, &self.client)
    }

    pub(crate) fn close(mut self) -> Result<()> {
        self.client.ask("shutdown", &Value::Null, PATIENCE)?;
        self.client.talk.notify("exit", &Value::Null)?;
        self.client.talk.close(Duration::from_secs(20)).map(drop)
    }

    fn open(&mut self, file: &Path) -> Result<()> {
        let text = std::fs::read_to_string(file)?;
        let document =
            json!({ "uri": uri(file), "languageId": self.copy.project.language, "version": 1, "text": text });
        self.client.talk.notify("textDocument/didOpen", &json!({ "textDocument": document }))
    }

    fn await_ready(&mut self) -> Result<()> {
        let deadline = Instant::now() + READY;
        let (ready, _) = habits(self.copy.project.language);
        let was_heard = self.client.until(deadline, |heard| ready.is_heard(heard))?;
        ensure!(was_heard, "the server was not ready in time");
        loop {
            let heard = self.ask(Question::References)?;
            let fault = match &heard {
                Heard::Answer { given: Given::Places(places), .. } => missing(self.copy.project.uses, places),
                Heard::Answer { given, .. } => Some(format!("{given:?}")),
                Heard::Nothing => Some("no answer".into()),
            };
            let Some(fault) = fault else { return Ok(()) };
            ensure!(Instant::now() < deadline, "the server is not ready in time: {fault}");
            // What it says meanwhile is heard.
            self.client.until(Instant::now() + Duration::from_millis(50), |_| false)?;
        }
    }

    /// The errors in `main` as it is now, from a server that is asked.
    fn pull(&mut self) -> Result<(Instant, Given)> {
        let document = json!({ "uri": uri(&self.copy.main()) });
        let answer =
            self.client.ask("textDocument/diagnostic", &json!({ "textDocument": document }), PATIENCE)?;
        let answer = answer.context("no report")?;
        Ok((answer.at, answer.given(|report| Given::Errors(errors(&report["items"])))))
    }

    fn ask_tsserver(&mut self) -> Result<(Instant, Given)> {
        let mut found = 0;
        let mut at = Instant::now();
        for question in ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"] {
            let arguments = json!([question, { "file": self.copy.main(), "includeLinePosition": true }]);
            let params = json!({ "command": "typescript.tsserverRequest", "arguments": arguments });
            let answer = self.client.ask("workspace/executeCommand", &params, PATIENCE)?;
            let answer = answer.context("no answer of tsserver")?;
            at = answer.at;
            match answer.result {
                Err(why) => return Ok((at, Given::Refused(why))),
                Ok(result) if result["success"] != true => {
                    return Ok((at, Given::Refused(result.to_string())));
                }
                Ok(result) => {
                    let body = result["body"].as_array().into_iter().flatten();
                    found += body.filter(|found| found["category"] == "error").count();
                }
            }
        }
        Ok((at, Given::Errors(found)))
    }

    fn await_published(&mut self) -> Result<Option<(Instant, Given)>> {
        let (uri, version) = (uri(&self.copy.main()), self.version);
        let deadline = Instant::now() + PATIENCE;
        self.client.until(deadline, |heard| heard.published_since(&uri, version).is_some())?;
        let published = self.client.heard.published_since(&uri, version);
        Ok(published.map(|(at, diagnostics)| (at, Given::Errors(errors(diagnostics)))))
    }

    /// Lets the compiler run over what is on disk.
    fn check(&mut self) -> Result<()> {
        let before = self.client.heard.ended(CHECK);
        let document = json!({ "uri": uri(&self.copy.main()) });
        self.client.talk.notify("textDocument/didSave", &json!({ "textDocument": document }))?;
        let has_run = self.client.until(Instant::now() + PATIENCE, |heard| heard.ended(CHECK) > before)?;
        ensure!(has_run, "the compiler did not run after a save");
        Ok(())
    }
}

impl Contestant for Raw<'_> {
    fn ask(&mut self, question: Question) -> Result<Heard> {
        let (method, params) = request::of(self.copy, question, &self.client);
        let sent = Instant::now();
        let Some(answer) = self.client.ask(method, &params, PATIENCE)? else { return Ok(Heard::Nothing) };
        let copy = self.copy;
        let took = answer.at - sent;
        let given = answer.given(|result| request::given(copy, question, &result));
        Ok(Heard::Answer { took, given })
    }

    fn diagnose(&mut self, question: Question, text: &str) -> Result<Heard> {
        let main = self.copy.main();
        let (_, diagnoses) = habits(self.copy.project.language);
        if question == Question::Checked {
            // The compiler reads the disk.
            std::fs::write(&main, text)?;
        }
        self.version += 1;
        let change = json!({
            "textDocument": { "uri": uri(&main), "version": self.version },
            "contentChanges": [{ "text": text }],
        });
        let sent = Instant::now();
        self.client.talk.notify("textDocument/didChange", &change)?;
        if question == Question::Checked {
            self.check()?;
        }
        let found = match diagnoses {
            Diagnoses::Asked => Some(self.pull()?),
            Diagnoses::Tsserver => Some(self.ask_tsserver()?),
            Diagnoses::Published => self.await_published()?,
        };
        let Some((at, mut given)) = found else { return Ok(Heard::Nothing) };
        if question == Question::Checked
            && let Given::Errors(errors_of_server) = &mut given
        {
            let published = self.client.heard.published_since(&uri(&main), 0);
            *errors_of_server += published.map_or(0, |(_, diagnostics)| errors(diagnostics));
        }
        Ok(Heard::Answer { took: at - sent, given })
    }
}

impl Response {
    fn given(self, read: impl FnOnce(Value) -> Given) -> Given {
        self.result.map_or_else(Given::Refused, read)
    }
}

/// How many of these diagnostics are errors.
pub(in crate::bench) fn errors(diagnostics: &Value) -> usize {
    let all = diagnostics.as_array().into_iter().flatten();
    all.filter(|found| found["severity"].as_u64().unwrap_or(1) == 1).count()
}

/// Locations and links alike.
fn places(copy: &Replica, result: &Value) -> Vec<String> {
    let all = match result {
        Value::Array(all) => all.as_slice(),
        Value::Null => &[],
        one => std::slice::from_ref(one),
    };
    all.iter()
        .filter_map(|place| {
            let uri = place.get("uri").or_else(|| place.get("targetUri"))?.as_str()?;
            let range = place.get("range").or_else(|| place.get("targetSelectionRange"))?;
            Some(copy.short(path(uri)?.to_str()?, range["start"]["line"].as_u64()? + 1))
        })
        .collect()
}

/// What stands in a URI as it is; everything else is written as its bytes.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte)
}

pub(in crate::bench) fn uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped = bytes
        .map(|byte| if is_plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") });
    format!("file://{}", escaped.collect::<String>())
}

pub(in crate::bench) fn path(uri: &str) -> Option<PathBuf> {
    let mut rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.as_bytes());
        bytes.push(u8::from_str_radix(after.get(..2)?, 16).ok()?);
        rest = &after[2..];
    }
    bytes.extend(rest.as_bytes());
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_there_and_back() {
        let odd = Path::new("/a b/with #1 100%.go");
        assert_eq!(uri(odd), "file:///a%20b/with%20%231%20100%25.go");
        assert_eq!(path(&uri(odd)).as_deref(), Some(odd));
        assert_eq!(path("untitled:1"), None);
    }

    #[test]
    fn locations_and_links_are_read_alike() {
        let folder = tempfile::tempdir().unwrap();
        let copy = crate::projects::PROJECTS[0].copy_to(folder.path()).unwrap();
        let uri = uri(&copy.root.join("main.go"));
        let range = json!({ "start": { "line": 16, "character": 0 } });
        let location = json!({ "uri": uri, "range": range });
        let link = json!([{ "targetUri": uri, "targetSelectionRange": range }]);
        assert_eq!(places(&copy, &location), ["main.go:17"]);
        assert_eq!(places(&copy, &link), ["main.go:17"]);
        assert!(places(&copy, &Value::Null).is_empty());
    }
}
