//! What is wrong with a text: every `BUG` is an error and every `WARN` a warning. Published, or answered on request.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use super::answers::uri;
use super::frame;
use super::post::{Answer, Post, notification};
use super::project::{Document, Project, Source};
use super::script::{PositionEncoding, Push, Script};
use super::text::{Lines, words};

const FLOOD: usize = 100_000;

fn items(text: &str, unit: PositionEncoding) -> Vec<Value> {
    let lines = Lines::new(text, unit);
    let found = words(text).filter_map(|(range, word)| {
        let (severity, code) = match word {
            "BUG" => (1, "bug1"),
            "WARN" => (2, "warn1"),
            _ => return None,
        };
        Some(json!({
            "range": lines.range(&range),
            "severity": severity,
            "code": code,
            "source": "fake",
            "message": format!("found a {word}"),
        }))
    });
    found.collect()
}

/// The answer to `textDocument/diagnostic`.
pub(crate) fn pull(project: &Project, params: &Value) -> Answer {
    let Some(source) = project.source(uri(params)?) else {
        return Ok(json!({ "kind": "full", "items": [] }));
    };
    Ok(report(&source, project.unit, params["previousResultId"].as_str()))
}

/// The answer to `workspace/diagnostic`: a report of every text in sight.
pub(crate) fn pull_workspace(project: &Project, params: &Value) -> Answer {
    let previous = |source: &Source| {
        let known = params["previousResultIds"].as_array()?;
        known.iter().find(|one| one["uri"] == source.uri)?["value"].as_str()
    };
    let reports: Vec<Value> = project
        .sources()
        .iter()
        .map(|source| {
            let mut report = report(source, project.unit, previous(source));
            report["uri"] = json!(source.uri);
            report["version"] = json!(source.version);
            report
        })
        .collect();
    Ok(json!({ "items": reports }))
}

/// The same text has the same id, in this life and in the next.
fn report(source: &Source, unit: PositionEncoding, previous: Option<&str>) -> Value {
    let mut hasher = DefaultHasher::new();
    source.text.hash(&mut hasher);
    let id = format!("{:016x}", hasher.finish());
    if previous == Some(id.as_str()) {
        return json!({ "kind": "unchanged", "resultId": id });
    }
    json!({ "kind": "full", "resultId": id, "items": items(&source.text, unit) })
}

/// Sends publications, in order, each after the script's delay.
#[derive(Debug)]
pub(crate) struct Publisher {
    push: Push,
    delay: Duration,
    queue: UnboundedSender<(Instant, Value)>,
    post: Post,
}

impl Publisher {
    pub(crate) fn new(script: &Script, post: Post) -> Self {
        let (queue, mut queued) = unbounded_channel();
        // One task for all: with one each, two that are due in the same millisecond could overtake each other.
        tokio::spawn({
            let post = post.clone();
            async move {
                while let Some((due, message)) = queued.recv().await {
                    sleep_until(due).await;
                    post.send(message);
                }
            }
        });
        Self { push: script.push, delay: Duration::from_millis(script.push_delay_ms), queue, post }
    }

    pub(crate) fn publish(&self, document: &Document, unit: PositionEncoding) {
        self.send(&document.uri, Some(document.version), items(&document.text, unit));
    }

    /// A closed document has nothing wrong with it any more.
    pub(crate) fn clear(&self, document: &Document) {
        self.send(&document.uri, None, Vec::new());
    }

    fn send(&self, uri: &str, version: Option<i64>, items: Vec<Value>) {
        let mut params = json!({ "uri": uri });
        match (self.push, version) {
            (Push::Never, _) => return,
            (Push::Versioned, Some(version)) => params["version"] = json!(version),
            _ => {}
        }
        params["diagnostics"] = Value::Array(items);
        let message = notification("textDocument/publishDiagnostics", params);
        if self.delay.is_zero() {
            self.post.send(message);
        } else {
            // The task ends only with this queue.
            let _ = self.queue.send((Instant::now() + self.delay, message));
        }
    }
}

/// One publication of 100 000 diagnostics, as text: as a tree it would take hundreds of megabytes.
pub(crate) fn flood(document: &Document) -> Vec<u8> {
    let one = json!({
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "severity": 1,
        "source": "fake",
        "message": "one of very many",
    })
    .to_string();
    let mut body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":{},"version":{},"diagnostics":["#,
        json!(document.uri),
        document.version,
    );
    for index in 0..FLOOD {
        if index > 0 {
            body.push(',');
        }
        body.push_str(&one);
    }
    body.push_str("]}}");
    frame::bytes(body.as_bytes())
}
