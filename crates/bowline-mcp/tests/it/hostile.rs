//! Input that nobody should send. Each gets its answer, and the next message is read as if nothing had happened.

use serde_json::{Value, json};

use crate::{Client, modern};

/// Sends it to a fresh conversation, then a ping; gives back what came before the ping's answer.
async fn answers_to(bytes: &[u8], before_handshake: bool) -> Vec<Value> {
    let mut client = Client::connect();
    if !before_handshake {
        client.initialize().await;
    }
    client.send_bytes(bytes).await;
    if before_handshake {
        client.initialize().await;
    }
    client
        .send(&json!({"jsonrpc": "2.0", "id": 99, "method": "ping"}))
        .await;
    let mut answers = Vec::new();
    loop {
        let message = client.next().await.expect("the connection to stay open");
        if message["id"] == 99 {
            assert_eq!(message["result"], json!({}));
            break;
        }
        answers.push(message);
    }
    client.leave().await;
    answers
}

fn code(answers: &[Value]) -> Option<i64> {
    answers.iter().find_map(|answer| answer["error"]["code"].as_i64())
}

#[tokio::test]
async fn every_recorded_case_is_answered_as_asked() {
    let cases: Value = serde_json::from_str(include_str!("../fixtures/stdio.json")).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let bytes = base64(case["base64"].as_str().unwrap());
        let before = case["before_handshake"].as_bool().unwrap();
        let answers = answers_to(&bytes, before).await;
        let expected = case["expect"].as_str().unwrap();
        let fits = match expected.split_once(':') {
            Some(("error", "")) => code(&answers).is_some(),
            Some(("error", codes)) => {
                let codes: Vec<i64> = codes.split(',').map(|code| code.parse().unwrap()).collect();
                code(&answers).is_some_and(|code| codes.contains(&code))
            }
            _ => match expected {
                "ignore" => answers.is_empty(),
                "result" => answers.iter().any(|answer| answer.get("result").is_some()),
                // The handshake that follows takes the answer to a question asked before it.
                "answer" => before || !answers.is_empty(),
                "any" => true,
                other => panic!("unknown expectation {other}"),
            },
        };
        assert!(fits, "{name}: expected {expected}, got {answers:?}");
    }
}

#[tokio::test]
async fn more_of_the_kind() {
    let huge = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"{}"}}"#,
        "x".repeat(2 << 20)
    );
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#,
        "[".repeat(100_000)
    );
    let shallow = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#,
        "[".repeat(200)
    );
    let cases: [(&str, &str, Option<i64>, Option<i64>); 14] = [
        ("not JSON", "hello", Some(-32700), None),
        (
            "truncated",
            r#"{"jsonrpc":"2.0","id":7,"method":"pi"#,
            Some(-32700),
            Some(7),
        ),
        ("NUL bytes", "\0\0\0", Some(-32700), None),
        ("a string", r#""ping""#, Some(-32600), None),
        ("oversized", &huge, Some(-32700), Some(7)),
        ("nested 100k", &deep, Some(-32700), Some(7)),
        ("nested 200", &shallow, Some(-32700), Some(7)),
        (
            "unknown method",
            r#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#,
            Some(-32601),
            Some(7),
        ),
        (
            "empty method",
            r#"{"jsonrpc":"2.0","id":7,"method":""}"#,
            Some(-32601),
            Some(7),
        ),
        (
            "id true",
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            Some(-32600),
            None,
        ),
        (
            "name number",
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}"#,
            Some(-32602),
            Some(7),
        ),
        (
            "arguments text",
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":"x"}}"#,
            Some(-32602),
            Some(7),
        ),
        (
            "meta number",
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":5}}"#,
            Some(-32602),
            Some(7),
        ),
        (
            "old notification",
            r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
            None,
            None,
        ),
    ];
    for (name, line, expected, id) in cases {
        let answers = answers_to(format!("{line}\n").as_bytes(), false).await;
        assert_eq!(code(&answers), expected, "{name}: {answers:?}");
        let echoed = answers.first().and_then(|answer| answer["id"].as_i64());
        assert_eq!(echoed, id, "{name}: {answers:?}");
    }
}

#[tokio::test]
async fn nothing_before_the_handshake_ends_the_conversation() {
    let lines = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":5}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
        "rubbish",
        "[]",
    ];
    for line in lines {
        answers_to(format!("{line}\n").as_bytes(), true).await;
    }
}

#[tokio::test]
async fn an_unsupported_version_in_the_newer_era_is_named() {
    let mut client = Client::connect();
    let mut meta = modern();
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2030-01-01");
    let answer = client.ask("tools/list", json!({"_meta": meta})).await;
    assert_eq!(answer["error"]["code"], -32022, "{answer}");
}

#[tokio::test]
async fn malformed_requests_are_on_the_record() {
    let mut client = Client::initialized().await;
    client.send_bytes(b"rubbish\n").await;
    client.next().await;
    client
        .send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": 3}}))
        .await;
    client.next().await;
    let trail = client.trail().await;
    let malformed: Vec<_> = trail
        .iter()
        .filter(|record| record["event"] == "malformed")
        .collect();
    assert_eq!(malformed.len(), 2);
    assert_eq!(malformed[1]["tool"], "echo");
    assert_eq!(
        malformed[1]["error_message"],
        "these are not the parameters of `tools/call`"
    );
}

/// Decodes; the fixtures hold bytes that JSON cannot.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = 0u32;
    let mut count = 0;
    let mut out = Vec::new();
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let value = ALPHABET.iter().position(|letter| *letter == byte).unwrap();
        bits = bits << 6 | u32::try_from(value).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    out
}
