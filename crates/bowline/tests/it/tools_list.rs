//! The public face: what every client sees first, and every model pays for.

use serde_json::{Value, json};

use crate::serve::Server;
use crate::{fixture, run};

/// Committed, so that the face changes only in a visible difference. `UPDATE_SNAPSHOT=1` writes it anew.
const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tools_list.json");

/// On average, of one tool in the list: half of what the same list costs elsewhere.
const MOST_BYTES: usize = 470;

fn listed() -> Vec<Value> {
    let (code, stdout, stderr) = run(&fixture(), &["tools", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

#[test]
fn is_what_was_committed() {
    let now = format!("{:#}\n", Value::Array(listed()));
    if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
        std::fs::write(SNAPSHOT, &now).unwrap();
    }
    let committed = std::fs::read_to_string(SNAPSHOT).unwrap();
    assert!(committed == now, "the list has changed; look at it with UPDATE_SNAPSHOT=1 and `git diff`");
}

#[test]
fn is_cheap() {
    let tools = listed();
    let bytes = serde_json::to_string(&tools).unwrap().len();
    assert!(bytes <= MOST_BYTES * tools.len(), "{} bytes a tool", bytes / tools.len());
}

#[test]
fn every_tool_says_whether_it_only_reads() {
    for tool in listed() {
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
    }
}

#[test]
fn is_served_as_the_tools_say_it() {
    let mut server = Server::initialized(&fixture());
    let answer = server.ask(2, "tools/list", &json!({}));
    // Compared as text: not a byte may differ.
    let served = answer["result"]["tools"].to_string();
    let told = Value::Array(listed()).to_string();
    assert!(served == told, "the prebuilt list is not what the tools say");
}
