//! The handshake, questions in both directions, and the end.

use std::path::Path;
use std::time::Duration;

use bowline_testkit::{FakeServer, Fault, Kind, PositionEncoding, Progress, Script};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::client::Client;
use crate::{did_open, frame, initialize_params};

fn nowhere() -> &'static Path {
    Path::new("/nowhere/at/all")
}

#[tokio::test]
async fn a_message_may_come_byte_by_byte() {
    let (server, stream) = FakeServer::start(Script::default());
    let mut client = Client::new(stream);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "é": "😀", "capabilities": {} } });
    for byte in frame(&message) {
        client.stream.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let answer = client.next().await.unwrap();
    assert_eq!(answer["result"]["serverInfo"], json!({ "name": "fake-ls", "version": "1.0" }));
    assert_eq!(server.received()[0].params["é"], "😀");
    assert_eq!(server.complaints(), [""; 0]);
}

#[tokio::test]
async fn answers_only_with_a_unit_that_was_offered() {
    let script = Script { position_encoding: Some(PositionEncoding::Utf8), ..Script::default() };
    let (_server, _client, answer) = Client::start(script.clone(), nowhere()).await;
    assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-8");

    let (_server, stream) = FakeServer::start(script);
    let answer = Client::new(stream).request("initialize", json!({ "capabilities": {} })).await;
    assert_eq!(answer["result"]["capabilities"].get("positionEncoding"), None);
}

#[tokio::test]
async fn unknown_and_untimely_requests_are_refused() {
    let (server, stream) = FakeServer::start(Script::default());
    let mut client = Client::new(stream);
    let code = |answer: Value| answer["error"]["code"].as_i64().unwrap();
    assert_eq!(code(client.request("textDocument/hover", json!({})).await), -32002);
    client.request("initialize", initialize_params(nowhere())).await;
    assert_eq!(code(client.request("initialize", json!({})).await), -32600);
    assert_eq!(code(client.request("fake/nonsense", json!({})).await), -32601);
    // No diagnostics on request in this script.
    assert_eq!(code(client.request("textDocument/diagnostic", json!({})).await), -32601);
    assert_eq!(
        server.complaints(),
        ["textDocument/hover: not initialized", "initialize: initialized already"]
    );
}

#[tokio::test]
async fn ends_with_0_after_shutdown_and_with_1_otherwise() {
    let (server, mut client, _) = Client::start(Script::default(), nowhere()).await;
    assert_eq!(client.request("shutdown", Value::Null).await["result"], Value::Null);
    assert_eq!(client.request("textDocument/hover", json!({})).await["error"]["code"], -32600);
    client.notify("exit", Value::Null).await;
    assert_eq!(client.next().await, None);
    assert_eq!(server.wait_for_end().await, 0);

    let (server, mut client, _) = Client::start(Script::default(), nowhere()).await;
    client.notify("exit", Value::Null).await;
    assert_eq!(server.wait_for_end().await, 1);

    let (server, client, _) = Client::start(Script::default(), nowhere()).await;
    drop(client);
    assert_eq!(server.wait_for_end().await, 1);
}

#[tokio::test]
async fn a_cancelled_request_is_answered_at_once() {
    let script = Script { delays: [("workspace/symbol".to_owned(), 600_000)].into(), ..Script::default() };
    let (_server, mut client, _) = Client::start(script, nowhere()).await;
    let slow = client.ask("workspace/symbol", json!({ "query": "" })).await;
    // Another is not held up by it.
    client.request("fake/nonsense", json!({})).await;
    client.notify("$/cancelRequest", json!({ "id": slow })).await;
    let answer = client.next().await.unwrap();
    assert_eq!((answer["id"].as_i64(), answer["error"]["code"].as_i64()), (Some(slow), Some(-32800)));
}

#[tokio::test]
async fn registers_and_reports_progress() {
    let script = Script {
        register_pull: true,
        register_watchers: vec!["**/*.py".to_owned()],
        progress: vec![Progress { token: json!(7), title: "Indexing".to_owned(), steps: 2, step_ms: 1 }],
        ..Script::default()
    };
    let (server, mut client, _) = Client::start(script, nowhere()).await;
    let mut seen = Vec::new();
    while seen.len() < 7 {
        let message = client.next().await.unwrap();
        if let Some(id) = message.get("id") {
            client.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null })).await;
        }
        let params = &message["params"];
        let registered = params["registrations"][0]["method"].as_str();
        let kind = params["value"]["kind"].as_str();
        seen.push(registered.or(kind).or(message["method"].as_str()).unwrap().to_owned());
    }
    assert_eq!(
        seen,
        [
            "textDocument/diagnostic",
            "workspace/didChangeWatchedFiles",
            "window/workDoneProgress/create",
            "begin",
            "report",
            "report",
            "end"
        ]
    );
    server.finish().await;
}

#[tokio::test]
async fn does_not_register_with_a_client_that_does_not_know_how() {
    let script = Script { register_watchers: vec!["*".to_owned()], ..Script::default() };
    let (server, stream) = FakeServer::start(script);
    let mut client = Client::new(stream);
    client.request("initialize", json!({ "capabilities": {} })).await;
    client.notify("initialized", json!({})).await;
    server.wait_for(|received| received.iter().any(|one| one.kind == Kind::Complaint)).await;
    assert!(server.complaints()[0].contains("/workspace/didChangeWatchedFiles/dynamicRegistration"));
    assert_eq!(server.unanswered(), [""; 0]);
}

#[tokio::test]
async fn a_test_can_ask_and_tell() {
    let (server, mut client, _) = Client::start(Script::default(), nowhere()).await;
    server.notify("window/logMessage", json!({ "type": 3, "message": "hello" }));
    server.send_raw(frame(&json!({ "raw": true })));
    let answering = async {
        assert_eq!(client.next().await.unwrap()["params"]["message"], "hello");
        assert_eq!(client.next().await.unwrap(), json!({ "raw": true }));
        for _ in 0..2 {
            let question = client.next().await.unwrap();
            let mut answer = json!({ "jsonrpc": "2.0", "id": question["id"] });
            match question["method"].as_str() {
                Some("workspace/configuration") => answer["result"] = json!([1]),
                _ => answer["error"] = json!({ "code": -32601, "message": "no" }),
            }
            client.send(&answer).await;
        }
        client
    };
    let asking = async {
        let known = server.send_request("workspace/configuration", json!({ "items": [{}] })).await;
        let unknown = server.send_request("fake/unknown", json!({})).await;
        (known, unknown)
    };
    let (client, (known, unknown)) = tokio::join!(answering, asking);
    assert_eq!(known, Ok(json!([1])));
    assert_eq!(unknown.unwrap_err()["code"], -32601);
    let answer = server.wait_for_method("fake/unknown").await;
    assert_eq!((answer.kind, answer.error.unwrap()["message"].clone()), (Kind::Response, json!("no")));

    drop(client);
    server.wait_for_end().await;
    let gone = server.send_request("fake/late", Value::Null);
    assert!(tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap().is_err());
}

#[tokio::test]
#[should_panic(expected = "the client left unanswered: workspace/configuration")]
async fn a_client_that_reads_past_a_question_and_leaves_is_found() {
    let (server, mut client, _) = Client::start(Script::faulty(Fault::Asks), nowhere()).await;
    for _ in 0..8 {
        let question = client.next().await.unwrap();
        if question["method"] != "workspace/configuration" {
            client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": null })).await;
        }
    }
    client.request("shutdown", Value::Null).await;
    client.notify("exit", Value::Null).await;
    server.wait_for_end().await;
}

#[tokio::test]
async fn faults_of_a_process_have_their_likeness_in_memory() {
    let (server, mut stream) = FakeServer::start(Script::faulty(Fault::Usage));
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    assert_eq!((server.wait_for_end().await, server.stderr()), (2, text));

    let (server, mut client, _) = Client::start(Script::faulty(Fault::DieOnOpen), nowhere()).await;
    client.notify("textDocument/didOpen", did_open(&nowhere().join("a.py"), "")).await;
    assert_eq!(client.next().await, None);
    assert_eq!((server.wait_for_end().await, server.stderr().as_str()), (1, "fatal: cannot read project\n"));

    let (server, mut client, _) = Client::start(Script::faulty(Fault::Stubborn), nowhere()).await;
    client.notify("exit", Value::Null).await;
    assert_eq!(client.request("fake/nonsense", Value::Null).await["error"]["code"], -32601);
    server.exit(3);
    assert_eq!(server.wait_for_end().await, 3);
}

#[tokio::test]
async fn mistakes_of_the_client_are_complaints() {
    let (server, mut client, _) = Client::start(Script::default(), nowhere()).await;
    client.stream.write_all(b"X-Odd: 1\r\nContent-Length: 3\r\n\r\n{]}").await.unwrap();
    client.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": 1 })).await;
    client.send(&json!({ "id": 5, "method": "fake/nonsense" })).await;
    client.find(|message| message["id"] == 5).await;
    assert_eq!(
        server.complaints(),
        [
            "header: not a header: `X-Odd: 1`",
            "body: not JSON: key must be a string at line 1 column 2",
            "body: an answer to 99, which was not asked",
            "body: not a message of JSON-RPC 2.0",
        ]
    );
}
