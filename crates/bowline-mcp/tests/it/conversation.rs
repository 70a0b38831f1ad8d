//! Both protocol eras, calls, cancellation, progress, the end.

use serde_json::{Value, json};

use crate::{Client, PATIENCE, modern};

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn the_older_era_shakes_hands() {
    let mut client = Client::connect();
    let answer = client.initialize().await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answer["result"]["serverInfo"]["name"], "bowline");
    assert_eq!(text(&client.call("hello").await), "hello");
    assert_eq!(client.ask("ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

#[tokio::test]
async fn an_unknown_version_gets_the_newest_with_a_handshake() {
    for (asked, agreed) in
        [("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("2025-06-18", "2025-06-18")]
    {
        let mut client = Client::connect();
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        assert_eq!(client.ask("initialize", params).await["result"]["protocolVersion"], agreed);
    }
}

#[tokio::test]
async fn the_newer_era_needs_no_handshake() {
    let mut client = Client::connect();
    let found = client.ask("server/discover", json!({"_meta": modern()})).await;
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    let params = json!({"name": "echo", "arguments": {"text": "hello"}, "_meta": modern()});
    let answer = client.ask("tools/call", params).await;
    assert_eq!(text(&answer), "hello");
    assert_eq!(answer["result"]["resultType"], "complete");
    let list = client.ask("tools/list", json!({"_meta": modern()})).await;
    assert!(list["result"]["ttlMs"].is_number() && list["result"]["cacheScope"].is_string(), "{list}");
    assert_eq!(client.trail().await.last().unwrap()["origin"]["client"], "modern-client");
    client.leave().await;
}

#[tokio::test]
async fn a_client_may_look_at_the_newer_era_and_take_the_older() {
    let mut client = Client::connect();
    assert!(client.ask("server/discover", json!({"_meta": modern()})).await.get("result").is_some());
    assert_eq!(client.initialize().await["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(text(&client.call("hello").await), "hello");
}

#[tokio::test]
async fn the_list_is_the_same_however_often_it_is_asked() {
    let mut client = Client::initialized().await;
    let first = client.ask("tools/list", json!({})).await.to_string();
    for _ in 0..20 {
        assert_eq!(client.ask("tools/list", json!({})).await.to_string(), first);
    }
    let refused = client.ask("tools/list", json!({"cursor": "x"})).await;
    assert_eq!(refused["error"]["code"], -32602);
}

#[tokio::test]
async fn wrong_arguments_are_for_the_model_and_wrong_tools_for_the_client() {
    let mut client = Client::initialized().await;
    let answer = client.ask("tools/call", json!({"name": "echo", "arguments": {"txt": 1}})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("unknown argument `txt` (did you mean `text`?)"), "{answer}");
    let answer = client.ask("tools/call", json!({"name": "eco", "arguments": {}})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["message"], "unknown tool \"eco\"; did you mean `echo`?");
    let trail = client.trail().await;
    assert_eq!(trail.iter().filter(|record| record["event"] == "call").count(), 2);
}

#[tokio::test]
async fn a_panicking_handler_answers_without_its_text() {
    let mut client = Client::initialized().await;
    let answer = client.call("panic").await;
    assert_eq!(answer["error"]["code"], -32603);
    assert!(!answer.to_string().contains("secret"));
    assert_eq!(text(&client.call("still here").await), "still here");
}

#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered() {
    let mut client = Client::initialized().await;
    let call = |id: i64, text: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}});
    client.send(&call(5, "hang")).await;
    client.started.notified().await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}))
        .await;
    tokio::time::timeout(PATIENCE, client.stopped.notified()).await.expect("the work to stop");
    // The id may be used again at once, and gets its own answer.
    client.send(&call(5, "again")).await;
    let answer = client.next().await.unwrap();
    assert_eq!((answer["id"].as_i64(), text(&answer)), (Some(5), "again"));
    let trail = client.trail().await;
    assert!(trail.iter().any(|record| record["error_message"] == "cancelled by the caller"), "{trail:?}");
    client.leave().await;
}

#[tokio::test]
async fn late_and_unknown_cancellations_are_ignored() {
    let mut client = Client::initialized().await;
    client.call("done").await;
    for id in [json!("ask-tools/call"), json!(99), json!(null), json!({})] {
        client
            .send(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
            )
            .await;
    }
    assert_eq!(text(&client.call("still here").await), "still here");
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_the_first_is_unharmed() {
    let mut client = Client::initialized().await;
    let call = |text: &str| json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}});
    client.send(&call("hang")).await;
    client.started.notified().await;
    client.send(&call("second")).await;
    let refused = client.next().await.unwrap();
    assert_eq!((refused["id"].as_i64(), refused["error"]["code"].as_i64()), (Some(5), Some(-32600)));
    assert_eq!(text(&client.call("others").await), "others");
    client.leave().await;
}

#[tokio::test]
async fn progress_is_told_under_the_clients_token() {
    let mut client = Client::initialized().await;
    let params =
        json!({"name": "echo", "arguments": {"text": "progress"}, "_meta": {"progressToken": "tok"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    let mut told = Vec::new();
    loop {
        let message = client.next().await.unwrap();
        if message.get("id").is_some() {
            break;
        }
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("tok"))
        );
        told.push(message["params"]["progress"].as_f64().unwrap());
    }
    assert!(!told.is_empty() && told.is_sorted(), "{told:?}");
}

#[tokio::test]
async fn the_end_of_input_stops_a_hanging_call() {
    let mut client = Client::initialized().await;
    let params = json!({"name": "echo", "arguments": {"text": "hang"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    client.started.notified().await;
    let stopped = client.stopped.clone();
    client.leave().await;
    tokio::time::timeout(PATIENCE, stopped.notified()).await.expect("the work to stop");
}

#[tokio::test]
async fn a_stop_from_outside_ends_the_conversation() {
    let client = Client::initialized().await;
    client.stop.cancel();
    tokio::time::timeout(PATIENCE, client.serving).await.expect("an end in time").unwrap().unwrap();
}
