//! `bowline audit`: what people and scripts read of the trail.

use std::sync::Arc;

use bowline_audit::{Audit, Options, SkillEvent, SkillNews};
use bowline_call::{ConversationId, Origin};
use bowline_std::clock::SystemClock;
use serde_json::Value;

use crate::{fixture, run};

fn records(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn remembers_every_call_of_every_kind() {
    let fixture = fixture();
    run(&fixture, &["call", "go_to_symbol", "--symbol-path", "greet", "--conversation", "mine"]);
    run(&fixture, &["call", "list_symbols", "--file-path", "/etc/passwd"]);
    run(&fixture, &["call", "no_such_tool"]);

    let (code, stdout, _) = run(&fixture, &["audit", "show", "--event", "call", "--json"]);
    assert_eq!(code, 0);
    let calls = records(&stdout);
    let shown: Vec<_> = calls
        .iter()
        .map(|call| (call["tool"].as_str().unwrap(), call["success"].as_bool().unwrap()))
        .collect();
    assert_eq!(shown, [("go_to_symbol", true), ("list_symbols", false), ("no_such_tool", false)]);
    assert_eq!((&calls[1]["verdict"], &calls[1]["rule"]), (&Value::from("refuse"), &Value::from("roots")));
    for field in [
        "timestamp",
        "duration_ms",
        "call_id",
        "conversation",
        "origin",
        "effect",
        "writer",
        "seq",
        "prev",
        "hash",
    ] {
        assert!(calls[0].get(field).is_some(), "{field}");
    }

    let (_, failed, _) = run(&fixture, &["audit", "tail", "--failed", "--json"]);
    assert_eq!(records(&failed).len(), 2);
    let (_, mine, _) = run(&fixture, &["audit", "tail", "--conversation", "mine", "--json"]);
    assert_eq!(records(&mine).len(), 1);
    let (_, recent, _) = run(&fixture, &["audit", "show", "--tool", "go_*", "--since", "1h", "--json"]);
    assert_eq!(records(&recent).len(), 1);
    let id = calls[0]["call_id"].as_str().unwrap();
    let (_, one, _) = run(&fixture, &["audit", "show", id]);
    assert!(one.contains("go_to_symbol") && one.contains("allow (user default)"), "{one}");

    let (_, stats, _) = run(&fixture, &["audit", "stats", "--json"]);
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!((&stats["calls"], &stats["failed"]), (&Value::from(3), &Value::from(2)));
}

#[tokio::test]
async fn skills_and_phases_are_found_and_seen() {
    let fixture = fixture();
    let path = fixture.path("state/bowline/audit.jsonl");
    let audit = Audit::open(Options::at(&path), Arc::new(SystemClock));
    let news = |event, tool: &str, phase: &str, from: Option<&str>, reason: Option<&str>| SkillNews {
        event,
        call_id: None,
        conversation: ConversationId::new("mine"),
        origin: Origin::Cli,
        tool: Some(tool.to_owned()),
        skill: Some("lsp-refactor".to_owned()),
        phase: Some(phase.to_owned()),
        from_phase: from.map(str::to_owned),
        mode: Some("block"),
        reason: reason.map(str::to_owned),
        rule: None,
        policy: None,
    };
    audit.skill(news(SkillEvent::PhaseViolation, "apply_edit", "look", None, Some("not yet")));
    audit.skill(news(SkillEvent::PhaseAdvance, "preview_edit", "try", Some("look"), None));
    drop(audit);

    let show = |arguments: &[&str]| {
        let (code, stdout, stderr) = run(&fixture, &[&["audit", "show"], arguments].concat());
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    let story = show(&["--skill", "lsp-*"]);
    assert!(story.contains("phase_violation  lsp-refactor: look (block)  not yet"), "{story}");
    assert!(story.contains("phase_advance  lsp-refactor: look -> try (block)"), "{story}");
    let failed = records(&show(&["--event", "phase_violation", "--failed", "--json"]));
    assert_eq!(failed.len(), 1);
    assert_eq!((&failed[0]["skill"], &failed[0]["phase"]), (&"lsp-refactor".into(), &"look".into()));
    assert_eq!(show(&["--skill", "other"]), "");
    let (_, stats, _) = run(&fixture, &["audit", "stats"]);
    assert!(stats.lines().any(|line| line.split_whitespace().eq(["phase_advance", "1"])), "{stats}");
}

#[test]
fn a_changed_trail_shows() {
    let fixture = fixture();
    run(&fixture, &["call", "go_to_symbol", "--symbol-path", "greet"]);
    assert_eq!(run(&fixture, &["audit", "verify"]).0, 0);
    let path = fixture.path("state/bowline/audit.jsonl");
    let changed = std::fs::read_to_string(&path).unwrap().replace("go_to_symbol", "find_symbol_");
    std::fs::write(&path, changed).unwrap();
    let (code, stdout, _) = run(&fixture, &["audit", "verify"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("broken"), "{stdout}");
}

#[test]
fn an_absent_trail_is_not_an_error() {
    let (code, stdout, stderr) = run(&fixture(), &["audit", "tail"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.contains("there is no trail at /state/bowline/audit.jsonl"), "{stderr}");
}

#[test]
fn what_is_not_there_is_not_vouched_for() {
    let fixture = fixture();
    assert_eq!(run(&fixture, &["audit", "verify"]).0, 1);
    assert_eq!(run(&fixture, &["audit", "verify", "--audit-log", "src"]).0, 1);
    run(&fixture, &["call", "find_symbol"]);
    let (code, _, stderr) = run(&fixture, &["audit", "show", "zzz"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no call in the trail begins with `zzz`"), "{stderr}");
}

#[test]
fn a_moment_nobody_understands_is_an_error() {
    let (code, _, stderr) = run(&fixture(), &["audit", "tail", "--since", "soon"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`soon` is neither a moment"), "{stderr}");
}

#[test]
fn a_command_line_that_never_became_a_call_is_remembered() {
    let fixture = fixture();
    run(&fixture, &["call", "list_symbols", "--bogus", "1"]);
    run(&fixture, &["call", "list_symbols", "--json", "{"]);
    let (_, stdout, _) = run(&fixture, &["audit", "show", "--event", "malformed", "--json"]);
    let tools: Vec<_> = records(&stdout).iter().map(|record| record["tool"].clone()).collect();
    assert_eq!(tools, ["list_symbols", "list_symbols"]);
}

#[test]
fn nobody_forges_a_line_of_it() {
    let fixture = fixture();
    run(&fixture, &["call", "evil\u{1b}[2K\n08:30:00  apply_edit  allow (user default)  1 ms"]);
    let (_, stdout, _) = run(&fixture, &["audit", "show", "--event", "call"]);
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    assert!(!stdout.contains('\u{1b}'), "{stdout}");
}
