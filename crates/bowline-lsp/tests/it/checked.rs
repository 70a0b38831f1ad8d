//! Servers whose compiler runs when a file is saved: its run is waited for, once for all, and not for ever.

use std::sync::Arc;
use std::time::Duration;

use bowline_lsp::{Evidence, Life, Shown};
use bowline_testkit::{FakeServer, Fixture, Push, Script};
use serde_json::{Value, json};

use super::{ask, eventually, life, refusal, show, timed};

/// A server that calls itself rust-analyzer, and a file that it has open.
async fn analyzer(fixture: &Fixture) -> (FakeServer, Arc<Life>, Shown) {
    let script = Script { name: "rust-analyzer".into(), pull: true, push: Push::Never, ..Script::default() };
    let (fake, life) = life(script, fixture).await;
    let shown = show(&life, fixture, "a.fk");
    (fake, life, shown)
}

fn compiler(fake: &FakeServer, value: &Value) {
    fake.notify("$/progress", json!({"token": "rust-analyzer/flycheck/0", "value": value}));
}

async fn saved(fake: &FakeServer, times: usize) {
    fake.wait_for(|received| {
        received.iter().filter(|one| one.method == "textDocument/didSave").count() >= times
    })
    .await;
}

#[tokio::test]
async fn what_the_compiler_finds_is_waited_for() {
    let fixture = Fixture::new("//- /a.fk\nBUG\n");
    let (fake, life, shown) = analyzer(&fixture).await;
    let diagnosing = || ask(async |asker| life.diagnose(&shown, asker).await);
    let compiling = async {
        saved(&fake, 1).await;
        compiler(&fake, &json!({"kind": "begin", "title": "cargo check"}));
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}});
        let found = json!([{"range": range, "severity": 2, "source": "rustc", "message": "of the compiler"}]);
        let uri = bowline_testkit::file_uri(&shown.path);
        fake.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": found}));
        compiler(&fake, &json!({"kind": "end"}));
    };
    // Two who ask at once share one run.
    let ((one, two, ()), _) = timed(async { tokio::join!(diagnosing(), diagnosing(), compiling) }).await;
    for found in [one.unwrap(), two.unwrap()] {
        let messages: Vec<&str> = found.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!((messages, found.evidence), (vec!["found a BUG", "of the compiler"], Evidence::Pulled));
    }
    // And nothing has changed since.
    diagnosing().await.unwrap();
    let saves = fake.received().iter().filter(|one| one.method == "textDocument/didSave").count();
    assert_eq!(saves, 1);
}

#[tokio::test]
async fn a_server_that_dies_while_its_compiler_runs_is_not_waited_for() {
    let fixture = Fixture::new("//- /a.fk\nBUG\n");
    let (fake, life, shown) = analyzer(&fixture).await;
    let diagnosing = ask(async |asker| life.diagnose(&shown, asker).await);
    let dying = async {
        saved(&fake, 1).await;
        compiler(&fake, &json!({"kind": "begin", "title": "cargo check"}));
        eventually("a task", || !life.tasks().is_empty()).await;
        fake.exit(1);
    };
    let ((found, ()), time) = timed(async { tokio::join!(diagnosing, dying) }).await;
    assert_eq!(refusal(found), "`fake` closed the connection");
    assert!(time < Duration::from_secs(2), "{time:?}");
}
