//! The server on real pipes: stdout is protocol only, and every end is a clean one.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::{bowline, fixture};

pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Server {
    pub(crate) fn start(fixture: &Fixture) -> Self {
        Self::start_with(fixture, &[])
    }

    fn start_with(fixture: &Fixture, arguments: &[&str]) -> Self {
        let mut child = bowline(fixture)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Self { child, stdin, stdout }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    /// The next line, empty at the end.
    pub(crate) fn receive_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.as_mut().unwrap().read_line(&mut line).unwrap();
        line
    }

    pub(crate) fn receive(&mut self) -> Value {
        let line = self.receive_line();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not protocol: {line:?}"))
    }

    pub(crate) fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], id);
        answer
    }

    pub(crate) fn initialized(fixture: &Fixture) -> Self {
        Self::initialized_as(fixture, &[], &json!({}))
    }

    pub(crate) fn initialized_with(fixture: &Fixture, arguments: &[&str]) -> Self {
        Self::initialized_as(fixture, arguments, &json!({}))
    }

    /// With a client that can so much.
    pub(crate) fn initialized_as(fixture: &Fixture, arguments: &[&str], capabilities: &Value) -> Self {
        let mut server = Self::start_with(fixture, arguments);
        let client = json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"},
        });
        server.ask(1, "initialize", &client);
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    /// The exit code, once it has ended; nothing may be left on stdout.
    pub(crate) fn ended(mut self) -> Option<i32> {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::yield_now();
        }
        if let Some(stdout) = &mut self.stdout {
            let mut rest = String::new();
            stdout.read_to_string(&mut rest).unwrap();
            assert_eq!(rest, "");
        }
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn serves_and_ends_with_its_client() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let tools = server.ask(2, "tools/list", &json!({}));
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 74);
    let call =
        json!({"name": "find_references", "arguments": {"file_path": "src/lib.rs", "line": 1, "column": 8}});
    let answer = server.ask(3, "tools/call", &call);
    let content = answer["result"]["content"].as_array().unwrap();
    assert!(content[1]["text"].as_str().unwrap().starts_with("Next step: "));
    assert_eq!(content[2]["text"], "indexed=true engine=syntax");
    assert!(content[0]["text"].as_str().unwrap().contains("src/main.rs"));
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn a_signal_ends_it_in_peace() {
    for signal in ["TERM", "INT"] {
        let fixture = fixture();
        let mut server = Server::initialized(&fixture);
        server.ask(2, "tools/call", &json!({"name": "find_symbol", "arguments": {"query": "greet"}}));
        let pid = server.child.id().to_string();
        let sent = std::process::Command::new("kill").args([format!("-{signal}"), pid]).status().unwrap();
        assert!(sent.success());
        assert_eq!(server.ended(), Some(0), "{signal}");
        let (_, stdout, _) = crate::run(&fixture, &["audit", "verify", "--json"]);
        let verified: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(verified["integrity"], "intact");
    }
}

#[test]
fn a_client_that_vanishes_takes_it_along() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    // Nobody reads any more: the next answer cannot be written.
    drop(server.stdout.take());
    server.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "ping"}));
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn rubbish_is_told_on_stderr_until_the_client_listens() {
    let fixture = fixture();
    let mut server = Server::start(&fixture);
    writeln!(server.stdin.as_mut().unwrap(), "rubbish").unwrap();
    assert_eq!(server.receive()["error"]["code"], -32700);
    drop(server.stdin.take());
    let mut stderr = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert!(stderr.starts_with("bowline: warning: refused a message: not a JSON message"), "{stderr}");
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn a_closed_terminal_does_not_end_it() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    assert!(server.ask(2, "ping", &json!({})).get("result").is_some());
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn a_host_that_does_not_read_stderr_holds_nothing_up() {
    let fixture = fixture();
    let mut server = Server::start(&fixture);
    // More log lines than any pipe has room for; nobody reads them.
    for _ in 0..3000 {
        server.send(&json!("rubbish that is logged, line after line, until the pipe to nowhere is full"));
        assert_eq!(server.receive()["error"]["code"], -32600);
    }
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));
}

#[test]
fn a_client_that_leaves_without_reading_is_noticed() {
    let fixture = fixture();
    // It asks without end, and each answer is longer than its question: once nobody reads, everything is full.
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let mut flood = std::process::Command::new("yes").arg(question).stdout(Stdio::piped()).spawn().unwrap();
    let mut server = bowline(&fixture)
        .stdin(flood.stdout.take().unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(server.stdout.take().unwrap());
    let mut lines = stdout.lines();
    assert!(lines.by_ref().take(200).all(|line| line.is_ok()));
    flood.kill().unwrap();
    flood.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while server.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            server.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::yield_now();
    }
}
