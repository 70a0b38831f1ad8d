//! A scripted tool, the real gate and the real audit trail: every ending answers, and leaves one record.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod asking;
mod endings;
mod ledger;
mod order;
mod writes;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bowline_audit::Audit;
use bowline_call::{
    Answer, Answered, AnyAnswer, Asker, CallContext, CallId, Caller, ConversationId, Effect, Intent, Origin,
    Question, Receipt, Registry, Tool, ToolCall, ToolError, erase,
};
use bowline_dispatch::{Corridor, FactFinder, Options};
use bowline_gate::{Bases, Gate, HostRules, Layer, Ledgers, Roots, Rule, RuleEntry, RulesOptions};
use bowline_std::clock::SystemClock;
use bowline_testkit::Fixture;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Does what the test says.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ScriptArgs {
    /// What to do.
    act: String,
    /// What to touch.
    #[serde(default)]
    files: Vec<String>,
}

struct Script {
    started: Arc<Notify>,
    release: Arc<Notify>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Tool for Script {
    type Args = ScriptArgs;
    type Output = Value;
    const NAME: &'static str = "script";
    const MOST: Effect = Effect::Write;

    fn intent(&self, args: &ScriptArgs) -> Intent {
        match args.act.as_str() {
            "write" | "write-panic" | "write-slowly" | "write-twice" => {
                Intent::write(args.files.iter().map(PathBuf::from))
            }
            "compute" => Intent { effect: Effect::Write, targets: bowline_call::Targets::Unknown },
            _ => Intent::new(
                Effect::Read,
                args.files.iter().map(|file| bowline_call::Target::Path(file.into())),
            ),
        }
    }

    fn patience(&self, args: &ScriptArgs) -> Option<Duration> {
        (args.act == "hang-briefly").then_some(Duration::from_millis(3))
    }

    async fn run(&self, args: ScriptArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        self.seen.lock().unwrap().push(args.act.clone());
        if args.act != "write-slowly" {
            self.started.notify_one();
        }
        match args.act.as_str() {
            "fail" => Err(ToolError::failed("the disk is upside down")),
            "panic" | "write-panic" => panic!("secret panic text"),
            "hang" | "hang-briefly" => {
                cx.cancellation().cancelled().await;
                self.seen.lock().unwrap().push("stopped".into());
                std::future::pending().await
            }
            // Reads by its arguments, and finds out that it writes.
            "surprise" => {
                let files: Vec<PathBuf> = vec![PathBuf::from("found.rs"), PathBuf::from("../outside.rs")];
                let cleared = cx.clear(files[..1].to_vec()).await?;
                assert!(cleared.covers(&files[0]) && !cleared.covers(&files[1]));
                self.seen.lock().unwrap().push("cleared".into());
                cx.clear(files).await.map(|_| Answer::new(Value::Null))
            }
            // Finds out on the way which files it writes.
            "compute" => {
                cx.clear(args.files.iter().map(PathBuf::from).collect()).await?;
                self.seen.lock().unwrap().push("cleared".into());
                Ok(Answer::new(json!("written")))
            }
            // Its thread goes on whatever becomes of the call, and must not be overtaken.
            "write-slowly" => {
                let cleared = cx.clear(args.files.iter().map(PathBuf::from).collect()).await?;
                let (seen, release) = (Arc::clone(&self.seen), Arc::clone(&self.release));
                let started = Arc::clone(&self.started);
                let writing = tokio::spawn(async move {
                    started.notify_one();
                    release.notified().await;
                    seen.lock().unwrap().push("on disk".into());
                    drop(cleared);
                });
                cx.finish(writing).await.unwrap();
                Ok(Answer::new(json!("written")))
            }
            "write-twice" => {
                cx.clear(args.files.iter().map(PathBuf::from).collect()).await?;
                cx.clear(vec!["another.rs".into()]).await?;
                Ok(Answer::new(json!("written")))
            }
            "write" => {
                let receipt =
                    Receipt { files: args.files.iter().map(Into::into).collect(), ..Receipt::default() };
                Ok(Answer::new(json!("written")).receipt(receipt))
            }
            _ => {
                cx.progress().report(1, Some(2), "half way");
                Ok(Answer::new(json!({"done": true})))
            }
        }
    }
}

/// Says the same to every question, and remembers them.
struct Person(Answered, Mutex<Vec<Question>>);

impl Asker for Person {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered> {
        self.1.lock().unwrap().push(question);
        Box::pin(std::future::ready(self.0))
    }
}

/// A corridor with one scripted tool, in a directory of its own.
struct House {
    fixture: Fixture,
    corridor: Arc<Corridor>,
    audit: Audit,
    started: Arc<Notify>,
    release: Arc<Notify>,
    seen: Arc<Mutex<Vec<String>>>,
    ledgers: Ledgers,
}

impl House {
    fn new(allow: &[&str], timeout: Duration) -> Self {
        Self::with_trail(allow, timeout, "audit.jsonl")
    }

    fn with_trail(allow: &[&str], timeout: Duration, trail: &str) -> Self {
        let options = RulesOptions {
            allow: allow.iter().map(|tool| RuleEntry::Pattern((*tool).into())).collect(),
            deny: vec![RuleEntry::Pattern("forbidden".into())],
            ..RulesOptions::default()
        };
        let rules: Vec<Box<dyn Rule>> = vec![
            Box::new(HostRules::new(Layer::User, &options, &bases()).unwrap()),
            Box::new(Roots::default()),
        ];
        let timeout_ms = u64::try_from(timeout.as_millis()).unwrap();
        Self::with_rules(rules, Options { timeout_ms, ..Options::default() }, trail)
    }

    fn with_rules(rules: Vec<Box<dyn Rule>>, options: Options, trail: &str) -> Self {
        let fixture = Fixture::new("//- /src/lib.rs\nfn a() {}\n");
        let (started, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let script =
            Script { started: Arc::clone(&started), release: Arc::clone(&release), seen: Arc::clone(&seen) };
        let audit = Audit::open(bowline_audit::Options::at(fixture.path(trail)), Arc::new(SystemClock));
        let ledgers = Ledgers::default();
        let corridor = Corridor::new(
            Registry::new(vec![erase(script)]).unwrap(),
            (Gate::new(rules), ledgers.clone()),
            audit.clone(),
            FactFinder::new(vec![fixture.root().to_owned()], Arc::new(SystemClock)),
            options,
        );
        Self { fixture, corridor, audit, started, release, seen, ledgers }
    }

    fn relaxed() -> Self {
        Self::new(&["script"], Duration::from_secs(60))
    }

    async fn call(&self, arguments: Value) -> Result<AnyAnswer, ToolError> {
        self.call_as(Caller::default(), "script", arguments).await
    }

    async fn call_as(&self, caller: Caller, tool: &str, arguments: Value) -> Result<AnyAnswer, ToolError> {
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: ConversationId::new("talk"),
            origin: Origin::Cli,
            tool: tool.into(),
            arguments,
            cwd: None,
            server: None,
        };
        self.corridor.call(call, caller).await.result
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// The trail, once it has so many records of calls that are over.
    async fn trail_of(&self, ended: usize) -> Vec<String> {
        loop {
            if self.fixture.path("audit.jsonl").exists() {
                let trail = self.trail().await;
                if trail.iter().filter(|line| line.starts_with("call ")).count() >= ended {
                    return trail;
                }
            }
            tokio::task::yield_now().await;
        }
    }

    /// The trail so far, one short line for each record about a call.
    async fn trail(&self) -> Vec<String> {
        self.audit.flush().await;
        let (text, _) = bowline_std::fs::read_text(&self.fixture.path("audit.jsonl"), 1 << 20).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|record| record["event"] != "start")
            .map(|record| self.fixture.relative(&shown(&record)))
            .collect()
    }
}

fn shown(record: &Value) -> String {
    let word = |key: &str| record[key].as_str().unwrap_or("-").to_owned();
    let ending = match record["success"].as_bool() {
        None => "open".to_owned(),
        Some(true) => "ok".to_owned(),
        Some(false) => word("error_message"),
    };
    let files = record["files"].as_array().map_or(String::new(), |files| format!(" {files:?}"));
    format!(
        "{} {} {} {} by {}: {ending}{}",
        word("event"),
        word("tool"),
        word("effect"),
        word("verdict"),
        word("rule"),
        files.replace("String(", "").replace([')', '"'], "")
    )
}

fn bases() -> Bases {
    Bases { roots: vec!["/project".into()], sources: vec!["/project".into()], home: None }
}
