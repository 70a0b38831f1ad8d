//! Questions whose answers are no longer wanted, and questions whose askers have no more time.

use std::sync::Arc;
use std::time::Duration;

use bowline_code::Position;
use bowline_lsp::{Asker, Life, Shown};
use bowline_testkit::{FakeServer, Fixture, Kind, Progress, Script};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Disk, ask, hover, life, refusal, show, timed};

const GREETING: &str = "//- /a.fk\ndef greet and greet\n";

/// Answers hovers after this time.
async fn slow(fixture: &Fixture, delay: u64) -> (FakeServer, Arc<Life>, Shown) {
    let script = Script { delays: [("textDocument/hover".to_owned(), delay)].into(), ..Script::default() };
    let (fake, life) = life(script, fixture).await;
    let shown = show(&life, fixture, "a.fk");
    (fake, life, shown)
}

fn count(fake: &FakeServer, method: &str) -> usize {
    fake.received().iter().filter(|one| one.method == method && one.kind != Kind::Complaint).count()
}

#[tokio::test]
async fn an_answer_that_nobody_wants_is_cancelled() {
    let fixture = Fixture::new(GREETING);
    let (fake, life, shown) = slow(&fixture, 60_000).await;
    let stop = CancellationToken::new();
    let asker = Asker { lender: &Disk, stop: &stop };
    let asking = life.hover(&shown, Position::new(1, 5), asker);
    let stopping = async {
        fake.wait_for_method("textDocument/hover").await;
        stop.cancel();
    };
    let ((answer, ()), time) = timed(async { tokio::join!(asking, stopping) }).await;
    assert_eq!(refusal(answer), "`fake` was stopped");
    assert!(time < Duration::from_secs(1), "{time:?}");
    let cancelled = fake.wait_for_method("$/cancelRequest").await;
    assert_eq!(Some(cancelled.params["id"].clone()), fake.wait_for_method("textDocument/hover").await.id);
}

#[tokio::test]
async fn a_question_that_is_dropped_after_its_cancellation_is_cancelled_too() {
    let fixture = Fixture::new(GREETING);
    let (fake, life, shown) = slow(&fixture, 60_000).await;
    let stop = CancellationToken::new();
    let asker = Asker { lender: &Disk, stop: &stop };
    tokio::select! {
        biased;
        answer = life.hover(&shown, Position::new(1, 5), asker) => panic!("{answer:?}"),
        () = async {
            fake.wait_for_method("textDocument/hover").await;
            stop.cancel();
        } => {}
    }
    // The question was dropped without noticing.
    fake.wait_for_method("$/cancelRequest").await;
}

#[tokio::test]
async fn an_answer_that_somebody_else_waits_for_is_not_cancelled() {
    let fixture = Fixture::new(GREETING);
    let (fake, life, shown) = slow(&fixture, 100).await;
    let stop = CancellationToken::new();
    let asker = Asker { lender: &Disk, stop: &stop };
    let unwanted = life.hover(&shown, Position::new(1, 5), asker);
    let stopping = async {
        fake.wait_for_method("textDocument/hover").await;
        stop.cancel();
    };
    let (unwanted, wanted, ()) = tokio::join!(unwanted, hover(&life, &shown, 5), stopping);
    assert_eq!(refusal(unwanted), "`fake` was stopped");
    assert_eq!(wanted, "`greet` defined at a.fk:1");
    assert_eq!((count(&fake, "textDocument/hover"), count(&fake, "$/cancelRequest")), (1, 0));
}

#[tokio::test]
async fn who_has_no_more_time_gets_the_answer_the_next_time() {
    let fixture = Fixture::new(GREETING);
    let (fake, life, shown) = slow(&fixture, 150).await;
    // Two leave before the answer comes; one more comes back for it, and one after it has come.
    for _ in 0..2 {
        let late = tokio::time::timeout(Duration::from_millis(20), hover(&life, &shown, 5)).await;
        assert!(late.is_err());
    }
    fake.wait_for_method("textDocument/hover").await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_eq!((count(&fake, "textDocument/hover"), count(&fake, "$/cancelRequest")), (1, 0));

    // An answer that was heard is not kept.
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_eq!(count(&fake, "textDocument/hover"), 2);
}

#[tokio::test]
async fn an_answer_from_before_a_change_is_not_given_after_it() {
    let mut fixture = Fixture::new(GREETING);
    let (fake, life, shown) = slow(&fixture, 100).await;
    let late = tokio::time::timeout(Duration::from_millis(20), hover(&life, &shown, 5)).await;
    assert!(late.is_err());
    fixture.write("a.fk", "\ndef greet\ngreet\n");
    let shown = show(&life, &fixture, "a.fk");
    let at = Position::new(3, 1);
    let found = ask(async |asker| life.hover(&shown, at, asker).await).await.unwrap().unwrap();
    assert_eq!(found.text, "`greet` defined at a.fk:2");
    assert_eq!(count(&fake, "textDocument/hover"), 2);
}

#[tokio::test]
async fn an_answer_from_before_it_was_ready_is_not_given_after() {
    let fixture = Fixture::new(GREETING);
    let progress = vec![Progress { token: json!("load"), title: "Loading".into(), steps: 1, step_ms: 100 }];
    let delays = [("textDocument/hover".to_owned(), 50)].into();
    let (fake, life) = life(Script { progress, delays, ..Script::default() }, &fixture).await;
    let shown = show(&life, &fixture, "a.fk");
    let late = tokio::time::timeout(Duration::from_millis(10), hover(&life, &shown, 5)).await;
    assert!(late.is_err());
    fake.wait_for_method("textDocument/hover").await;
    life.ready(None).await;
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_eq!(count(&fake, "textDocument/hover"), 2);

    // But progress that is about a question does not make its answer old.
    let late = tokio::time::timeout(Duration::from_millis(10), hover(&life, &shown, 5)).await;
    assert!(late.is_err());
    for kind in ["begin", "end"] {
        fake.notify("$/progress", json!({"token": 7, "value": {"kind": kind, "title": "Finding"}}));
    }
    fake.send_request("workspace/configuration", json!({"items": []})).await.unwrap();
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    assert_eq!(count(&fake, "textDocument/hover"), 3);
}
