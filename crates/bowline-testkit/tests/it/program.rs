//! The program, run by its pipes, with nothing between them and the test.
#![expect(clippy::disallowed_methods, reason = "the program is started as its users start it")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{frame, initialize_params, message, unframe};

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    chunks: Receiver<Vec<u8>>,
    pub(crate) bytes: Vec<u8>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    asked: i64,
}

impl Program {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_at(Path::new(env!("CARGO_BIN_EXE_fake-ls")), arguments)
    }

    pub(crate) fn start_at(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (sender, chunks) = channel();
        std::thread::spawn(move || {
            let mut chunk = vec![0; 64 << 10];
            while let Ok(read @ 1..) = stdout.read(&mut chunk) {
                if sender.send(chunk[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = stderr.read_to_end(&mut all);
            all
        });
        let stdin = child.stdin.take();
        Self { child, stdin, chunks, bytes: Vec::new(), stderr: Some(stderr), asked: 0 }
    }

    /// The handshake, which must go well.
    pub(crate) fn initialize(&mut self, root: &Path) -> Value {
        let answer = self.request("initialize", initialize_params(root));
        self.notify("initialized", json!({}));
        answer
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(&frame(message)).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&message(None, method, params));
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.asked += 1;
        self.send(&message(Some(self.asked), method, params));
        self.asked
    }

    /// The answer; what comes before it is dropped.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message = self.message().expect("the fake ended");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The next message, or None at the end.
    pub(crate) fn message(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = unframe(&mut self.bytes) {
                return Some(message);
            }
            if !self.more(PATIENCE) {
                return None;
            }
        }
    }

    /// What was written, as text, once it contains this.
    pub(crate) fn text_with(&mut self, part: &str) -> String {
        loop {
            let text = String::from_utf8_lossy(&self.bytes).into_owned();
            if text.contains(part) {
                return text;
            }
            assert!(self.more(PATIENCE), "`{part}` did not come, but: {text}");
        }
    }

    /// True if nothing comes for this long.
    pub(crate) fn is_quiet(&mut self, time: Duration) -> bool {
        self.bytes.is_empty() && !self.more(time)
    }

    fn more(&mut self, patience: Duration) -> bool {
        match self.chunks.recv_timeout(patience) {
            Ok(chunk) => {
                self.bytes.extend(chunk);
                true
            }
            Err(RecvTimeoutError::Timeout) if patience == PATIENCE => panic!("the fake said nothing"),
            Err(_) => false,
        }
    }

    /// Waits for the end; returns the exit code and what was written to stderr.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < PATIENCE, "the fake did not end");
            std::thread::sleep(Duration::from_millis(2));
        };
        let stderr = self.stderr.take().unwrap().join().unwrap();
        (status.code(), String::from_utf8_lossy(&stderr).into_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
