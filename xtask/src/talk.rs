//! A program that is spoken to in JSON over its pipes. It does not outlive us.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::run;

/// Where one message ends and the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One message a line, as MCP has it.
    Lines,
    /// A header with the length before each, as LSP has it.
    Headers,
}

/// One message, and when its last byte was here.
pub(crate) struct Arrived {
    pub(crate) at: Instant,
    pub(crate) message: Value,
}

pub(crate) struct Talk {
    child: Child,
    /// None once the program was told to go.
    stdin: Option<ChildStdin>,
    inbox: mpsc::Receiver<Arrived>,
    framing: Framing,
    last_id: u64,
    has_ended: bool,
}

impl Talk {
    pub(crate) fn start(command: &mut Command, framing: Framing) -> Result<Self> {
        let mut child =
            run::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()))?;
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().context("no pipe")?);
        let (send, inbox) = mpsc::channel();
        thread::spawn(move || {
            while let Some(bytes) = read(&mut stdout, framing) {
                let at = Instant::now();
                let Ok(message) = serde_json::from_slice(&bytes) else { continue };
                if send.send(Arrived { at, message }).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, stdin, inbox, framing, last_id: 0, has_ended: false })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn send(&mut self, message: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().context("it was told to go")?;
        let bytes = framed(message, self.framing);
        stdin.write_all(bytes.as_bytes()).and_then(|()| stdin.flush()).context("it does not listen any more")
    }

    /// Sends a request, and says which answer belongs to it.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// The next message; none if nothing came until then. Fails when nothing can come any more.
    pub(crate) fn next(&self, deadline: Instant) -> Result<Option<Arrived>> {
        match self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(arrived) => Ok(Some(arrived)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("it has gone"),
        }
    }

    /// Closes its input and waits for it to go. Fails, and kills it, if it stays.
    pub(crate) fn close(mut self, patience: Duration) -> Result<ExitStatus> {
        self.stdin = None;
        let ended = run::wait(&mut self.child, patience);
        self.has_ended = true;
        ended
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if !self.has_ended {
            run::end(&mut self.child);
        }
    }
}

/// The request that a message answers.
pub(crate) fn answered(message: &Value) -> Option<u64> {
    if message.get("method").is_some() { None } else { message["id"].as_u64() }
}

fn framed(message: &Value, framing: Framing) -> String {
    match framing {
        Framing::Lines => format!("{message}\n"),
        Framing::Headers => {
            let body = message.to_string();
            format!("Content-Length: {}\r\n\r\n{body}", body.len())
        }
    }
}

/// None at the end.
fn read(from: &mut impl BufRead, framing: Framing) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    if framing == Framing::Lines {
        return (from.read_until(b'\n', &mut line).ok()? > 0).then_some(line);
    }
    let mut length = None;
    loop {
        line.clear();
        if from.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let header = String::from_utf8_lossy(&line).trim_end().to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok();
        }
        if header.is_empty() {
            let mut body = vec![0; length?];
            from.read_exact(&mut body).ok()?;
            return Some(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_framed_is_read_again() {
        let messages = [json!({"id": 1, "result": "é"}), json!({"method": "exit"})];
        for framing in [Framing::Lines, Framing::Headers] {
            let bytes: String = messages.iter().map(|message| framed(message, framing)).collect();
            let mut from = bytes.as_bytes();
            for message in &messages {
                let read: Value = serde_json::from_slice(&read(&mut from, framing).unwrap()).unwrap();
                assert_eq!(read, *message);
            }
            assert!(read(&mut from, framing).is_none());
        }
    }

    #[test]
    fn a_request_of_theirs_is_no_answer() {
        assert_eq!(answered(&json!({"id": 7, "result": null})), Some(7));
        assert_eq!(answered(&json!({"id": 7, "method": "ping"})), None);
        assert_eq!(answered(&json!({"method": "notifications/message"})), None);
    }

    #[test]
    fn says_what_it_hears_and_goes_when_its_input_ends() {
        let mut talk = Talk::start(&mut run::command("cat"), Framing::Lines).unwrap();
        let id = talk.request("echo", &json!({})).unwrap();
        let heard = talk.next(Instant::now() + Duration::from_secs(20)).unwrap().unwrap();
        assert_eq!(heard.message["id"], id);
        assert!(talk.next(Instant::now() + Duration::from_millis(10)).unwrap().is_none());
        assert!(talk.close(Duration::from_secs(20)).unwrap().success());
    }
}
