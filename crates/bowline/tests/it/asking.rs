//! Being asked over real pipes, in both eras: a file changes after a clear yes to this very call, and otherwise not.

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::project;
use crate::serve::Server;

const OLD: &str = "x = 1\n";

fn fixture(config: &str) -> Fixture {
    Fixture::new(&format!(
        "//- /config/bowline/bowline.toml\n{config}\n//- /project/a.py\n{OLD}//- /project/b.py\n{OLD}"
    ))
}

fn text(fixture: &Fixture, file: &str) -> String {
    bowline_std::fs::read_text(&project(fixture).join(file), 1000).unwrap().0
}

/// A call that makes a 2 of the 1 in a file.
fn edit(id: u64, file: &str) -> Value {
    let arguments = json!({"file_path": file, "old_text": "1", "new_text": "2"});
    let params = json!({"name": "apply_edit", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// The same in the newer era, by a client that shows forms.
fn modern(mut request: Value) -> Value {
    request["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    });
    request
}

fn answering(request: Value, state: &Value, said: &Value) -> Value {
    let mut request = modern(request);
    request["params"]["requestState"] = state.clone();
    request["params"]["inputResponses"] = json!({ "answer": said });
    request
}

fn accept(word: &str) -> Value {
    json!({"action": "accept", "content": {"answer": word}})
}

fn older(fixture: &Fixture) -> Server {
    Server::initialized_as(fixture, &[], &json!({"elicitation": {}}))
}

/// The next message that this is true of.
fn next(server: &mut Server, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = server.receive();
        if is_it(&message) {
            return message;
        }
    }
}

fn question(server: &mut Server) -> Value {
    next(server, |message| message["method"] == "elicitation/create")
}

fn reply(server: &mut Server, id: u64) -> Value {
    next(server, |message| message["id"] == id && message.get("method").is_none())
}

fn answer(server: &mut Server, question: &Value, said: &Value) {
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}));
}

fn said(reply: &Value) -> String {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Ends the server, and tells of each call what the gate said, what was answered, and how it ended.
fn recorded(mut server: Server, fixture: &Fixture) -> Vec<String> {
    drop(server.stdin.take());
    // What it may still have said is of no interest here.
    while !server.receive_line().is_empty() {}
    assert_eq!(server.ended(), Some(0));
    let trail = bowline_std::fs::read_text(&fixture.path("state/bowline/audit.jsonl"), 1 << 20).unwrap().0;
    let records = trail.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    records
        .filter(|record| record["event"] == "call" || record["event"] == "malformed")
        .map(|record| {
            format!(
                "{} {} {} {}",
                word(&record["event"]),
                word(&record["verdict"]),
                word(&record["answer"]),
                record["success"]
            )
        })
        .collect()
}

#[test]
fn within_the_call_only_a_yes_writes() {
    let noes =
        [accept("no"), json!({"action": "decline"}), json!({"action": "cancel"}), json!({"rubbish": 1})];
    for (said_to_it, writes) in noes.iter().map(|no| (no.clone(), false)).chain([(accept("once"), true)]) {
        let fixture = fixture("");
        let mut server = older(&fixture);
        server.send(&edit(2, "a.py"));
        let asked = question(&mut server);
        let message = fixture.relative(asked["params"]["message"].as_str().unwrap());
        assert!(
            message.starts_with("`apply_edit` would change files\nwith:\n  file_path: \"a.py\"\n"),
            "{message}"
        );
        assert!(message.contains("touching:\n  /project/a.py\nasked by user default: "), "{message}");
        assert_eq!(text(&fixture, "a.py"), OLD);
        answer(&mut server, &asked, &said_to_it);
        let replied = said(&reply(&mut server, 2));
        assert_eq!(text(&fixture, "a.py"), if writes { "x = 2\n" } else { OLD }, "{said_to_it}: {replied}");
        assert_eq!(replied.contains("TOOL_POLICY_DENIED"), !writes, "{replied}");
        let expected = if writes { "call ask once true" } else { "call ask no false" };
        assert_eq!(recorded(server, &fixture), [expected]);
    }
}

#[test]
fn silence_writes_nothing_and_takes_the_question_back() {
    let fixture = fixture("[calls]\nask_timeout_ms = 50\n");
    let mut server = older(&fixture);
    server.send(&edit(2, "a.py"));
    let asked = question(&mut server);
    let mut seen = [false, false];
    while seen != [true, true] {
        let message = server.receive();
        if message["method"] == "notifications/cancelled" {
            assert_eq!(message["params"]["requestId"], asked["id"]);
            seen[0] = true;
        } else if message["id"] == 2 {
            assert!(said(&message).contains("nobody answered within 0.05 s"), "{message}");
            assert!(said(&message).contains("TOOL_CONFIRMATION_REQUIRED"), "{message}");
            seen[1] = true;
        }
    }
    assert_eq!(text(&fixture, "a.py"), OLD);
    assert_eq!(recorded(server, &fixture), ["call ask nobody false"]);
}

#[test]
fn another_writes_while_one_is_asked() {
    let fixture = fixture("");
    let mut server = older(&fixture);
    server.send(&edit(2, "a.py"));
    let first = question(&mut server);
    server.send(&edit(3, "b.py"));
    let second = question(&mut server);
    answer(&mut server, &second, &accept("once"));
    reply(&mut server, 3);
    assert_eq!((text(&fixture, "a.py").as_str(), text(&fixture, "b.py").as_str()), (OLD, "x = 2\n"));
    answer(&mut server, &first, &accept("once"));
    reply(&mut server, 2);
    assert_eq!(text(&fixture, "a.py"), "x = 2\n");
    assert_eq!(recorded(server, &fixture), ["call ask once true", "call ask once true"]);
}

#[test]
fn a_client_that_leaves_while_it_is_asked_writes_nothing() {
    let fixture = fixture("");
    let mut server = older(&fixture);
    server.send(&edit(2, "a.py"));
    question(&mut server);
    assert_eq!(recorded(server, &fixture), ["call ask nobody false"]);
    assert_eq!(text(&fixture, "a.py"), OLD);
}

#[test]
fn with_the_reply_only_a_yes_to_this_very_call_writes() {
    let fixture = fixture("");
    let mut server = Server::start(&fixture);
    let asked = |server: &mut Server, id: u64| {
        server.send(&modern(edit(id, "a.py")));
        let reply = reply(server, id);
        assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
        let form = &reply["result"]["inputRequests"]["answer"]["params"];
        assert!(form["message"].as_str().unwrap().contains("new_text: \"2\""), "{form}");
        reply["result"]["requestState"].clone()
    };
    let state = asked(&mut server, 1);
    // For another file.
    server.send(&answering(edit(2, "b.py"), &state, &accept("once")));
    assert_eq!(reply(&mut server, 2)["error"]["code"], -32602);
    // With a seal of its own.
    let mut forged = state.as_str().unwrap().to_owned();
    forged.replace_range(forged.len() - 4.., "0000");
    server.send(&answering(edit(3, "a.py"), &json!(forged), &accept("once")));
    assert_eq!(reply(&mut server, 3)["error"]["code"], -32602);
    // A no.
    server.send(&answering(edit(4, "a.py"), &state, &json!({"action": "decline"})));
    assert!(said(&reply(&mut server, 4)).contains("TOOL_POLICY_DENIED"));
    // And the same once more, as a yes.
    server.send(&answering(edit(5, "a.py"), &state, &accept("once")));
    assert!(reply(&mut server, 5)["error"]["message"].as_str().unwrap().contains("it was taken already"));
    assert_eq!((text(&fixture, "a.py").as_str(), text(&fixture, "b.py").as_str()), (OLD, OLD));
    // A yes to a question that was put.
    let state = asked(&mut server, 6);
    server.send(&answering(edit(7, "a.py"), &state, &accept("once")));
    assert_eq!(reply(&mut server, 7)["result"]["resultType"], "complete");
    assert_eq!(text(&fixture, "a.py"), "x = 2\n");
    let expected = [
        "call ask later false",
        "malformed - - false",
        "malformed - - false",
        "call ask no false",
        "malformed - - false",
        "call ask later false",
        "call ask once true",
    ];
    assert_eq!(recorded(server, &fixture), expected);
}

/// Makes the call, answers with this word where it is asked, and says whether it was.
fn edit_and_say(server: &mut Server, id: u64, file: &str, word: &str) -> bool {
    server.send(&edit(id, file));
    let message = next(server, |message| message["id"] == id || message["method"] == "elicitation/create");
    if message["method"] != "elicitation/create" {
        return false;
    }
    answer(server, &message, &accept(word));
    reply(server, id);
    true
}

#[test]
fn a_yes_for_the_conversation_holds_in_it_and_no_longer() {
    let fixture = fixture("");
    let mut server = older(&fixture);
    assert!(edit_and_say(&mut server, 2, "a.py", "conversation"));
    assert_eq!(text(&fixture, "a.py"), "x = 2\n");
    assert!(!edit_and_say(&mut server, 3, "a.py", "no"), "nobody is asked about it again");
    assert!(edit_and_say(&mut server, 4, "b.py", "no"), "it is the file that was allowed");
    assert_eq!(text(&fixture, "b.py"), "x = 1\n");
    drop(server);
    let mut server = older(&fixture);
    assert!(edit_and_say(&mut server, 2, "a.py", "no"));
}

#[test]
fn a_yes_for_ever_holds_until_the_tool_is_another() {
    let fixture = fixture("# mine");
    let file = fixture.path("config/bowline/bowline.toml");
    let mut server = older(&fixture);
    assert!(edit_and_say(&mut server, 2, "a.py", "always"));
    drop(server);
    let written = bowline_std::fs::read_text(&file, 10_000).unwrap().0;
    assert!(written.starts_with("# mine\n") && written.contains("[[remembered]]"), "{written}");
    let mut server = older(&fixture);
    assert!(!edit_and_say(&mut server, 2, "a.py", "no"), "nobody is asked about it again");
    assert!(edit_and_say(&mut server, 3, "b.py", "no"));
    assert_eq!(text(&fixture, "b.py"), "x = 1\n");
    drop(server);
    let other = written.replace("definition = \"blake3:", "definition = \"blake3:0");
    assert_ne!(other, written);
    bowline_std::fs::replace_private(&file, other.as_bytes()).unwrap();
    let mut server = older(&fixture);
    assert!(edit_and_say(&mut server, 2, "a.py", "no"), "it was another tool that was allowed");
}
