//! However a call ends, it answers and its record is closed.

use std::time::Duration;

use bowline_call::{Caller, ToolError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::House;

#[tokio::test]
async fn success() {
    let house = House::relaxed();
    assert_eq!(house.call(json!({"act": "go"})).await.unwrap().payload, json!({"done": true}));
    assert_eq!(house.trail().await, ["call script read allow by user allow `script`: ok"]);
}

#[tokio::test]
async fn failure() {
    let house = House::relaxed();
    assert_eq!(house.call(json!({"act": "fail"})).await, Err(ToolError::failed("the disk is upside down")));
    let expected = "call script read allow by user allow `script`: failed: the disk is upside down";
    assert_eq!(house.trail().await, [expected]);
}

#[tokio::test]
async fn bad_arguments_never_reach_the_tool() {
    let house = House::relaxed();
    let error = house.call(json!({"at": "go"})).await.unwrap_err();
    assert!(error.to_string().contains("missing required argument `act`"), "{error}");
    assert!(house.seen().is_empty());
    assert!(house.trail().await[0].starts_with("call script write - by -: bad arguments: missing required"));
}

#[tokio::test]
async fn an_unknown_tool() {
    let house = House::relaxed();
    let error = house.call_as(Caller::default(), "scrit", json!({})).await.unwrap_err();
    assert_eq!(error.text(), "unknown tool `scrit`\nNext step: did you mean `script`?");
    assert_eq!(house.trail().await, ["call scrit read - by -: unknown tool `scrit`"]);
}

#[tokio::test]
async fn a_panic_is_answered_without_its_text() {
    let house = House::relaxed();
    let error = house.call(json!({"act": "panic"})).await.unwrap_err();
    assert!(matches!(error, ToolError::Internal { .. }), "{error}");
    assert!(!error.text().contains("secret"), "{}", error.text());
    let trail = house.trail().await;
    assert_eq!(trail.len(), 1);
    assert!(
        trail[0].contains("internal error: `script` failed unexpectedly") && !trail[0].contains("secret")
    );
    // And the house still stands.
    assert!(house.call(json!({"act": "go"})).await.is_ok());
}

#[tokio::test]
async fn a_cancellation_stops_the_work() {
    let house = House::relaxed();
    let caller = Caller { cancellation: CancellationToken::new(), ..Caller::default() };
    let cancellation = caller.cancellation.clone();
    let call = house.call_as(caller, "script", json!({"act": "hang"}));
    let cancel = async {
        house.started.notified().await;
        cancellation.cancel();
    };
    let (reply, ()) = tokio::join!(call, cancel);
    assert_eq!(reply, Err(ToolError::Cancelled));
    assert_eq!(
        house.trail().await,
        ["call script read allow by user allow `script`: cancelled by the caller"]
    );
}

#[tokio::test]
async fn time_runs_out() {
    let house = House::new(&["script"], Duration::from_millis(1));
    let error = house.call(json!({"act": "hang"})).await.unwrap_err();
    assert_eq!(error.to_string(), "not ready: no answer within 1 ms (retry_after_ms: 1000)");
    assert!(house.trail().await[0].ends_with(": not ready: no answer within 1 ms (retry_after_ms: 1000)"));
}

#[tokio::test]
async fn a_call_may_bring_its_own_patience_and_the_callers_counts_more() {
    let house = House::relaxed();
    let error = house.call(json!({"act": "hang-briefly"})).await.unwrap_err();
    assert_eq!(error.to_string(), "not ready: no answer within 3 ms (retry_after_ms: 1000)");
    let caller = Caller { patience: Some(Duration::from_millis(4)), ..Caller::default() };
    let error = house.call_as(caller, "script", json!({"act": "hang-briefly"})).await.unwrap_err();
    assert_eq!(error.to_string(), "not ready: no answer within 4 ms (retry_after_ms: 1000)");
}

#[tokio::test]
async fn a_caller_may_bring_its_own_patience() {
    let house = House::relaxed();
    let caller = Caller { patience: Some(Duration::from_millis(2)), ..Caller::default() };
    let error = house.call_as(caller, "script", json!({"act": "hang"})).await.unwrap_err();
    assert_eq!(error.to_string(), "not ready: no answer within 2 ms (retry_after_ms: 1000)");
}

#[tokio::test]
async fn a_call_whose_caller_walked_away_is_recorded() {
    let house = House::relaxed();
    let call = house.call(json!({"act": "hang"}));
    tokio::select! {
        _ = call => unreachable!("it hangs"),
        () = house.started.notified() => {}
    }
    // It may change things, so nobody can take it away: it hears that it was left, and ends by itself.
    let ended = "call script read allow by user allow `script`: cancelled by the caller";
    assert_eq!(house.trail_of(1).await, [ended]);
}

#[tokio::test]
async fn a_file_outside_the_roots_is_refused() {
    let house = House::relaxed();
    std::os::unix::fs::symlink("/etc", house.fixture.path("src/link")).unwrap();
    for file in ["/etc/passwd", "../x", "src/../../x", "src/link/passwd", "src/link/../passwd"] {
        let error = house.call(json!({"act": "go", "files": [file]})).await.unwrap_err();
        assert!(matches!(&error, ToolError::Refused(refusal) if refusal.rule == "roots"), "{file}: {error}");
    }
    assert!(house.seen().is_empty());
    let trail = house.trail().await;
    assert!(
        trail[0].starts_with("call script read refuse by roots: refused by roots: file path `/etc/passwd`")
    );
    assert_eq!(trail.len(), 5);
}
