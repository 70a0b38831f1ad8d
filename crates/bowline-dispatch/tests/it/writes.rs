//! Calls that change things: asked about, recorded ahead, judged again by what they turn out to do.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bowline_call::{Answered, Caller, Lasting, RefusalCode, ToolError};
use serde_json::json;

use crate::{House, Person};

fn refusal(reply: Result<bowline_call::AnyAnswer, ToolError>) -> bowline_call::Refusal {
    match reply {
        Err(ToolError::Refused(refusal)) => *refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_write_is_recorded_before_and_after() {
    let house = House::relaxed();
    let reply = house.call(json!({"act": "write", "files": ["src/lib.rs"]})).await.unwrap();
    assert_eq!(reply.payload, json!("written"));
    assert_eq!(
        house.trail().await,
        [
            "intent script write allow by user allow `script`: open [src/lib.rs]",
            "call script write allow by user allow `script`: ok [src/lib.rs]",
        ]
    );
}

#[tokio::test]
async fn a_panic_in_a_write_still_closes_its_record() {
    let house = House::relaxed();
    house.call(json!({"act": "write-panic", "files": ["src/lib.rs"]})).await.unwrap_err();
    let trail = house.trail().await;
    assert_eq!(trail.len(), 2);
    assert!(trail[1].starts_with("call script write allow by user allow `script`: internal error"));
}

#[tokio::test]
async fn what_needs_consent_is_refused_where_nobody_can_be_asked() {
    let house = House::new(&[], Duration::from_secs(60));
    let refusal = refusal(house.call(json!({"act": "write", "files": ["src/lib.rs"]})).await);
    assert_eq!(refusal.error, RefusalCode::ConfirmationRequired);
    assert!(refusal.recovery.contains("allow = [\"Edit(//"), "{}", refusal.recovery);
    assert!(house.seen().is_empty());
}

#[tokio::test]
async fn a_person_may_say_yes_or_no() {
    let house = House::new(&[], Duration::from_secs(60));
    for (answer, runs) in [(Answered::Yes(Lasting::Once), true), (Answered::No, false)] {
        let person = Arc::new(Person(answer, Mutex::default()));
        let caller = Caller { asker: person.clone(), ..Caller::default() };
        let reply = house.call_as(caller, "script", json!({"act": "write", "files": ["src/lib.rs"]})).await;
        assert_eq!(reply.is_ok(), runs);
        let questions = person.1.lock().unwrap();
        assert_eq!(questions[0].reason, "`script` would change files and needs a person's consent");
        if !runs {
            assert_eq!(refusal(reply).reason, "the person who was asked said no");
        }
    }
}

#[tokio::test]
async fn an_edit_computed_on_the_way_goes_to_the_gate_with_its_real_files() {
    let house = House::relaxed();
    let refusal = refusal(house.call(json!({"act": "surprise"})).await);
    assert_eq!(refusal.rule, "roots");
    assert_eq!(house.seen(), ["surprise", "cleared"]);
    let trail = house.trail().await;
    assert_eq!(trail[0], "intent script write allow by user allow `script`: open [found.rs]");
    assert!(trail[1].starts_with("call script write refuse by roots"), "{}", trail[1]);
    assert_eq!(trail.len(), 2);
}

#[tokio::test]
async fn without_a_trail_reads_go_on_and_writes_are_refused() {
    // A directory stands where the trail should be.
    let house = House::with_trail(&["script"], Duration::from_secs(60), "src");
    assert!(house.call(json!({"act": "go"})).await.is_ok());
    let refusal = refusal(house.call(json!({"act": "write", "files": ["src/lib.rs"]})).await);
    assert_eq!((refusal.error, refusal.rule.as_str()), (RefusalCode::RuleFailed, "audit"));
    assert!(refusal.reason.starts_with("nothing is changed that cannot be recorded"), "{}", refusal.reason);
    assert_eq!(house.seen(), ["go"]);
}

#[tokio::test]
async fn a_person_is_asked_once_about_the_same_files() {
    let house = House::new(&[], Duration::from_secs(60));
    let person = Arc::new(Person(Answered::Yes(Lasting::Once), Mutex::default()));
    let caller = Caller { asker: person.clone(), ..Caller::default() };
    let reply = house.call_as(caller, "script", json!({"act": "write-twice", "files": ["src/lib.rs"]})).await;
    assert!(reply.is_ok());
    assert_eq!(person.1.lock().unwrap().len(), 2, "once for the file that was named, once for another");
}

#[tokio::test]
async fn a_person_is_asked_when_the_files_are_known() {
    let house = House::new(&[], Duration::from_secs(60));
    let compute = json!({"act": "compute", "files": ["src/lib.rs"]});
    let alone = refusal(house.call(compute.clone()).await);
    assert_eq!(alone.error, RefusalCode::ConfirmationRequired);
    assert_eq!(house.seen(), ["compute"], "nothing is cleared where nobody can be asked");
    let person = Arc::new(Person(Answered::Yes(Lasting::Once), Mutex::default()));
    let caller = Caller { asker: person.clone(), ..Caller::default() };
    assert!(house.call_as(caller, "script", compute).await.is_ok());
    let questions = person.1.lock().unwrap();
    let about: Vec<_> = questions.iter().map(|question| question.about.clone()).collect();
    assert_eq!(about, [[house.fixture.path("src/lib.rs").display().to_string()]], "once, about the file");
}

#[tokio::test]
async fn what_is_being_written_is_brought_to_its_end() {
    for leaves in [Leaves::Cancels, Leaves::WalksAway, Leaves::RunsOutOfTime] {
        let time = if leaves == Leaves::RunsOutOfTime { 50 } else { 60_000 };
        let house = Arc::new(House::new(&["script"], Duration::from_millis(time)));
        let caller = Caller::default();
        let cancellation = caller.cancellation.clone();
        let called = {
            let house = Arc::clone(&house);
            let arguments = json!({"act": "write-slowly", "files": ["src/lib.rs"]});
            tokio::spawn(async move { house.call_as(caller, "script", arguments).await })
        };
        house.started.notified().await;
        match leaves {
            Leaves::Cancels => cancellation.cancel(),
            Leaves::WalksAway => called.abort(),
            Leaves::RunsOutOfTime => tokio::time::sleep(Duration::from_millis(100)).await,
        }
        // The next one waits for it, and not only for the call.
        let next = {
            let house = Arc::clone(&house);
            tokio::spawn(async move { house.call(json!({"act": "write", "files": ["src/lib.rs"]})).await })
        };
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(house.seen(), ["write-slowly"], "{leaves:?}");
        house.release.notify_one();
        if leaves != Leaves::RunsOutOfTime {
            next.await.unwrap().unwrap();
            assert_eq!(house.seen(), ["write-slowly", "on disk", "write"], "{leaves:?}");
        }
        if let Ok(reply) = called.await {
            assert_eq!(reply.unwrap().payload, json!("written"), "{leaves:?}");
        }
        let trail = house.trail_of(1).await;
        assert_eq!(trail[0], "intent script write allow by user allow `script`: open [src/lib.rs]");
        assert_eq!(
            trail[1], "call script write allow by user allow `script`: ok [/src/lib.rs]",
            "{leaves:?}"
        );
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Leaves {
    Cancels,
    WalksAway,
    RunsOutOfTime,
}
