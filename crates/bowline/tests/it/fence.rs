//! `allowed-tools` as a fence, from the file that a person writes to the trail.

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::serve::Server;
use crate::{bowline, run};

/// A person who wants fences, and has a skill that lists three tools.
fn house() -> Fixture {
    let mut fixture = crate::fixture();
    let root = fixture.path("mine");
    let settings = format!("[skills]\nallowed_tools = \"fence\"\nroots = [\"{}\"]\n", root.display());
    fixture.write("config/bowline/bowline.toml", &settings);
    fixture.write(
        "mine/look-around/SKILL.md",
        "---\nname: look-around\ndescription: Looks at symbols and changes nothing.\n\
         allowed-tools: find_symbol mcp__bowline__list_symbols Read\n---\nLook.\n",
    );
    fixture
}

fn call(server: &mut Server, id: u64, tool: &str, arguments: &Value) -> Value {
    server.ask(id, "tools/call", &json!({"name": tool, "arguments": arguments}))["result"].clone()
}

fn tools(server: &mut Server, id: u64) -> Vec<String> {
    let answer = server.ask(id, "tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

const OUTSIDE: &str = "find_references";

fn outside() -> Value {
    json!({"file_path": "src/lib.rs", "line": 1, "column": 8})
}

#[test]
fn a_loaded_skill_fences_its_conversation_and_no_other() {
    let fixture = house();
    let mut server = Server::initialized(&fixture);
    let all = tools(&mut server, 2).len();
    assert_ne!(call(&mut server, 3, OUTSIDE, &outside())["isError"], true);
    // A prompt is text: it fences nothing.
    server.ask(4, "prompts/get", &json!({"name": "look-around"}));
    assert_ne!(call(&mut server, 5, OUTSIDE, &outside())["isError"], true);
    assert_eq!(tools(&mut server, 6).len(), all);

    let load = json!({"name": "skills_load", "arguments": {"name": "look-around"}});
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": load}));
    assert_eq!(server.receive()["method"], "notifications/tools/list_changed");
    let loaded = server.receive();
    assert!(text(&loaded["result"]).contains("ALLOWED_TOOLS_ENFORCED"), "{loaded}");

    let left = [
        "deactivate_skill",
        "find_symbol",
        "finish_task",
        "get_skill_phase",
        "list_symbols",
        "skills_list",
        "skills_load",
        "skills_read_file",
        "update_plan",
    ];
    assert_eq!(tools(&mut server, 8), left);
    assert_ne!(call(&mut server, 9, "find_symbol", &json!({"query": "greet"}))["isError"], true);
    let refused = call(&mut server, 10, OUTSIDE, &outside());
    assert_eq!(refused["isError"], true);
    assert!(text(&refused).contains("\"error\":\"TOOL_NOT_ALLOWED\""), "{refused}");

    // Beside it, another conversation in another process.
    let mut other = Server::initialized(&fixture);
    assert_eq!(tools(&mut other, 2).len(), all);
    assert_ne!(call(&mut other, 3, OUTSIDE, &outside())["isError"], true);
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));
    drop(other.stdin.take());
    assert_eq!(other.ended(), Some(0));
    on_the_record(&fixture);
}

fn on_the_record(fixture: &Fixture) {
    let records = |arguments: &[&str]| -> Vec<Value> {
        let (_, stdout, _) = run(fixture, &[&["audit", "show", "--json"], arguments].concat());
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let changed = records(&["--event", "skills_allowed_tools_policy_changed"]);
    let [changed] = changed.as_slice() else { panic!("one change: {changed:?}") };
    assert_eq!((&changed["skill"], &changed["tool"]), (&json!("look-around"), &json!("skills_load")));
    let policy = json!({
        "mode": "fence",
        "enforced": true,
        "skill_name": "look-around",
        "allow_set_count": changed["skills_allowed_tools"]["allow_set_count"],
    });
    assert_eq!(changed["skills_allowed_tools"], policy);
    assert!(policy["allow_set_count"].as_u64().is_some_and(|count| count >= 2), "{policy}");

    let blocked = records(&["--event", "tool_call_blocked"]);
    let [blocked] = blocked.as_slice() else { panic!("one is blocked: {blocked:?}") };
    assert_eq!((&blocked["tool"], &blocked["success"]), (&json!(OUTSIDE), &json!(false)));
    assert_eq!(blocked["skills_allowed_tools"], policy);
    assert_eq!(blocked["conversation"], changed["conversation"]);

    // Calls before the fence, and those of the other conversation, say nothing of it.
    let calls = records(&["--event", "call"]);
    let fenced: Vec<_> = calls
        .iter()
        .filter(|record| record.get("skills_allowed_tools").is_some())
        .map(|record| record["tool"].as_str().unwrap())
        .collect();
    assert_eq!(fenced, ["skills_load", "find_symbol", OUTSIDE]);
    assert!(calls.iter().filter(|record| record["tool"] == OUTSIDE).count() == 4);
}

#[test]
fn where_nobody_wants_fences_a_list_of_tools_fences_nothing() {
    let mut fixture = house();
    let settings = format!("[skills]\nroots = [\"{}\"]\n", fixture.path("mine").display());
    fixture.write("config/bowline/bowline.toml", &settings);
    let mut server = Server::initialized(&fixture);
    let all = tools(&mut server, 2).len();
    call(&mut server, 3, "skills_load", &json!({"name": "look-around"}));
    assert_eq!(tools(&mut server, 4).len(), all);
    assert_ne!(call(&mut server, 5, OUTSIDE, &outside())["isError"], true);
}

#[test]
fn a_call_by_hand_is_a_conversation_of_its_own() {
    let fixture = house();
    let load = bowline(&fixture).args(["call", "skills_load", "--name", "look-around"]).output().unwrap();
    assert!(load.status.success(), "{load:?}");
    let (code, _, stderr) = run(&fixture, &["call", OUTSIDE, "--json", &outside().to_string()]);
    assert_eq!(code, 0, "{stderr}");
}
