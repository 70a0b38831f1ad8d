//! The witness: a language client of its own, which shares no code with the one that is tested. It speaks to a second
//! process of the same server, on the same files, says of itself what bowline says, and hands on what it hears.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Cold servers on two busy cores take their time.
const PATIENCE: Duration = Duration::from_secs(170);
/// A server without versions has said everything when it was quiet for so long.
const QUIET: Duration = Duration::from_secs(1);
/// What rust-analyzer answers when the files changed under a question.
const CONTENT_MODIFIED: i64 = -32801;

/// How a server says that it has seen the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ready {
    /// Questions wait by themselves.
    ByItself,
    /// When it logs this.
    Logs(&'static str),
    /// When the work of this name has ended.
    Ends(&'static str),
    /// When it says so.
    Quiescent,
}

/// How a server says what is wrong in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Findings {
    Pulled,
    /// With the version of the text.
    PushedForVersion,
    /// In parts, without a version.
    PushedUntilQuiet,
    /// Its own are pulled; those of the compiler are pushed after a save.
    PulledAndChecked,
}

pub(crate) struct Habits {
    pub(crate) language: &'static str,
    pub(crate) program: String,
    pub(crate) args: &'static [&'static str],
    pub(crate) options: Option<Value>,
    pub(crate) ready: Ready,
    pub(crate) findings: Findings,
    /// What is opened counts for other files only once something is published about it.
    pub(crate) settles_by_publishing: bool,
}

pub(crate) struct Raw {
    child: Child,
    stdin: ChildStdin,
    incoming: Receiver<Value>,
    next: i64,
    root: PathBuf,
    habits: Habits,
    pub(crate) capabilities: Value,
    registered: HashSet<String>,
    open: HashMap<PathBuf, i64>,
    logs: Vec<String>,
    begun: Vec<String>,
    ended: Vec<String>,
    quiescent: bool,
    published: HashMap<PathBuf, (Option<i64>, Vec<Value>, Instant)>,
    /// Edits that the server wanted to have made. It is told that they are, and nothing is changed.
    pub(crate) wanted: Vec<Value>,
}

/// The code and the words of an error.
pub(crate) type Refusal = (i64, String);

impl Raw {
    pub(crate) fn start(habits: Habits, root: &Path) -> Self {
        let mut child = Command::new(&habits.program)
            .args(habits.args)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, incoming) = channel();
        std::thread::spawn(move || {
            while let Some(message) = frame(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut raw = Self {
            child,
            stdin,
            incoming,
            next: 1,
            root: root.to_owned(),
            habits,
            capabilities: Value::Null,
            registered: HashSet::new(),
            open: HashMap::new(),
            logs: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            quiescent: false,
            published: HashMap::new(),
            wanted: Vec::new(),
        };
        let mut params = json!({
            "processId": std::process::id(),
            "clientInfo": {"name": "witness", "version": "0"},
            "rootUri": uri(root),
            "rootPath": root,
            "workspaceFolders": raw.folders(),
            "capabilities": serde_json::from_str::<Value>(include_str!("capabilities.json")).unwrap(),
            "trace": "off",
        });
        if let Some(options) = &raw.habits.options {
            params["initializationOptions"] = options.clone();
        }
        let result = raw.request("initialize", &params).unwrap();
        raw.capabilities = result["capabilities"].clone();
        raw.notify("initialized", &json!({}));
        raw
    }

    fn folders(&self) -> Value {
        let name = self.root.file_name().unwrap().to_string_lossy().into_owned();
        json!([{"uri": uri(&self.root), "name": name}])
    }

    /// Whether something is offered, from the start or registered later.
    pub(crate) fn offers(&self, key: &str, method: &str) -> bool {
        !matches!(self.capabilities.get(key), None | Some(Value::Null | Value::Bool(false)))
            || self.registered.contains(method)
    }

    /// Opens a file, and waits until questions about it are answered from the whole project.
    pub(crate) fn open(&mut self, path: &Path) {
        if self.open.contains_key(path) {
            return;
        }
        self.open.insert(path.to_owned(), 1);
        let text = std::fs::read_to_string(path).unwrap();
        let document =
            json!({"uri": uri(path), "languageId": self.habits.language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
        match self.habits.ready {
            Ready::ByItself => {}
            Ready::Logs(words) => self.wait(words, |raw| raw.logs.iter().any(|log| log.contains(words))),
            Ready::Ends(token) => self.wait(token, |raw| raw.ended.iter().any(|ended| ended == token)),
            Ready::Quiescent => self.wait("quiescent", |raw| raw.quiescent),
        }
        if self.habits.settles_by_publishing {
            self.wait("diagnostics", |raw| raw.published.contains_key(path));
        }
    }

    /// What is wrong in a file, in the server's own words.
    pub(crate) fn findings(&mut self, path: &Path) -> Vec<Value> {
        self.open(path);
        match self.habits.findings {
            Findings::Pulled => self.pulled(path),
            Findings::PushedForVersion => {
                self.wait("diagnostics of the version", |raw| {
                    raw.published.get(path).is_some_and(|(version, ..)| *version == Some(1))
                });
                self.published[path].1.clone()
            }
            Findings::PushedUntilQuiet => {
                self.wait("diagnostics", |raw| {
                    raw.published
                        .get(path)
                        .is_some_and(|(_, found, at)| !found.is_empty() && at.elapsed() >= QUIET)
                });
                self.published[path].1.clone()
            }
            Findings::PulledAndChecked => {
                self.check(path);
                let mut found = self.pulled(path);
                let pushed = self.published.get(path).map(|(_, found, _)| found.clone()).unwrap_or_default();
                for one in pushed {
                    // The compiler and the server often find the same.
                    let said = |other: &Value| {
                        other["range"] == one["range"]
                            && other["severity"] == one["severity"]
                            && (other["code"] == one["code"] || other["message"] == one["message"])
                    };
                    if !found.iter().any(said) {
                        found.push(one);
                    }
                }
                found
            }
        }
    }

    fn pulled(&mut self, path: &Path) -> Vec<Value> {
        let report = self.ask("textDocument/diagnostic", &json!({"textDocument": {"uri": uri(path)}}));
        report["items"].as_array().cloned().unwrap_or_default()
    }

    /// Lets the compiler run.
    fn check(&mut self, path: &Path) {
        let checks = |tokens: &[String]| tokens.iter().filter(|token| token.contains("flycheck")).count();
        self.wait("no check", |raw| checks(&raw.begun) == checks(&raw.ended));
        let before = checks(&self.begun);
        self.notify("textDocument/didSave", &json!({"textDocument": {"uri": uri(path)}}));
        self.wait("a check", |raw| checks(&raw.begun) > before && checks(&raw.begun) == checks(&raw.ended));
    }

    /// An answer that must come.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        match self.request(method, params) {
            Ok(answer) => answer,
            Err((code, message)) => panic!("{method}: {code} {message}"),
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        let until = Instant::now() + PATIENCE;
        loop {
            let id = self.next;
            self.next += 1;
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = loop {
                let message = self.hear(until).unwrap_or_else(|| panic!("no answer to {method}"));
                if message["id"] == id && message.get("method").is_none() {
                    break message;
                }
            };
            match answer.get("error") {
                None => return Ok(answer["result"].clone()),
                Some(error) if error["code"] == CONTENT_MODIFIED => {}
                Some(error) => {
                    let message = error["message"].as_str().unwrap_or_default().to_owned();
                    return Err((error["code"].as_i64().unwrap_or_default(), message));
                }
            }
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.stdin.flush().unwrap();
    }

    /// Listens until something holds.
    fn wait(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !holds(self) {
            // Some of it is a matter of time alone.
            let soon = Instant::now() + Duration::from_millis(50);
            self.hear(soon.min(until));
            assert!(Instant::now() < until, "{}: waited in vain for {what}", self.habits.program);
        }
    }

    /// The next message. What the server asks is answered, and what it tells is kept.
    fn hear(&mut self, until: Instant) -> Option<Value> {
        let message = match self.incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => panic!("{} has ended", self.habits.program),
        };
        let params = &message["params"];
        match message["method"].as_str() {
            Some("client/registerCapability") => {
                for one in params["registrations"].as_array().into_iter().flatten() {
                    self.registered.insert(one["method"].as_str().unwrap_or_default().to_owned());
                }
            }
            Some("window/logMessage") => {
                self.logs.push(params["message"].as_str().unwrap_or_default().to_owned());
            }
            Some("experimental/serverStatus") => self.quiescent = params["quiescent"] == true,
            Some("$/progress") => {
                let token = params["token"].as_str().unwrap_or_default().to_owned();
                match params["value"]["kind"].as_str() {
                    Some("begin") => self.begun.push(token),
                    Some("end") => self.ended.push(token),
                    _ => {}
                }
            }
            Some("textDocument/publishDiagnostics") => {
                let found = params["diagnostics"].as_array().cloned().unwrap_or_default();
                let path = path(params["uri"].as_str().unwrap());
                self.published.insert(path, (params["version"].as_i64(), found, Instant::now()));
            }
            _ => {}
        }
        if message.get("method").is_some() && message.get("id").is_some() {
            let result = match message["method"].as_str() {
                Some("workspace/configuration") => {
                    let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                    Value::Array(vec![Value::Null; items])
                }
                Some("workspace/workspaceFolders") => self.folders(),
                Some("workspace/applyEdit") => {
                    self.wanted.push(message["params"]["edit"].clone());
                    json!({"applied": true})
                }
                _ => Value::Null,
            };
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        }
        Some(message)
    }

    fn counts_bytes(&self) -> bool {
        self.capabilities["positionEncoding"] == "utf-8"
    }

    /// A position of ours, from 1 and in UTF-16 units, as the server counts.
    pub(crate) fn point(&self, path: &Path, (line, column): (u32, u32)) -> Value {
        let mut character = column as usize - 1;
        if self.counts_bytes() {
            let text = line_of(path, line);
            let units: Vec<u16> = text.encode_utf16().take(character).collect();
            character = String::from_utf16(&units).unwrap().len();
        }
        json!({"line": line - 1, "character": character})
    }

    /// A position of the server, as we count.
    pub(crate) fn position(&self, path: &Path, at: &Value) -> (u32, u32) {
        let number = |key: &str| u32::try_from(at[key].as_u64().unwrap()).unwrap();
        let (line, mut character) = (number("line") + 1, number("character"));
        if self.counts_bytes() {
            let text = line_of(path, line);
            let before = text.get(..character as usize).unwrap_or(&text);
            character = u32::try_from(before.encode_utf16().count()).unwrap();
        }
        (line, character + 1)
    }

    /// `1:2-3:4`.
    pub(crate) fn range(&self, path: &Path, range: &Value) -> String {
        let (start, end) = (self.position(path, &range["start"]), self.position(path, &range["end"]));
        format!("{}:{}-{}:{}", start.0, start.1, end.0, end.1)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn frame(stdout: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    stdout.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn line_of(path: &Path, line: u32) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().nth(line as usize - 1).unwrap_or_default().to_owned()
}

pub(crate) fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.to_str().unwrap().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte.into());
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

pub(crate) fn path(uri: &str) -> PathBuf {
    let encoded = uri.strip_prefix("file://").unwrap().as_bytes();
    let (mut decoded, mut at) = (Vec::new(), 0);
    while at < encoded.len() {
        if encoded[at] == b'%' {
            let digits = std::str::from_utf8(&encoded[at + 1..at + 3]).unwrap();
            decoded.push(u8::from_str_radix(digits, 16).unwrap());
            at += 3;
        } else {
            decoded.push(encoded[at]);
            at += 1;
        }
    }
    PathBuf::from(String::from_utf8(decoded).unwrap())
}
