//! What is written: through the gate, whole after any end, remembered, and taken back.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bowline_code::uri;
use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::serve::Server;
use crate::{project, run};

const FILES: usize = 20;

/// A project of many files, and a person who lets drafts be committed.
fn many() -> Fixture {
    let mut text = String::from(
        "//- /config/bowline/bowline.toml\n[rules]\nallow = [\"commit_session\", \"undo_write\"]\n",
    );
    for number in 0..FILES {
        text.push_str(&format!("//- /project/notes/{number:02}.txt\nold {number}\n"));
    }
    Fixture::new(&text)
}

fn file(fixture: &Fixture, number: usize) -> PathBuf {
    project(fixture).join(format!("notes/{number:02}.txt"))
}

fn text(fixture: &Fixture, number: usize) -> String {
    bowline_std::fs::read_text(&file(fixture, number), 1000).map(|(text, _)| text).unwrap_or_default()
}

fn call(server: &mut Server, id: u64, tool: &str, arguments: &Value) -> Value {
    let answer = server.ask(id, "tools/call", &json!({"name": tool, "arguments": arguments}));
    let text = answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// A draft that changes every file.
fn drafted(fixture: &Fixture) -> (Server, Value) {
    let mut server = Server::initialized(fixture);
    let arguments = json!({"workspace_root": project(fixture), "language": "python"});
    let session = call(&mut server, 2, "create_simulation_session", &arguments)["session_id"].clone();
    let at = |character: u32| json!({"line": 0, "character": character});
    let edit = json!([{"range": {"start": at(0), "end": at(3)}, "newText": "new"}]);
    let changes: serde_json::Map<String, Value> =
        (0..FILES).map(|number| (uri::of(&file(fixture, number)), edit.clone())).collect();
    let edit = json!({"session_id": session, "workspace_edit": {"changes": changes}});
    assert_eq!(call(&mut server, 3, "simulate_edit", &edit)["edit_applied"], true);
    (server, session)
}

/// The moments at which bowline is ended: when the journal is there, when so many files are new.
#[derive(Debug, Clone, Copy)]
enum Moment {
    Journal,
    New(usize),
}

fn has_come(fixture: &Fixture, moment: Moment) -> bool {
    match moment {
        Moment::Journal => {
            let journal = fixture.path("state/bowline/writes/journal");
            journal.read_dir().is_ok_and(|mut files| files.next().is_some())
        }
        Moment::New(number) => text(fixture, number).starts_with("new"),
    }
}

#[test]
fn killed_while_it_writes_all_files_are_old_or_all_are_new() {
    let mut unfinished = 0;
    let moments = [0, 0, 3, 7, 12, 17, 19].map(Moment::New);
    for moment in [Moment::Journal; 4].into_iter().chain(moments) {
        let fixture = many();
        let (mut server, session) = drafted(&fixture);
        let commit = json!({"name": "commit_session", "arguments": {"session_id": session, "apply": true}});
        server.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": commit}));
        let deadline = Instant::now() + Duration::from_secs(20);
        while !has_come(&fixture, moment) {
            assert!(Instant::now() < deadline, "{moment:?} never came");
            std::hint::spin_loop();
        }
        server.child.kill().unwrap();
        server.child.wait().unwrap();

        let (code, listed, said) = run(&fixture, &["undo", "--list"]);
        assert_eq!(code, 0, "{said}");
        let all: Vec<bool> = (0..FILES).map(|number| text(&fixture, number).starts_with("new")).collect();
        assert!(all.iter().all(|new| *new == all[0]), "{moment:?}: {all:?}");
        assert_eq!(
            listed.contains("commit_session"),
            all[0],
            "a receipt for what was written, and for nothing else"
        );
        unfinished += usize::from(said.contains("was cut off"));
        let litter = project(&fixture).join("notes").read_dir().unwrap().count();
        assert_eq!(litter, FILES, "{moment:?}: something is left over");
        // Before the first byte changed, it was on record that it would.
        let trail =
            bowline_std::fs::read_text(&fixture.path("state/bowline/audit.jsonl"), 1 << 20).unwrap().0;
        let recorded = trail.lines().any(|line| line.contains("\"intent\"") && line.contains("notes/19.txt"));
        assert!(recorded, "{moment:?}: {trail}");
    }
    assert!(unfinished > 0, "no moment fell into a write");
}

#[test]
fn a_write_is_listed_and_taken_back() {
    let fixture = many();
    let (mut server, session) = drafted(&fixture);
    let written = call(&mut server, 4, "commit_session", &json!({"session_id": session, "apply": true}));
    assert_eq!(written["files_written"], FILES);
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));

    let (code, listed, _) = run(&fixture, &["undo", "--list", "--diff"]);
    assert_eq!(code, 0);
    assert!(listed.contains("changed  notes/07.txt") && listed.contains("+new 7"), "{listed}");
    let (code, _, said) = run(&fixture, &["undo", "nothing-like-it"]);
    assert_eq!(
        (code, said.as_str()),
        (2, "bowline: there is no receipt `nothing-like-it`; `--list` shows them\n")
    );
    let (code, _, said) = run(&fixture, &["undo"]);
    assert_eq!(code, 0, "{said}");
    assert!((0..FILES).all(|number| text(&fixture, number) == format!("old {number}\n")));
    let (code, _, said) = run(&fixture, &["undo"]);
    assert_eq!((code, said.as_str()), (1, "nothing was written here that could be taken back\n"));

    let receipt = written["receipt"].as_str().unwrap();
    let (code, _, said) = run(&fixture, &["undo", receipt]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("taken back already"), "{said}");
}

#[test]
fn without_a_rule_or_a_person_nothing_is_written() {
    let fixture = Fixture::new("//- /project/a.py\nx = 1\n");
    let edit = ["call", "safe_apply_edit", "--file-path", "a.py", "--old-text", "1", "--new-text", "2"];
    let (code, _, said) = run(&fixture, &edit);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("would change files and needs a person's consent"), "{said}");
}

#[test]
fn a_signal_while_it_writes_lets_it_end() {
    let fixture = many();
    let (mut server, session) = drafted(&fixture);
    let commit = json!({"name": "commit_session", "arguments": {"session_id": session, "apply": true}});
    server.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": commit}));
    while !has_come(&fixture, Moment::Journal) {
        std::hint::spin_loop();
    }
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let status = server.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!((0..FILES).all(|number| text(&fixture, number) == format!("new {number}\n")));
    let (_, _, said) = run(&fixture, &["undo", "--list"]);
    assert_eq!(said, "", "nothing was left to be brought to its end");
}
