//! The fake language server, from outside: in memory by a small client, and as a program by its pipes.
#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod client;
mod conversation;
mod documents;
mod knowledge;
mod modes;
mod program;

use std::path::Path;

use bowline_testkit::file_uri;
use serde_json::{Value, json};

/// What a client says that can do everything the fake asks about.
fn initialize_params(root: &Path) -> Value {
    json!({
        "processId": null,
        "rootUri": null,
        "workspaceFolders": [{ "uri": file_uri(root), "name": "root" }],
        "capabilities": {
            "general": { "positionEncodings": ["utf-32", "utf-8", "utf-16"] },
            "window": { "workDoneProgress": true },
            "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
            "textDocument": { "diagnostic": { "dynamicRegistration": true } },
        },
    })
}

fn did_open(path: &Path, text: &str) -> Value {
    json!({ "textDocument": { "uri": file_uri(path), "languageId": "fake", "version": 1, "text": text } })
}

fn at(path: &Path, line: u32, character: u32) -> Value {
    json!({
        "textDocument": { "uri": file_uri(path) },
        "position": { "line": line, "character": character },
    })
}

/// A request if it has an id, and a notification otherwise.
fn message(id: Option<i64>, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    message["params"] = params;
    if let Some(id) = id {
        message["id"] = json!(id);
    }
    message
}

/// One message in its frame.
fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Takes the first frame off the bytes, if they begin with a whole one.
fn unframe(bytes: &mut Vec<u8>) -> Option<Value> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let length: usize = head.strip_prefix("Content-Length: ").unwrap().parse().unwrap();
    let body = bytes.get(end + 4..end + 4 + length)?;
    let message = serde_json::from_slice(body).unwrap();
    bytes.drain(..end + 4 + length);
    Some(message)
}

/// `line:start-end` of a range of the protocol's.
fn span(range: &Value) -> String {
    let (start, end) = (&range["start"], &range["end"]);
    let end_line = if start["line"] == end["line"] { String::new() } else { format!("{}:", end["line"]) };
    format!("{}:{}-{end_line}{}", start["line"], start["character"], end["character"])
}
