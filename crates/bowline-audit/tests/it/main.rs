//! The trail as others see it: what is in the file after what happened.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

mod damage;
mod failing;
mod processes;
mod reading;
mod rotation;
mod skills;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_audit::read::{Item, Trail};
use bowline_audit::{Audit, Closing, Event, OpenRecord, Opening, Options, Record};
use bowline_call::{CallId, ConversationId, Effect, Origin};
use bowline_std::clock::SystemClock;

/// An empty directory, and where the trail is to be in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("audit.jsonl");
    (dir, path)
}

fn audit(path: &Path) -> Audit {
    audit_with(Options::at(path))
}

fn audit_with(options: Options) -> Audit {
    Audit::open(options, Arc::new(SystemClock))
}

fn opening(tool: &str) -> Opening {
    Opening {
        call_id: CallId::fresh(),
        conversation: ConversationId::new("conversation-1"),
        origin: Origin::Mcp { client: Some("tester".to_owned()) },
        tool: tool.to_owned(),
        effect: Effect::Write,
        files: vec!["/p/a.rs".into()],
    }
}

fn closing() -> Closing {
    Closing {
        success: true,
        error_message: None,
        verdict: Some("allow".to_owned()),
        rule: None,
        answer: None,
        effect: Effect::Read,
        files: Vec::new(),
        skill: None,
        receipt: None,
        duration: Duration::from_millis(7),
        policy: None,
    }
}

async fn open(audit: &Audit, tool: &str) -> OpenRecord {
    audit.open_call(&opening(tool))
}

/// One whole call that reads.
async fn call(audit: &Audit, tool: &str) {
    open(audit, tool).await.close(closing()).await;
}

#[expect(clippy::disallowed_methods, reason = "a test looks at its own file")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test prepares its own file")]
fn put(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::write(path, content).unwrap();
}

fn records(path: &Path) -> Vec<Record> {
    Trail::at(path).items().filter_map(|item| item.entry().map(|entry| entry.record.clone())).collect()
}

/// What happened, in few words: `start`, `call find_references`.
fn events(path: &Path) -> Vec<String> {
    let word = |record: Record| match record.tool {
        Some(tool) => format!("{} {tool}", record.event.as_str()),
        None => record.event.as_str().to_owned(),
    };
    records(path).into_iter().map(word).collect()
}

fn count(path: &Path, event: Event) -> usize {
    records(path).iter().filter(|record| record.event == event).count()
}

fn damages(path: &Path) -> Vec<String> {
    let items = Trail::at(path).items();
    let damaged = items.filter_map(|item| match item {
        Item::Damaged(damaged) => Some(format!("{}: {}", damaged.line.unwrap_or(0), damaged.damage)),
        Item::Record(_) => None,
    });
    damaged.collect()
}
