//! The fake itself: reads messages, keeps account of them and sees that each gets what the script has for it.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc::UnboundedReceiver;

use super::delivery::{Delivery, Part, Terms, Then};
use super::diagnostics::Publisher;
use super::fault::Fault;
use super::post::{Answer, Failure, Out, Post};
use super::project::Project;
use super::received::{Host, Kind, Received};
use super::requests::Remembered;
use super::script::{PositionEncoding, Script};
use super::{editing, frame, settings, startup, writer};

pub(crate) const USAGE: &str = "\
usage: fake-ls [--script FILE] [--log FILE] [--pid FILE] [--marker FILE] [MODE]...
  --script FILE   what to do, as JSON; the JSON itself if it begins with `{`
  --log FILE      appends each received message as a line of JSON
  --pid FILE      writes the process id
  --marker FILE   how `die-once` tells its lives apart
";

/// Plays the script until its end, and returns the exit code.
pub(crate) async fn serve<R, W>(
    script: Script,
    (reader, writer): (R, W),
    (post, mut outbox): (Post, UnboundedReceiver<Out>),
    host: Arc<dyn Host>,
) -> i32
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let stubborn = script.has(&Fault::Stubborn);
    if stubborn {
        host.grandchild();
    }
    let mut server = Server::new(script.clone(), post.clone(), host);
    let reading = async {
        if script.has(&Fault::Usage) {
            server.host.stderr(USAGE.as_bytes());
            post.put(Out::Raw(USAGE.into()));
            post.put(Out::Exit(2));
        } else {
            server.read(reader).await;
        }
        // The writer has the last word: what was sent before the end still goes out.
        pending::<i32>().await
    };
    let writing = async {
        match writer::write(&script, writer, &mut outbox).await {
            Ok(code) => code,
            Err(_) if stubborn => pending().await,
            Err(_) => 1,
        }
    };
    let code = tokio::select! {
        code = writing => code,
        code = reading => code,
    };
    post.ended();
    code
}

pub(crate) struct Server {
    pub(crate) script: Script,
    pub(crate) project: Project,
    pub(crate) publisher: Publisher,
    pub(crate) post: Post,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) remembered: Remembered,
    delivery: Delivery,
    phase: Phase,
    /// The client's capabilities.
    client: Value,
    /// How many requests came, `initialize` not counted.
    requests: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running,
    ShutDown,
    Dying,
}

impl Server {
    fn new(script: Script, post: Post, host: Arc<dyn Host>) -> Self {
        Self {
            project: Project {
                unit: PositionEncoding::Utf16,
                roots: Vec::new(),
                open: Default::default(),
                include: Default::default(),
            },
            publisher: Publisher::new(&script, post.clone()),
            delivery: Delivery::new(&script, post.clone()),
            remembered: Remembered::default(),
            phase: Phase::Waiting,
            client: Value::Null,
            requests: 0,
            script,
            post,
            host,
        }
    }

    async fn read(&mut self, reader: impl AsyncRead + Unpin) {
        let mut reader = BufReader::new(reader);
        // A broken pipe is an end like any other.
        while let Ok(Some(frame)) = frame::read(&mut reader).await {
            for oddity in &frame.oddities {
                self.complain("header", oddity);
            }
            match serde_json::from_slice::<Value>(&frame.body) {
                Ok(message) => self.take(message),
                Err(error) => self.complain("body", &format!("not JSON: {error}")),
            }
            if self.phase == Phase::Dying {
                return;
            }
        }
        if !self.script.has(&Fault::Stubborn) {
            self.post.put(Out::Exit(self.exit_code()));
        }
    }

    pub(crate) fn complain(&self, about: &str, problem: &str) {
        self.host.received(Received::complaint(about, problem));
    }

    /// The end that a broken server comes to.
    pub(crate) fn die(&mut self, last_words: &str) {
        self.host.stderr(last_words.as_bytes());
        self.post.put(Out::Exit(1));
        self.phase = Phase::Dying;
    }

    fn take(&mut self, mut message: Value) {
        if message["jsonrpc"] != "2.0" {
            self.complain("body", "not a message of JSON-RPC 2.0");
        }
        let id = message.get("id").cloned();
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        match (message["method"].as_str(), id) {
            (Some(method), Some(id)) => {
                self.record(Kind::Request, method, Some(&id), &params);
                self.request(&id, method, &params);
            }
            (Some(method), None) => {
                self.record(Kind::Notification, method, None, &params);
                self.notification(method, &params);
            }
            (None, Some(id)) => self.response(id, &mut message),
            (None, None) => self.complain("body", "neither a method nor an id"),
        }
    }

    fn record(&self, kind: Kind, method: &str, id: Option<&Value>, params: &Value) {
        let received = Received {
            kind,
            method: method.to_owned(),
            id: id.cloned(),
            params: params.clone(),
            error: None,
        };
        self.host.received(received);
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) {
        if self.script.has(&Fault::Mute) {
            return;
        }
        if method == "initialize" && self.phase == Phase::Waiting {
            self.phase = Phase::Running;
            self.client = params["capabilities"].clone();
            let answer = startup::initialize(self, params);
            self.deliver(id, method, Ok(answer));
            return;
        }
        let refusal = match (method, self.phase) {
            ("initialize", _) => Some((Failure::INVALID_REQUEST, "initialized already")),
            (_, Phase::Waiting) => Some((Failure::NOT_INITIALIZED, "not initialized")),
            (_, Phase::ShutDown) => Some((Failure::INVALID_REQUEST, "shut down already")),
            _ => None,
        };
        if let Some((code, message)) = refusal {
            self.complain(method, message);
            self.deliver(id, method, Err(Failure::new(code, message)));
            return;
        }
        self.requests += 1;
        if self.script.faults.iter().any(|fault| matches!(fault, Fault::DieOn(on) if on == method)) {
            self.die("fatal: this is too much\n");
        } else if method == "workspace/executeCommand" && self.script.commands() {
            self.command(id, params);
        } else if method != "shutdown" {
            let answer = self.answer(method, params, self.requests);
            self.deliver(id, method, answer);
        } else if !self.script.has(&Fault::Stubborn) {
            self.phase = Phase::ShutDown;
            self.post.shut_down();
            self.deliver(id, method, Ok(Value::Null));
        }
    }

    /// It asks the client on the way, so the answer comes when it comes.
    fn command(&self, id: &Value, params: &Value) {
        let (delivery, id) = (self.delivery.clone(), id.clone());
        let terms = Terms { delay: Duration::ZERO, part: Part::Work, then: Then::GoOn };
        match editing::command(&self.project, &self.post, params) {
            Ok(running) => {
                tokio::spawn(async move { delivery.deliver(&id, running.await, terms) });
            }
            Err(failure) => delivery.deliver(&id, Err(failure), terms),
        }
    }

    fn deliver(&self, id: &Value, method: &str, answer: Answer) {
        let last = self.script.lifetime() == Some(self.requests);
        let terms = Terms {
            delay: self.script.delay(method),
            part: if matches!(method, "initialize" | "shutdown") { Part::Handshake } else { Part::Work },
            then: if last { Then::Exit } else { Then::GoOn },
        };
        self.delivery.deliver(id, answer, terms);
    }

    fn notification(&mut self, method: &str, params: &Value) {
        let stubborn = self.script.has(&Fault::Stubborn);
        match method {
            "exit" if !stubborn => {
                self.post.said_exit();
                self.post.put(Out::Exit(self.exit_code()));
                self.phase = Phase::Dying;
            }
            "exit" => {}
            _ if self.script.has(&Fault::Mute) => {}
            _ if self.phase == Phase::Waiting => self.complain(method, "not initialized"),
            "initialized" => {
                startup::initialized(self, &self.client);
                settings::read(self);
            }
            "workspace/didChangeConfiguration" => settings::read(self),
            "$/cancelRequest" => self.delivery.cancel(&params["id"]),
            _ => self.document_notification(method, params),
        }
    }

    fn response(&mut self, id: Value, message: &mut Value) {
        let result = message.get_mut("result").map(Value::take);
        let error = message.get_mut("error").map(Value::take);
        if result.is_some() == error.is_some() {
            self.complain("body", "an answer has either a result or an error");
        }
        let outcome = error.clone().map_or_else(|| Ok(result.clone().unwrap_or_default()), Err);
        let Some(method) = self.post.answered(&id, outcome) else {
            self.complain("body", &format!("an answer to {id}, which was not asked"));
            return;
        };
        let params = result.unwrap_or_default();
        self.host.received(Received { kind: Kind::Response, method, id: Some(id), params, error });
    }

    fn exit_code(&self) -> i32 {
        if self.phase == Phase::ShutDown { 0 } else { 1 }
    }
}
