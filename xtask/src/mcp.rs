//! A small MCP client: calls tools of a program that serves on its pipes.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::talk::{Arrived, Framing, Talk, answered};

/// For the handshake.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Mcp {
    pub(crate) talk: Talk,
}

/// What came back from one call.
pub(crate) struct Answer {
    pub(crate) is_error: bool,
    pub(crate) texts: Vec<String>,
}

/// An answer, and the time from sending the call to its last byte.
pub(crate) struct Timed {
    pub(crate) took: Duration,
    pub(crate) answer: Answer,
}

impl Mcp {
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let mut mcp = Self { talk: Talk::start(command, Framing::Lines)? };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "bench", "version": "0" },
        });
        let id = mcp.talk.request("initialize", &hello)?;
        mcp.wait(id, Instant::now() + PATIENCE)?.context("no answer to `initialize`")?;
        mcp.talk.notify("notifications/initialized", &json!({}))?;
        Ok(mcp)
    }

    /// Sends a call, and says which answer belongs to it.
    pub(crate) fn send(&mut self, tool: &str, arguments: &Value) -> Result<u64> {
        self.talk.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// One call. None: no answer in time.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value, limit: Duration) -> Result<Option<Timed>> {
        let sent = Instant::now();
        let id = self.send(tool, arguments)?;
        let arrived = self.wait(id, sent + limit)?;
        Ok(arrived.map(|arrived| Timed { took: arrived.at - sent, answer: Answer::of(&arrived.message) }))
    }

    /// One call that has to succeed, with JSON.
    pub(crate) fn demand(
        &mut self,
        tool: &str,
        arguments: &Value,
        limit: Duration,
    ) -> Result<(Value, Duration)> {
        let timed = self.call(tool, arguments, limit)?.with_context(|| format!("no answer of {tool}"))?;
        ensure!(!timed.answer.is_error, "{tool}: {}", timed.answer.text());
        let answer = timed.answer.json().with_context(|| format!("{tool}: no JSON"))?;
        Ok((answer, timed.took))
    }

    /// The list of tools, as it is sent.
    pub(crate) fn list(&mut self, limit: Duration) -> Result<String> {
        let deadline = Instant::now() + limit;
        let id = self.talk.request("tools/list", &json!({}))?;
        let arrived = self.wait(id, deadline)?.context("no list of tools")?;
        Ok(arrived.message["result"].to_string())
    }

    /// The next answer to any call, with the call it belongs to.
    pub(crate) fn next(&mut self, deadline: Instant) -> Result<Option<(u64, Arrived)>> {
        while let Some(arrived) = self.talk.next(deadline)? {
            if let Some(id) = answered(&arrived.message) {
                return Ok(Some((id, arrived)));
            }
            // Whatever they ask, `ping` above all: we offer nothing.
            if let Some(id) = arrived.message.get("id") {
                self.talk.send(&json!({ "jsonrpc": "2.0", "id": id, "result": {} }))?;
            }
        }
        Ok(None)
    }

    fn wait(&mut self, wanted: u64, deadline: Instant) -> Result<Option<Arrived>> {
        while let Some((id, arrived)) = self.next(deadline)? {
            if id == wanted {
                return Ok(Some(arrived));
            }
        }
        Ok(None)
    }
}

impl Answer {
    pub(crate) fn of(message: &Value) -> Self {
        if let Some(error) = message.get("error") {
            return Self { is_error: true, texts: vec![error.to_string()] };
        }
        let content = message["result"]["content"].as_array().into_iter().flatten();
        Self {
            is_error: message["result"]["isError"] == true,
            texts: content.filter_map(|item| item["text"].as_str().map(str::to_owned)).collect(),
        }
    }

    /// The answer itself; what stands behind it is about the answer.
    pub(crate) fn text(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// How many there are beside those that are shown: `and 7 more; …`.
    pub(crate) fn more(&self) -> usize {
        let behind = self.texts.iter().skip(1);
        let said = behind.filter_map(|text| text.split_once("and ")?.1.split_once(" more"));
        said.filter_map(|(number, _)| number.parse::<usize>().ok()).sum()
    }

    pub(crate) fn json(&self) -> Option<Value> {
        serde_json::from_str(self.text()).ok()
    }

    /// A word that is said about the answer: `engine=server`, or within it: `"engine":"server"`.
    pub(crate) fn remark(&self, key: &str) -> Option<String> {
        let within = |value: &Value| Some(value.get(key)?.to_string().trim_matches('"').to_owned());
        let behind = self.texts.iter().skip(1).flat_map(|text| text.split_whitespace());
        let mut behind = behind.filter_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        behind.next().map(str::to_owned).or_else(|| self.json().as_ref().and_then(within))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_stand_behind_the_answer_or_in_it() {
        let of = |texts: &[&str]| {
            let content: Vec<Value> =
                texts.iter().map(|text| json!({ "type": "text", "text": text })).collect();
            Answer::of(&json!({ "id": 1, "result": { "content": content } }))
        };
        let answer = of(&["[]", "indexed=false (it may be incomplete) engine=server"]);
        assert_eq!(answer.remark("engine").as_deref(), Some("server"));
        assert_eq!(answer.remark("indexed").as_deref(), Some("false"));
        let answer = of(&[r#"{"file:///a":[],"engine":"syntax","indexed":true}"#]);
        assert_eq!(answer.remark("engine").as_deref(), Some("syntax"));
        assert_eq!(answer.remark("indexed").as_deref(), Some("true"));
        assert_eq!(of(&["engine=server"]).remark("engine"), None);
    }

    #[test]
    fn an_error_of_the_protocol_is_an_error() {
        let answer = Answer::of(&json!({ "id": 1, "error": { "code": -32602, "message": "what" } }));
        assert!(answer.is_error && answer.text().contains("what"));
    }
}
