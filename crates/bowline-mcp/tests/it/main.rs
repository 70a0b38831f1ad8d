//! The surface over an in-memory pipe, spoken to line by line as a client would.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod conversation;
mod exposure;
mod flood;
mod hostile;
mod logging;
mod pages;
mod prompts;
mod shelf;

use std::sync::Arc;
use std::time::Duration;

use bowline_audit::Audit;
use bowline_call::{Answer, CallContext, ConversationId, Effect, Intent, Registry, Tool, ToolError, erase};
use bowline_dispatch::{Corridor, FactFinder};
use bowline_gate::{Bases, Gate, HostRules, Layer, Ledgers, Roots, RulesOptions};
use bowline_mcp::{Level, Logs, Options, Prompts, ServeError, serve};
use bowline_std::clock::SystemClock;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Long enough for any answer on a busy machine; nothing waits this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Says back what it is told.
#[derive(Debug, Deserialize, JsonSchema)]
struct EchoArgs {
    /// What to say, or what to do.
    text: String,
}

struct Echo {
    started: Arc<Notify>,
    stopped: Arc<Notify>,
}

impl Tool for Echo {
    type Args = EchoArgs;
    type Output = Value;
    const NAME: &'static str = "echo";
    const MOST: Effect = Effect::Read;

    fn intent(&self, _args: &EchoArgs) -> Intent {
        Intent::read_workspace()
    }

    async fn run(&self, args: EchoArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        match args.text.as_str() {
            "panic" => panic!("secret panic text"),
            "hang" => {
                /// Tells when the call's work is dropped.
                struct Stopped(Arc<Notify>);
                impl Drop for Stopped {
                    fn drop(&mut self) {
                        self.0.notify_one();
                    }
                }
                let _stopped = Stopped(Arc::clone(&self.stopped));
                self.started.notify_one();
                std::future::pending().await
            }
            "progress" => {
                for step in 0..1000 {
                    cx.progress().report(step, Some(1000), "working");
                    tokio::task::yield_now().await;
                }
                Ok(Answer::new(json!("worked")))
            }
            "log" => {
                tracing::warn!(target: "bowline::test", answer = 42, "something to say");
                Ok(Answer::new(json!("logged")))
            }
            text => Ok(Answer::new(json!(text))),
        }
    }
}

/// A client that speaks in lines.
struct Client {
    writer: WriteHalf<DuplexStream>,
    reader: Lines<BufReader<ReadHalf<DuplexStream>>>,
    serving: JoinHandle<Result<(), ServeError>>,
    audit: Audit,
    dir: tempfile::TempDir,
    started: Arc<Notify>,
    stopped: Arc<Notify>,
    stop: CancellationToken,
    logs: Logs,
    ledgers: Ledgers,
}

impl Client {
    fn connect() -> Self {
        Self::with_pipe(1 << 16)
    }

    fn with_pipe(capacity: usize) -> Self {
        Self::with(capacity, None)
    }

    fn with_prompts(prompts: Prompts) -> Self {
        Self::with(1 << 16, Some(prompts))
    }

    fn with(capacity: usize, prompts: Option<Prompts>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (started, stopped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let echo = Echo { started: Arc::clone(&started), stopped: Arc::clone(&stopped) };
        let audit =
            Audit::open(bowline_audit::Options::at(dir.path().join("audit.jsonl")), Arc::new(SystemClock));
        let rules = HostRules::new(Layer::User, &RulesOptions::default(), &bases()).unwrap();
        let ledgers = Ledgers::default();
        let corridor = Corridor::new(
            Registry::new(vec![erase(echo)]).unwrap(),
            (Gate::new(vec![Box::new(rules), Box::new(Roots::default())]), ledgers.clone()),
            audit.clone(),
            FactFinder::new(vec![dir.path().to_owned()], Arc::new(SystemClock)),
            bowline_dispatch::Options { timeout_ms: 60_000, ..Default::default() },
        );
        let (ours, theirs) = tokio::io::duplex(capacity);
        let options =
            Options { max_message_bytes: 1 << 20, prompts, ..Options::new(ConversationId::new("test")) };
        let (logs, stop) = (Logs::to_stderr(Level::Error), CancellationToken::new());
        let serving = serve(corridor, options, logs.clone(), tokio::io::split(theirs), stop.clone());
        let (reader, writer) = tokio::io::split(ours);
        Self {
            writer,
            reader: BufReader::new(reader).lines(),
            serving: tokio::spawn(serving),
            audit,
            dir,
            started,
            stopped,
            stop,
            logs,
            ledgers,
        }
    }

    async fn initialized() -> Self {
        let mut client = Self::connect();
        client.initialize().await;
        client
    }

    async fn initialize(&mut self) -> Value {
        let answer = self.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "line-client", "version": "1"},
            }),
        );
        let answer = answer.await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    async fn send_bytes(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
    }

    /// The next message, or `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(PATIENCE, self.reader.next_line())
            .await
            .expect("an answer in time")
            .unwrap();
        line.map(|line| serde_json::from_str(&line).expect("stdout carries protocol only"))
    }

    /// The answer to this id; what else arrives before it is passed over.
    async fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.next().await.expect("the connection to stay open");
            if message.get("id") == Some(id) && message.get("method").is_none() {
                return message;
            }
        }
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = json!(format!("ask-{method}"));
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        self.answer(&id).await
    }

    async fn call(&mut self, text: &str) -> Value {
        self.ask("tools/call", json!({"name": "echo", "arguments": {"text": text}})).await
    }

    /// Every record of the trail so far.
    async fn trail(&self) -> Vec<Value> {
        self.audit.flush().await;
        let (text, _) = bowline_std::fs::read_text(&self.dir.path().join("audit.jsonl"), 16 << 20).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Closes our end and waits for the other.
    async fn leave(mut self) {
        self.writer.shutdown().await.unwrap();
        while self.next().await.is_some() {}
        tokio::time::timeout(PATIENCE, self.serving).await.expect("an end in time").unwrap().unwrap();
    }
}

/// The metadata that every request of the newer era carries.
fn modern() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "modern-client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn bases() -> Bases {
    Bases { roots: vec!["/project".into()], sources: vec!["/project".into()], home: None }
}
