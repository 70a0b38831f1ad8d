//! Each fault of the program: started, and seen to go wrong as intended.
#![expect(
    clippy::disallowed_methods,
    reason = "signals are sent as people send them, and small files are read"
)]

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use bowline_testkit::{Fault, Fixture, Kind, Received, Script, fake_ls};
use serde_json::{Value, json};

use crate::program::Program;
use crate::{at, did_open, frame, initialize_params, message};

const A_WHILE: Duration = Duration::from_millis(300);

const TEXT: &str = "def greet(): pass\ngreet() # BUG\n";

fn fixture() -> Fixture {
    Fixture::new(&format!("//- /a.py\n{TEXT}"))
}

/// The program in this mode after a handshake that went well, and with one document open.
fn opened(fixture: &Fixture, arguments: &[&str]) -> Program {
    let mut program = Program::start(arguments);
    program.initialize(fixture.root());
    program.notify("textDocument/didOpen", did_open(&fixture.path("a.py"), TEXT));
    program
}

fn hover(fixture: &Fixture) -> Value {
    at(&fixture.path("a.py"), 0, 5)
}

#[test]
fn the_program_is_built_and_works() {
    let fixture = fixture();
    let (log, pid) = (fixture.path("log"), fixture.path("pid"));
    let script = Script { name: "builtin".to_owned(), ..Script::default() };
    let (program, script) = (fake_ls(), script.to_argument());
    assert_eq!(fake_ls(), program);
    let arguments =
        ["--stdio", "--script", &script, "--log", log.to_str().unwrap(), "--pid", pid.to_str().unwrap()];
    let mut program = Program::start_at(&program, &arguments);
    let answer = program.initialize(fixture.root());
    assert_eq!(answer["result"]["serverInfo"]["name"], "builtin");
    assert_eq!(std::fs::read_to_string(&pid).unwrap(), program.child.id().to_string());
    let answer = program.request("textDocument/hover", hover(&fixture));
    assert_eq!(answer["result"]["contents"]["value"], "`greet` defined at a.py:1");
    program.request("shutdown", Value::Null);
    program.notify("exit", Value::Null);
    assert_eq!(program.end(), (Some(0), String::new()));

    let log = std::fs::read_to_string(&log).unwrap();
    let log: Vec<Received> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let methods: Vec<&str> = log.iter().map(|received| received.method.as_str()).collect();
    assert_eq!(methods, ["initialize", "initialized", "textDocument/hover", "shutdown", "exit"]);
    assert_eq!((log[0].kind, log[0].id.clone()), (Kind::Request, Some(json!(1))));
    assert_eq!(log[0].params, initialize_params(fixture.root()));
}

#[test]
fn takes_a_script_from_a_file_and_refuses_what_it_does_not_know() {
    let mut fixture = fixture();
    fixture.write("script.json", r#"{ "version": "7", "faults": ["no-header"] }"#);
    let script = fixture.path("script.json");
    let mut program = Program::start(&["--script", script.to_str().unwrap()]);
    program.ask("initialize", json!({}));
    let line = program.text_with("}\n");
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["result"]["serverInfo"]["version"], "7");

    let (code, stderr) = Program::start(&["no-such-mode"]).end();
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("fake-ls: no such fault: `no-such-mode`\nusage: fake-ls"), "{stderr}");
}

#[test]
fn mute_silent_and_slow() {
    let fixture = fixture();
    let mut mute = Program::start(&["mute"]);
    mute.ask("initialize", initialize_params(fixture.root()));
    let mut silent = opened(&fixture, &["silent"]);
    silent.ask("textDocument/hover", hover(&fixture));
    assert!(mute.is_quiet(A_WHILE) && silent.is_quiet(A_WHILE));
    mute.stdin = None;
    assert_eq!(mute.end().0, Some(1));

    let started = Instant::now();
    let script = Script { initialize_delay_ms: 200, ..Script::faulty(Fault::SlowInitialize) };
    Program::start(&["--script", &script.to_argument()]).initialize(fixture.root());
    assert!(started.elapsed() >= Duration::from_millis(200));
}

#[test]
fn it_dies_when_told_to() {
    let fixture = fixture();
    let fatal = (Some(1), "fatal: cannot read project\n".to_owned());
    assert_eq!(opened(&fixture, &["die-on-open"]).end(), fatal);

    assert_eq!(opened(&fixture, &["die-once"]).end(), fatal);
    let mut second_life = opened(&fixture, &["die-once"]);
    assert!(second_life.request("textDocument/hover", hover(&fixture)).get("result").is_some());

    let mut after = opened(&fixture, &["die-after:2"]);
    for _ in 0..2 {
        assert!(after.request("textDocument/hover", hover(&fixture)).get("result").is_some());
    }
    assert_eq!(after.message(), None);
    assert_eq!(after.end().0, Some(1));

    let mut on = opened(&fixture, &["die-on:textDocument/hover"]);
    on.request("fake/nonsense", json!({}));
    on.ask("textDocument/hover", hover(&fixture));
    assert_eq!(on.message(), None);
    assert_eq!(on.end().0, Some(1));
}

#[test]
fn usage_is_printed_on_both_and_that_is_all() {
    let mut program = Program::start(&["usage"]);
    program.text_with("usage: fake-ls");
    let (code, stderr) = program.end();
    assert!(code == Some(2) && stderr.starts_with("usage: fake-ls"));
}

#[test]
fn floods() {
    let fixture = fixture();
    let mut stderr = Program::start(&["stderr-flood"]);
    stderr.initialize(fixture.root());
    stderr.notify("exit", Value::Null);
    assert_eq!(stderr.end().1.len(), 50 << 20);

    let mut log = Program::start(&["log-flood"]);
    log.initialize(fixture.root());
    let messages = std::iter::from_fn(|| log.message());
    assert!(messages.take(1000).all(|message| message["method"] == "window/logMessage"));

    let mut diagnostics = opened(&fixture, &["diagnostics-flood"]);
    let counts =
        [(); 2].map(|()| diagnostics.message().unwrap()["params"]["diagnostics"].as_array().map(Vec::len));
    assert_eq!(counts, [Some(1), Some(100_000)]);
}

#[test]
fn frames_go_wrong() {
    let fixture = fixture();
    let body = "\"method\":\"textDocument/publishDiagnostics\"";
    let length = |text: &str| -> usize {
        text.strip_prefix("Content-Length: ").unwrap().split("\r\n").next().unwrap().parse().unwrap()
    };
    let text = opened(&fixture, &["wrong-length"]).text_with("found a BUG\"}]}}");
    assert_eq!(text.split_once("\r\n\r\n").unwrap().1.len(), length(&text) + 2);

    let text = opened(&fixture, &["huge-length"]).text_with(body);
    assert_eq!(length(&text), 99_999_999_999);

    let mut half = opened(&fixture, &["half-frame"]);
    let text = half.text_with("\r\n\r\n{");
    assert!(text.split_once("\r\n\r\n").unwrap().1.len() < length(&text));
    half.bytes.clear();
    half.ask("textDocument/hover", hover(&fixture));
    assert!(half.is_quiet(A_WHILE));

    let mut bare = Program::start(&["no-header"]);
    bare.ask("initialize", initialize_params(fixture.root()));
    assert!(bare.text_with("}\n").starts_with(r#"{"jsonrpc":"2.0","id":1,"result":"#));

    let mut rubbish = Program::start(&["rubbish-first"]);
    rubbish.ask("initialize", initialize_params(fixture.root()));
    let text = rubbish.text_with("\r\n\r\n{");
    assert!(text.starts_with("Starting fake-ls") && text.contains("\r\nContent-Length: "), "{text}");

    let mut not_json = opened(&fixture, &["not-json"]);
    assert!(not_json.message().is_some());
    let bad = "Content-Length: 21\r\n\r\n{ this is: not JSON ]";
    assert_eq!(not_json.text_with(bad), bad);
    not_json.bytes.clear();
    assert!(not_json.request("textDocument/hover", hover(&fixture)).get("result").is_some());
}

#[test]
fn answers_go_astray() {
    let fixture = fixture();
    let mut wrong = Program::start(&["wrong-ids"]);
    wrong.initialize(fixture.root());
    let id = wrong.ask("textDocument/hover", hover(&fixture));
    assert_eq!(wrong.message().unwrap()["id"], id + 1_000_000);

    let mut double = Program::start(&["double-answers"]);
    double.initialize(fixture.root());
    assert!(double.message().unwrap()["result"]["serverInfo"].is_object());
    double.ask("textDocument/hover", hover(&fixture));
    assert_eq!(double.message(), double.message());

    let mut order = Program::start(&["out-of-order"]);
    order.initialize(fixture.root());
    // In one piece, so that a busy machine does not make two batches of the first four.
    let six: Vec<u8> =
        (2..8).flat_map(|id| frame(&message(Some(id), "textDocument/hover", hover(&fixture)))).collect();
    order.stdin.as_mut().unwrap().write_all(&six).unwrap();
    let ids: Vec<Value> = (0..6).map(|_| order.message().unwrap()["id"].clone()).collect();
    assert_eq!(ids, [5, 4, 3, 2, 7, 6]);

    let mut modified = Program::start(&["content-modified"]);
    modified.initialize(fixture.root());
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    assert_eq!(code(&modified.request("textDocument/hover", hover(&fixture))), Some(-32801));
    assert_eq!(code(&modified.request("textDocument/hover", hover(&fixture))), None);

    let mut cancelled = Program::start(&["--script", r#"{"pull":true}"#, "cancelled-pull"]);
    cancelled.initialize(fixture.root());
    let answer = cancelled.request("textDocument/diagnostic", hover(&fixture));
    assert_eq!((code(&answer), &answer["error"]["data"]["retriggerRequest"]), (Some(-32802), &json!(true)));
    assert_eq!(code(&cancelled.request("textDocument/diagnostic", hover(&fixture))), None);
}

#[test]
fn it_asks_everything_and_writes_the_answers_down() {
    let fixture = fixture();
    let log = fixture.path("log");
    let mut program = Program::start(&["asks", "--log", log.to_str().unwrap()]);
    program.initialize(fixture.root());
    let questions: Vec<Value> = (0..8).map(|_| program.message().unwrap()).collect();
    let asked: Vec<&str> = questions.iter().map(|question| question["method"].as_str().unwrap()).collect();
    assert_eq!(
        asked,
        [
            "workspace/configuration",
            "workspace/workspaceFolders",
            "client/registerCapability",
            "client/unregisterCapability",
            "window/workDoneProgress/create",
            "window/showMessageRequest",
            "workspace/applyEdit",
            "fake/unknown"
        ]
    );
    assert_eq!((&questions[0]["id"], &questions[1]["id"]), (&json!(1), &json!("fake-2")));
    let changes = questions[6]["params"]["edit"]["changes"].as_object().unwrap();
    let edited = changes.keys().next().unwrap();
    assert_eq!(fixture.relative(edited), "file://-outside.txt");
    for question in &questions {
        program.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": question["method"] }));
    }
    program.request("shutdown", Value::Null);
    let log = std::fs::read_to_string(&log).unwrap();
    let answers: Vec<Received> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|received: &Received| received.kind == Kind::Response)
        .collect();
    assert!(answers.iter().all(|answer| answer.params == answer.method));
    assert_eq!(answers.len(), 8);
}

#[test]
fn nothing_but_the_last_signal_ends_a_stubborn_one() {
    let fixture = fixture();
    let pid = fixture.path("pid");
    let mut program = Program::start(&["stubborn", "--pid", pid.to_str().unwrap()]);
    program.initialize(fixture.root());
    let grandchild = std::fs::read_to_string(fixture.path("pid.grandchild")).unwrap();
    let signal =
        |signal: &str, pid: &str| Command::new("kill").args([signal, pid]).status().unwrap().success();
    let own = std::fs::read_to_string(&pid).unwrap();
    assert_eq!(own, program.child.id().to_string());

    program.ask("shutdown", Value::Null);
    program.notify("exit", Value::Null);
    assert!(program.request("textDocument/hover", hover(&fixture)).get("result").is_some());
    assert!(signal("-TERM", &own) && signal("-TERM", &grandchild));
    program.stdin = None;
    std::thread::sleep(A_WHILE);
    let (alive, grandchild_alive) = (program.child.try_wait().unwrap(), signal("-0", &grandchild));
    assert!(signal("-KILL", &grandchild));
    assert!(alive.is_none() && grandchild_alive);
}

#[test]
#[cfg(target_os = "linux")]
fn memory_leaks() {
    let fixture = fixture();
    let mut program = Program::start(&["leak"]);
    program.initialize(fixture.root());
    let status = format!("/proc/{}/status", program.child.id());
    let resident = || -> u64 {
        let status = std::fs::read_to_string(&status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let before = resident();
    for _ in 0..5 {
        program.request("textDocument/hover", hover(&fixture));
    }
    assert!(resident() - before > 45 << 10);
}
