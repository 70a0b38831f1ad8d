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
    let mut answers = Vec::new();
    if before_handshake {
        // A ping is allowed before the handshake; what comes before its answer belongs to the bytes.
        client.send(&json!({"jsonrpc": "2.0", "id": 98, "method": "ping"})).await;
        loop {
            let message = client.next().await.expect("the connection to stay open");
            if message["id"] == 98 {
                break;
            }
            answers.push(message);
        }
        client.initialize().await;
    }
    client.send(&json!({"jsonrpc": "2.0", "id": 99, "method": "ping"})).await;
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
                "answer" => !answers.is_empty(),
                "any" => true,
                other => panic!("unknown expectation {other}"),
            },
        };
        assert!(fits, "{name}: expected {expected}, got {answers:?}");
    }
}

#[tokio::test]
async fn more_of_the_kind() {
    let huge =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"{}"}}"#, "x".repeat(2 << 20));
    let deep = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#, "[".repeat(100_000));
    let shallow = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}}}}}"#, "[".repeat(200));
    let late = format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"a":{}}},"id":7}}"#, "[".repeat(200));
    let huge_late =
        format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":"{}","id":7}}"#, "x".repeat(2 << 20));
    let cases: [(&str, &str, Option<i64>, Option<i64>); 16] = [
        ("oversized, id last", &huge_late, Some(-32700), Some(7)),
        ("nested, closed wrongly, id last", &late, Some(-32700), None),
        ("not JSON", "hello", Some(-32700), None),
        ("truncated", r#"{"jsonrpc":"2.0","id":7,"method":"pi"#, Some(-32700), Some(7)),
        ("NUL bytes", "\0\0\0", Some(-32700), None),
        ("a string", r#""ping""#, Some(-32600), None),
        ("oversized", &huge, Some(-32700), Some(7)),
        ("nested 100k", &deep, Some(-32700), Some(7)),
        ("nested 200", &shallow, Some(-32700), Some(7)),
        ("unknown method", r#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#, Some(-32601), Some(7)),
        ("empty method", r#"{"jsonrpc":"2.0","id":7,"method":""}"#, Some(-32601), Some(7)),
        ("id true", r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, Some(-32600), None),
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
        ("old notification", r#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, None, None),
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
async fn no_two_messages_before_the_handshake_end_the_conversation() {
    let requests = [
        "tools/list",
        "tools/call",
        "prompts/list",
        "logging/setLevel",
        "tasks/get",
        "no/such",
        "ping",
        "server/discover",
    ];
    let others = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/no_such"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"x"}}"#,
    ];
    for method in requests {
        for params in [
            "{}".to_owned(),
            json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}}).to_string(),
        ] {
            for other in others {
                let first = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#);
                answers_to(format!("{first}\n{other}\n").as_bytes(), true).await;
            }
        }
    }
}

#[tokio::test]
async fn an_opening_request_that_is_refused_opens_nothing() {
    let mut client = Client::connect();
    let initialize = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}),
    ];
    let bytes: String = lines.iter().map(|line| format!("{line}\n")).collect();
    client.send_bytes(bytes.as_bytes()).await;
    client.answer(&json!(2)).await;
    client.leave().await;
}

#[tokio::test]
async fn a_call_that_is_refused_and_cancelled_is_on_the_record() {
    let mut client = Client::connect();
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "echo", "arguments": {}}});
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    client.send_bytes(format!("{call}\n{cancelled}\n").as_bytes()).await;
    client.initialize().await;
    let trail = client.trail().await;
    let refused: Vec<_> = trail.iter().filter(|record| record["tool"] == "echo").collect();
    assert_eq!(refused.len(), 1, "{trail:?}");
}

#[tokio::test]
async fn what_the_protocol_refuses_is_on_the_record_too() {
    let mut client = Client::connect();
    let call = json!({"name": "echo", "arguments": {"text": "early"}});
    assert_eq!(client.ask("tools/call", call.clone()).await["error"]["code"], -32602);
    client.initialize().await;
    assert_eq!(client.ask("no/such", json!({})).await["error"]["code"], -32601);
    client.send(&json!({"jsonrpc": "2.0", "method": "tools/call", "params": call.clone()})).await;
    assert!(client.ask("tools/call", call).await.get("result").is_some());
    let trail = client.trail().await;
    let shown: Vec<_> = trail
        .iter()
        .filter(|record| record["event"] != "start")
        .map(|record| (record["event"].as_str().unwrap(), record["tool"].as_str().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [("malformed", "echo"), ("malformed", "no/such"), ("malformed", "echo"), ("call", "echo")]
    );
    assert_eq!(trail[2]["origin"]["client"], "line-client");
}

#[tokio::test]
async fn no_answer_is_long() {
    let mut client = Client::initialized().await;
    let long = "x".repeat(500_000);
    let many: serde_json::Map<String, Value> =
        (0..20_000).map(|index| (format!("x{index}"), json!(1))).collect();
    let answers = [
        client.ask("tools/call", json!({"name": "echo", "arguments": {long.clone(): 1}})).await,
        client.ask("tools/call", json!({"name": "echo", "arguments": many})).await,
        client.ask("tools/call", json!({"name": long, "arguments": {}})).await,
        client.ask(&"m".repeat(100_000), json!({})).await["error"].clone(),
    ];
    for answer in answers {
        let size = answer.to_string().len();
        assert!(size < 20_000, "{size} bytes");
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
    let malformed: Vec<_> = trail.iter().filter(|record| record["event"] == "malformed").collect();
    assert_eq!(malformed.len(), 2);
    assert_eq!(malformed[1]["tool"], "echo");
    assert_eq!(malformed[1]["error_message"], "these are not the parameters of `tools/call`");
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
