//! The real binary on its pipes, in a project of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bowline_testkit::Fixture;
use serde_json::{Value, json};

/// One conversation.
pub(crate) struct Bowline {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    number: u64,
}

/// What a call came to.
pub(crate) struct Reply {
    pub(crate) failed: bool,
    /// All items, one below the other.
    pub(crate) text: String,
    /// The first item, where it is JSON.
    pub(crate) payload: Value,
}

impl Bowline {
    #[expect(clippy::disallowed_methods, reason = "the binary is started as its users start it")]
    pub(crate) fn start(fixture: &Fixture, path: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bowline"))
            .current_dir(fixture.path("project"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", fixture.path("home"))
            .env("XDG_STATE_HOME", fixture.path("state"))
            .env("XDG_CACHE_HOME", fixture.path("cache"))
            .env("XDG_CONFIG_HOME", fixture.path("config"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut bowline = Self { child, stdin, stdout, number: 0 };
        let client = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        bowline.request("initialize", &client);
        bowline.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        bowline
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").unwrap();
        self.stdin.flush().unwrap();
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "bowline has gone");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Reply {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert!(result.is_object(), "{tool}: {answer}");
        let items = result["content"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap());
        let items: Vec<&str> = items.collect();
        Reply {
            failed: result["isError"] == true,
            text: items.join("\n"),
            payload: serde_json::from_str(items[0]).unwrap_or(Value::Null),
        }
    }

    /// A call that must succeed.
    pub(crate) fn works(&mut self, tool: &str, arguments: &Value) -> Reply {
        let reply = self.call(tool, arguments);
        assert!(!reply.failed, "{tool}: {}", reply.text);
        reply
    }

    pub(crate) fn phase(&mut self) -> String {
        let status = self.works("get_skill_phase", &json!({})).payload;
        let complete = if status["phase_complete"] == true { " (complete)" } else { "" };
        format!("{}{complete}", status["current_phase"].as_str().unwrap_or("none"))
    }
}

impl Drop for Bowline {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Every file of the project, with its hash.
#[expect(clippy::disallowed_methods, reason = "the test looks for itself")]
pub(crate) fn hashes(fixture: &Fixture) -> BTreeMap<String, String> {
    let (mut hashes, mut waiting) = (BTreeMap::new(), vec![fixture.path("project")]);
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let hash = blake3::hash(&std::fs::read(&path).unwrap()).to_string();
                hashes.insert(path.display().to_string(), hash);
            }
        }
    }
    hashes
}

/// The records of the trail that are of this kind, once there are so many: the trail is written a little later than
/// answers, but for those of calls that change something.
#[expect(clippy::disallowed_methods, reason = "the test looks for itself")]
pub(crate) fn records(fixture: &Fixture, event: &str, at_least: usize) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let trail = std::fs::read_to_string(fixture.path("state/bowline/audit.jsonl")).unwrap();
        let whole = trail.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let records = whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let records: Vec<Value> = records.filter(|record| record["event"] == event).collect();
        if records.len() >= at_least {
            return records;
        }
        assert!(Instant::now() < deadline, "{at_least} records of `{event}` were to be written: {records:?}");
        std::thread::yield_now();
    }
}
