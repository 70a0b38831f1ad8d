//! Being asked over the wire, in both eras: only a clear yes to this very question lets a call run.

use std::time::Duration;

use bowline_gate::{RuleEntry, RulesOptions};
use serde_json::{Value, json};

use crate::{Client, modern};

/// A client of a person who wants to be asked about everything.
fn connect(answers_within: Duration) -> Client {
    let rules = RulesOptions { ask: vec![RuleEntry::Pattern("echo".into())], ..RulesOptions::default() };
    Client::with(1 << 16, None, &rules, answers_within)
}

const LONG: Duration = Duration::from_secs(600);

async fn older(capabilities: Value) -> Client {
    let mut client = connect(LONG);
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"},
    });
    client.ask("initialize", hello).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    client
}

fn call(id: u64, text: &str) -> Value {
    let params = json!({"name": "echo", "arguments": {"text": text}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// The same in the newer era, with what else its parameters have.
fn modern_call(id: u64, text: &str, capabilities: Value, more: &[(&str, Value)]) -> Value {
    let mut request = call(id, text);
    request["params"]["_meta"] = modern();
    request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    for (key, value) in more {
        request["params"][*key] = value.clone();
    }
    request
}

fn forms() -> Value {
    json!({"elicitation": {"form": {}}})
}

/// The next message that is a request of the server's.
async fn question(client: &mut Client) -> Value {
    loop {
        let message = client.next().await.unwrap();
        if message["method"] == "elicitation/create" {
            return message;
        }
    }
}

async fn answer(client: &mut Client, question: &Value, result: Value) {
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result})).await;
}

fn accept(word: &str) -> Value {
    json!({"action": "accept", "content": {"answer": word}})
}

fn said(reply: &Value) -> (bool, String) {
    let text = reply["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    (reply["result"]["isError"] == true, text)
}

/// The verdict and answer of each call that is over.
async fn recorded(client: &Client) -> Vec<String> {
    let trail = client.trail().await;
    let calls = trail.iter().filter(|record| record["event"] == "call");
    calls.map(|record| format!("{} {}", record["verdict"], record["answer"]).replace('"', "")).collect()
}

#[tokio::test]
async fn the_older_era_is_asked_within_the_call() {
    for capabilities in [json!({"elicitation": {}}), forms()] {
        let mut client = older(capabilities).await;
        client.send(&call(1, "hello")).await;
        let asked = question(&mut client).await;
        let message = asked["params"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("`echo` would look\nwith:\n  text: \"hello\"\nasked by user ask `echo`: "),
            "{message}"
        );
        assert_eq!(
            asked["params"]["requestedSchema"]["properties"]["answer"]["enum"],
            json!(["once", "conversation", "no"])
        );
        // Others are answered meanwhile.
        assert!(client.ask("ping", json!({})).await["result"].is_object());
        answer(&mut client, &asked, accept("once")).await;
        assert_eq!(said(&client.answer(&json!(1)).await), (false, "hello".into()));
        assert_eq!(recorded(&client).await, ["ask once"]);
    }
}

#[tokio::test]
async fn everything_but_a_clear_yes_is_a_no() {
    let mut client = older(forms()).await;
    let answers = [
        accept("no"),
        accept("always"),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": null}),
        json!({"action": "decline"}),
        json!({"action": "cancel", "content": {"answer": "once"}}),
        json!({"action": "sure", "content": {"answer": "once"}}),
        json!({"answer": "once"}),
        json!({}),
        json!(5),
        json!(["once"]),
        Value::Null,
    ];
    for (id, result) in answers.into_iter().enumerate() {
        client.send(&call(id as u64, "hello")).await;
        let asked = question(&mut client).await;
        answer(&mut client, &asked, result.clone()).await;
        let (is_error, text) = said(&client.answer(&json!(id)).await);
        assert!(is_error && text.contains("TOOL_POLICY_DENIED"), "{result}: {text}");
    }
    assert_eq!(recorded(&client).await, ["ask no"; 12]);
}

#[tokio::test]
async fn a_client_that_fails_to_ask_is_nobody() {
    let mut client = older(forms()).await;
    client.send(&call(1, "hello")).await;
    let asked = question(&mut client).await;
    let error = json!({"code": -32601, "message": "what?"});
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error})).await;
    let (is_error, text) = said(&client.answer(&json!(1)).await);
    assert!(is_error && text.contains("TOOL_CONFIRMATION_REQUIRED"), "{text}");
    assert_eq!(recorded(&client).await, ["ask nobody"]);
}

#[tokio::test]
async fn who_has_no_forms_is_refused_and_told_how_to_allow() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut client = older(capabilities.clone()).await;
        client.send(&call(1, "hello")).await;
        let (is_error, text) = said(&client.answer(&json!(1)).await);
        assert!(is_error && text.contains("TOOL_CONFIRMATION_REQUIRED"), "{text}");
        assert!(text.contains("take `echo` out of `ask`"), "{text}");
        let mut client = connect(LONG);
        client.send(&modern_call(1, "hello", capabilities, &[])).await;
        let (is_error, text) = said(&client.answer(&json!(1)).await);
        assert!(is_error && text.contains("TOOL_CONFIRMATION_REQUIRED"), "{text}");
        assert_eq!(recorded(&client).await, ["ask nobody"]);
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_takes_its_question_back() {
    let mut client = older(forms()).await;
    client.send(&call(1, "hello")).await;
    let asked = question(&mut client).await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    let taken_back = client.next().await.unwrap();
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    // A late yes is one to nothing.
    answer(&mut client, &asked, accept("once")).await;
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(recorded(&client).await, ["ask nobody"]);
}

#[tokio::test]
async fn a_client_that_leaves_is_not_waited_for() {
    let mut client = older(forms()).await;
    client.send(&call(1, "hello")).await;
    question(&mut client).await;
    let (audit, trail) = (client.audit.clone(), client.dir.path().join("audit.jsonl"));
    let kept = std::mem::replace(&mut client.dir, tempfile::tempdir().unwrap());
    client.leave().await;
    audit.flush().await;
    let (text, _) = bowline_std::fs::read_text(&trail, 1 << 20).unwrap();
    assert!(text.contains(r#""verdict":"ask""#) && text.contains(r#""answer":"nobody""#), "{text}");
    drop(kept);
}

/// Asks in the newer era, and returns the state.
async fn state_of(client: &mut Client, id: u64, text: &str) -> String {
    client.send(&modern_call(id, text, forms(), &[])).await;
    let reply = client.answer(&json!(id)).await;
    assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
    let request = &reply["result"]["inputRequests"]["answer"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["mode"], "form");
    assert!(request["params"]["message"].as_str().unwrap().contains(&format!("text: \"{text}\"")));
    reply["result"]["requestState"].as_str().unwrap().to_owned()
}

fn answered(id: u64, text: &str, state: &str, said: &Value) -> Value {
    modern_call(
        id,
        text,
        forms(),
        &[("requestState", json!(state)), ("inputResponses", json!({ "answer": said }))],
    )
}

#[tokio::test]
async fn the_newer_era_is_asked_with_the_reply() {
    let mut client = connect(LONG);
    let state = state_of(&mut client, 1, "hello").await;
    client.send(&answered(2, "hello", &state, &accept("once"))).await;
    assert_eq!(said(&client.answer(&json!(2)).await), (false, "hello".into()));
    assert_eq!(recorded(&client).await, ["ask later", "ask once"]);
    let trail = client.trail().await;
    let asked = trail.iter().find(|record| record["answer"] == "later").unwrap();
    assert_eq!(asked["success"], false);
    assert!(asked["error_message"].as_str().unwrap().starts_with("not run: a person has to be asked first"));
}

#[tokio::test]
async fn a_no_in_the_newer_era_is_one() {
    let mut client = connect(LONG);
    let noes = [
        accept("no"),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({}),
        json!("once"),
        json!(null),
    ];
    for (id, no) in noes.into_iter().enumerate() {
        let id = 10 * id as u64;
        let state = state_of(&mut client, id, "hello").await;
        client.send(&answered(id + 1, "hello", &state, &no)).await;
        let (is_error, text) = said(&client.answer(&json!(id + 1)).await);
        assert!(is_error && text.contains("TOOL_POLICY_DENIED"), "{no}: {text}");
    }
}

#[tokio::test]
async fn an_answer_without_its_question_is_asked_for_again() {
    let mut client = connect(LONG);
    let without_state =
        modern_call(1, "hello", forms(), &[("inputResponses", json!({"answer": accept("once")}))]);
    client.send(&without_state).await;
    assert_eq!(client.answer(&json!(1)).await["result"]["resultType"], "input_required");
    let state = state_of(&mut client, 2, "hello").await;
    client.send(&modern_call(3, "hello", forms(), &[("requestState", json!(state))])).await;
    assert_eq!(client.answer(&json!(3)).await["result"]["resultType"], "input_required");
}

/// What the answer to a request says that is not taken, and that nothing ran.
async fn not_taken(client: &mut Client, request: &Value) -> String {
    let id = request["id"].clone();
    client.send(request).await;
    let reply = client.answer(&id).await;
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    reply["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_state_is_for_one_call_and_one_answer() {
    let mut client = connect(LONG);
    let state = state_of(&mut client, 1, "hello").await;
    let replayed = not_taken(&mut client, &answered(2, "goodbye", &state, &accept("once"))).await;
    assert!(replayed.contains("was handed out for another call"), "{replayed}");
    let tampered = state.replacen(&state[3..5], "zz", 1);
    let tampered = not_taken(&mut client, &answered(3, "hello", &tampered, &accept("once"))).await;
    assert!(tampered.contains("is not one that was handed out here"), "{tampered}");
    client.send(&answered(4, "hello", &state, &accept("once"))).await;
    assert_eq!(said(&client.answer(&json!(4)).await), (false, "hello".into()));
    let again = not_taken(&mut client, &answered(5, "hello", &state, &accept("once"))).await;
    assert!(again.contains("it was taken already"), "{again}");
    let trail = client.trail().await;
    let refused: Vec<_> = trail.iter().filter(|record| record["event"] == "malformed").collect();
    assert_eq!(refused.len(), 3);
    assert!(refused.iter().all(|record| record["tool"] == "echo"), "{refused:?}");
    assert_eq!(recorded(&client).await, ["ask later", "ask once"], "only the answer to the question ran");
}

#[tokio::test]
async fn a_late_answer_is_not_taken() {
    let mut client = connect(Duration::ZERO);
    let state = state_of(&mut client, 1, "hello").await;
    let late = not_taken(&mut client, &answered(2, "hello", &state, &accept("once"))).await;
    assert!(late.contains("it came too late"), "{late}");
}
