//! A conversation that has a name: whoever names it takes part in it, in whatever process, and nothing that happened is lost.

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_gate::Snapshot;
use bowline_store::{ConversationStore, RowFound};
use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::serve::Server;
use crate::{project, run};

const EDIT: [&str; 8] = [
    "replace_in_files",
    "--pattern",
    "old",
    "--replacement",
    "new",
    "--path",
    "notes.txt",
    "--dry-run=false",
];

/// A skill that wants to have looked before anything is written, and a person who lets things be written.
fn house() -> Fixture {
    Fixture::new(
        "//- /config/bowline/bowline.toml
[rules]
allow = [\"replace_in_files\"]
//- /project/notes.txt
old
//- /project/src/lib.rs
pub fn greet() {}
//- /project/.bowline/skills/careful/SKILL.md
---
name: careful
description: Looks first.
metadata:
  phases: phases.yaml
---
text
//- /project/.bowline/skills/careful/phases.yaml
phases:
  look:
    allowed: [find_symbol]
    forbidden: [\"@write\"]
    complete_when: [find_symbol]
    skippable: false
  do:
    allowed: [replace_in_files]
",
    )
}

fn call(fixture: &Fixture, conversation: Option<&str>, arguments: &[&str]) -> (i32, String) {
    let mut words = vec!["call"];
    words.extend(conversation.into_iter().flat_map(|name| ["--conversation", name]));
    words.extend(arguments);
    let (code, _, stderr) = run(fixture, &words);
    (code, stderr)
}

fn activate(fixture: &Fixture, conversation: Option<&str>) -> (i32, String) {
    call(fixture, conversation, &["activate_skill", "--skill-name", "careful", "--mode", "block"])
}

fn notes(fixture: &Fixture) -> String {
    bowline_std::fs::read_text(&project(fixture).join("notes.txt"), 100).unwrap().0
}

fn database(fixture: &Fixture) -> PathBuf {
    fixture.path("state/bowline/ledger.db")
}

/// How many calls are remembered: as the state says, which is whole, and as the log has them.
fn remembered(fixture: &Fixture, conversation: &str) -> (i64, usize) {
    let store = ConversationStore::open(&database(fixture), SystemTime::now()).unwrap();
    let calls = match store.read(conversation, None, 1).unwrap() {
        RowFound::Other(row) => {
            Snapshot::parse(&row.state).unwrap();
            row.mark.calls
        }
        _ => 0,
    };
    (calls, store.logged(conversation).unwrap())
}

#[test]
fn a_phase_holds_in_the_next_process_of_the_same_conversation_and_in_no_other() {
    let fixture = house();
    let (code, said) = activate(&fixture, Some("x"));
    assert_eq!((code, said.contains("this lasts for one call")), (0, false), "{said}");
    let (code, said) = call(&fixture, Some("x"), &EDIT);
    assert!(code == 3 && said.contains("Phase violation"), "{code}: {said}");
    assert_eq!(notes(&fixture), "old\n");
    let (code, said) = activate(&fixture, Some("x"));
    assert!(code != 0 && said.contains("skill \"careful\" is already active"), "{said}");

    assert_eq!(call(&fixture, Some("x"), &["find_symbol", "--query", "greet"]).0, 0);
    let (code, said) = call(&fixture, Some("x"), &EDIT);
    assert_eq!((code, notes(&fixture).as_str()), (0, "new\n"), "{said}");
    assert_eq!(remembered(&fixture, "x"), (5, 5));
    assert_eq!(remembered(&fixture, "y"), (0, 0));
}

#[test]
fn without_a_name_nothing_is_kept_and_nothing_holds() {
    let fixture = house();
    let (code, said) = activate(&fixture, None);
    assert!(code == 0 && said.contains("this lasts for one call: without `--conversation ID`"), "{said}");
    assert_eq!(call(&fixture, None, &EDIT).0, 0);
    assert_eq!(notes(&fixture), "new\n");
    let mut server = Server::initialized(&fixture);
    server.ask(2, "tools/call", &json!({"name": "find_symbol", "arguments": {"query": "greet"}}));
    assert!(!database(&fixture).exists());
}

#[test]
fn a_server_and_a_command_take_part_in_one_conversation_at_once() {
    let fixture = house();
    let mut server = Server::initialized_with(&fixture, &["--conversation", "x"]);
    let mut id = 1;
    let mut ask = |tool: &str, arguments: Value| {
        id += 1;
        let answer = server.ask(id, "tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(ask("get_skill_phase", json!({})).contains("\"active\":false"));
    assert_eq!(activate(&fixture, Some("x")).0, 0);
    assert!(ask("get_skill_phase", json!({})).contains("\"current_phase\":\"look\""));
    let edit = json!({"pattern": "old", "replacement": "new", "path": "notes.txt", "dry_run": false});
    assert!(ask("replace_in_files", edit).contains("phase_violation"));
    // What one has completed is open to the other.
    ask("find_symbol", json!({"query": "greet"}));
    assert_eq!(call(&fixture, Some("x"), &EDIT).0, 0);
    assert_eq!(notes(&fixture), "new\n");
    assert_eq!(call(&fixture, Some("x"), &["deactivate_skill"]).0, 0);
    assert!(ask("get_skill_phase", json!({})).contains("\"active\":false"));
}

#[test]
fn of_many_processes_at_once_every_call_counts() {
    const PROCESSES: usize = 4;
    const CALLS: usize = 6;
    let fixture = house();
    std::thread::scope(|scope| {
        for _ in 0..PROCESSES {
            scope.spawn(|| {
                for _ in 0..CALLS {
                    let (code, said) = call(&fixture, Some("x"), &["get_skill_phase"]);
                    assert_eq!(code, 0, "{said}");
                }
            });
        }
    });
    assert_eq!(remembered(&fixture, "x"), (24, PROCESSES * CALLS));
}

/// Nobody can choose the instant, so there are several of them.
#[test]
fn a_process_that_is_killed_takes_nothing_along_that_it_has_answered() {
    let fixture = house();
    let mut answered = 0;
    for round in 0..8 {
        let mut server = Server::initialized_with(&fixture, &["--conversation", "x"]);
        for id in 0..30 {
            let call = json!({"name": "get_skill_phase", "arguments": {}});
            server.send(&json!({"jsonrpc": "2.0", "id": 100 + id, "method": "tools/call", "params": call}));
        }
        for _ in 0..=round {
            server.receive();
            answered += 1;
        }
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        let (calls, logged) = remembered(&fixture, "x");
        let calls = usize::try_from(calls).unwrap();
        assert_eq!(calls, logged, "{round}");
        assert!((answered..=(round + 1) * 30).contains(&calls), "{round}: {calls} of {answered}");
        answered = calls;
    }
    assert_eq!(call(&fixture, Some("x"), &["get_skill_phase"]).0, 0);
}

/// What is damaged may have said that something is forbidden.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test damages a file on purpose")]
fn a_damaged_ledger_refuses_until_a_person_has_decided() {
    let fixture = house();
    activate(&fixture, Some("x"));
    std::fs::write(database(&fixture), "not a database at all").unwrap();
    for conversation in ["x", "y"] {
        let (code, said) = call(&fixture, Some(conversation), &EDIT);
        assert!(code == 3 && said.contains("Refused by ledger"), "{code}: {said}");
        for part in ["ledger.db` is damaged", "whoever moves it away", "ask the person you work for"] {
            assert!(said.contains(part), "{said}");
        }
    }
    assert_eq!(notes(&fixture), "old\n");
    assert_eq!(std::fs::read(database(&fixture)).unwrap(), b"not a database at all");
    // A server that met it goes on when it is mended.
    let mut server = Server::initialized_with(&fixture, &["--conversation", "x"]);
    let look = json!({"name": "find_symbol", "arguments": {"query": "greet"}});
    let refused = server.ask(2, "tools/call", &look);
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    std::fs::remove_file(database(&fixture)).unwrap();
    let answer = server.ask(3, "tools/call", &look);
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}
