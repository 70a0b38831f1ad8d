//! Lines and what they are taken for.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn shown(line: &str) -> String {
    shown_bytes(line.as_bytes())
}

fn shown_bytes(line: &[u8]) -> String {
    match open(line) {
        Ok(Envelope::Request { id, request, .. }) => format!("request {id} {}", request.method()),
        Ok(Envelope::Cancelled { id }) => format!("cancelled {id}"),
        Ok(Envelope::Notification(_)) => "notification".into(),
        Ok(Envelope::Response(_)) => "response".into(),
        Ok(Envelope::Unanswerable { what }) => format!("unanswerable {}", what.method.unwrap_or_default()),
        Ok(Envelope::Nothing) => "nothing".into(),
        Err(fault) => {
            let id = fault.id.map_or_else(|| "no id".into(), |id| id.to_string());
            format!("{} ({id}): {}", fault.code, fault.message)
        }
    }
}

#[test]
fn knows_what_is_what() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, "request 7 ping"),
        (r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#, "request 9223372036854775808 ping"),
        ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}", "request 7 ping"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}"#, "request 7 tools/call"),
        (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification"),
        (r#"{"jsonrpc":"2.0","method":"notifications/no_such"}"#, "notification"),
        (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#, "cancelled 3"),
        (r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#, "nothing"),
        (r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":[1]}"#, "nothing"),
        (r#"{"jsonrpc":"2.0","id":777,"error":{"code":-1,"message":"x"}}"#, "response"),
        (r#"{"jsonrpc":"2.0","id":777,"result":{}}"#, "response"),
        (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#, "unanswerable tools/call"),
        ("", "nothing"),
        ("  \r", "nothing"),
    ];
    for (line, expected) in cases {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn names_each_fault_with_its_code_and_the_id_it_could_read() {
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":"a","method":"no/such"}"#,
            r#"-32601 ("a"): there is no method `no/such` here"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"completion/complete"}"#,
            "-32601 (7): there is no method `completion/complete` here",
        ),
        ("42", "-32600 (no id): a message is a JSON object"),
        ("[]", "-32600 (no id): batches are not supported"),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, "-32600 (no id): batches are not supported"),
        (r#"{"id":7,"method":"ping"}"#, r#"-32600 (7): `jsonrpc` must be "2.0""#),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, r#"-32600 (7): `jsonrpc` must be "2.0""#),
        (r#"{"jsonrpc":"2.0","id":7}"#, "-32600 (7): `method` must be a string"),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, "-32600 (7): `method` must be a string"),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            "-32600 (no id): `id` must be a string or a whole number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            "-32600 (no id): `id` must be a string or a whole number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            "-32600 (no id): `id` must be a string or a whole number",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}"#,
            "-32602 (7): `params` must be an object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#,
            "-32602 (7): these are not the parameters of `tools/call`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
            "-32602 (7): these are not the parameters of `tools/call`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#,
            "-32602 (7): these are not the parameters of `initialize`",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn finds_the_id_of_what_cannot_be_parsed() {
    let deep = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{}"#, "[".repeat(100_000));
    assert!(shown(&deep).starts_with("-32700 (7): not a JSON message: recursion limit"));
    assert!(
        shown_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"a\":\"\xff\"}")
            .starts_with("-32700 (7)")
    );
    assert!(shown("{\"jsonrpc\":\0}").starts_with("-32700 (no id)"));
}

#[test]
fn remembers_what_a_bad_call_wanted() {
    let line =
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"rename_symbol","arguments":3}}"#;
    let fault = open(line.as_bytes()).unwrap_err();
    assert_eq!(
        (fault.what.method.as_deref(), fault.what.tool.as_deref()),
        (Some("tools/call"), Some("rename_symbol"))
    );
}

proptest! {
    #[test]
    fn never_panics_on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = open(&bytes);
    }

    #[test]
    fn never_panics_on_almost_messages(
        id in "(7|null|\"a\"|1.5|\\{\\}|18446744073709551616)",
        method in "(\"ping\"|\"tools/call\"|\"initialize\"|5|null)",
        params in "(\\{\\}|\\[\\]|1|null|\\{\"name\":1\\}|\\{\"_meta\":3\\}|\\{\"_meta\":\\{\"progressToken\":\\{\\}\\}\\})",
    ) {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#);
        let _ = open(line.as_bytes());
    }
}

#[test]
fn frequent_requests_are_read_as_the_library_reads_them() {
    let by_library = |value: Value| match serde_json::from_value::<ClientJsonRpcMessage>(value) {
        Ok(JsonRpcMessage::Request(parsed)) => match parsed.request {
            ClientRequest::CustomRequest(_) => None,
            request => Some(request),
        },
        _ => None,
    };
    let meta =
        json!({"progressToken": "t", "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"}});
    let mut read = 0;
    for method in ["ping", "tools/list", "tools/call"] {
        for params in [
            json!(null),
            json!({}),
            json!({"_meta": meta}),
            json!({"_meta": 1}),
            json!({"cursor": "x"}),
            json!({"name": "a"}),
            json!({"name": "a", "arguments": {"b": [1, 2.5, null]}}),
            json!({"name": "a", "arguments": {"b": 1}, "_meta": meta}),
            json!({"name": "a", "arguments": null, "extra": true}),
            json!({"name": 1, "arguments": {}}),
            json!({"name": "a", "arguments": []}),
        ] {
            let mut value = json!({"jsonrpc": "2.0", "id": 0, "method": method});
            if !params.is_null() {
                value["params"] = params;
            }
            let what = What { method: Some(method.into()), tool: None };
            let ours = frequent(value.clone(), &what).unwrap();
            let theirs = by_library(value.clone());
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{value}");
            read += usize::from(ours.is_some());
        }
    }
    assert!(read > 15, "{read}");
    let strange = json!({"jsonrpc": "2.0", "id": 0, "method": "ping", "result": {}});
    assert!(frequent(strange, &What { method: Some("ping".into()), tool: None }).is_err());
}
