//! What a ledger forgets and what it does not; and who sees what others do to it.

mod shared;
mod wishes;

use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::{CallId, Effect};
use bowline_gate::{ActiveSkill, By, Grant, Ledger, LedgerEntry, Mode, RECENT_CALLS, Snapshot, Table};
use serde_json::{Value, json};

use crate::phases::{known, written};

fn entry(tool: &str) -> LedgerEntry {
    LedgerEntry {
        call: CallId::fresh(),
        tool: tool.into(),
        effect: Effect::Read,
        files: Arc::new([]),
        at: SystemTime::UNIX_EPOCH,
        success: true,
    }
}

fn by() -> By<'static> {
    By { call: CallId::fresh(), tool: "test" }
}

fn skill(name: &str) -> ActiveSkill {
    let table = Table::understand(&written(&["one! | go_to_symbol", "two | apply_edit"], "@run"), &known());
    ActiveSkill::new(name, Mode::Block, Arc::new(table.unwrap()))
}

fn grant(entry: &str) -> Grant {
    Grant { entries: vec![entry.into()], definition: None, rule: None }
}

fn lived() -> Ledger {
    let mut ledger = Ledger::default();
    ledger.append(entry("first"));
    ledger.activate(by(), skill("demo")).unwrap();
    ledger.grants_mut().add(grant("Bash(make:*)"));
    ledger
}

#[test]
fn however_long_a_conversation_is_the_last_calls_are_at_hand() {
    let mut ledger = Ledger::default();
    for number in 0..RECENT_CALLS + 10 {
        ledger.append(entry(&format!("tool_{number}")));
    }
    assert_eq!(ledger.calls(), 266);
    assert_eq!(ledger.recent().len(), RECENT_CALLS);
    assert_eq!(&*ledger.recent().next().unwrap().tool, "tool_10");
    assert_eq!(&*ledger.recent().next_back().unwrap().tool, "tool_265");
}

#[test]
fn what_is_restored_is_what_rules_knew_and_the_calls_stay() {
    let mut ledger = lived();
    let snapshot = ledger.snapshot();
    ledger.deactivate(by());
    ledger.activate(by(), skill("other")).unwrap();
    ledger.grants_mut().add(grant("Bash(rm:*)"));
    ledger.append(entry("second"));
    ledger.restore(snapshot.clone());
    assert_eq!(ledger.active().unwrap().skill, "demo");
    assert_eq!(ledger.grants().iter().count(), 1);
    assert_eq!((ledger.calls(), ledger.recent().len()), (2, 2));
    let mut fresh = Ledger::default();
    fresh.restore(snapshot);
    assert_eq!((fresh.active().unwrap().skill.as_str(), fresh.calls()), ("demo", 0));
}

#[test]
fn what_was_not_there_then_is_not_there_when_it_is_restored() {
    let mut ledger = lived();
    ledger.restore(Ledger::default().snapshot());
    assert!(ledger.active().is_none() && ledger.grants().iter().next().is_none());
    assert_eq!(ledger.calls(), 1);
}

#[test]
fn a_reset_forgets_the_calls_too() {
    let mut ledger = lived();
    ledger.take_news();
    ledger.reset();
    assert_eq!(ledger, Ledger::default());
    assert_eq!(ledger.take_news(), []);
}

#[test]
fn a_snapshot_is_read_as_it_was_written_or_not_at_all() {
    let good = serde_json::to_value(lived().snapshot()).unwrap();
    assert_eq!(Snapshot::parse(&good.to_string()).unwrap(), lived().snapshot());
    assert_eq!(serde_json::from_value::<Snapshot>(good.clone()).unwrap(), lived().snapshot());
    let with = |key: &str, value: Option<Value>| {
        let mut changed = good.clone();
        let object = changed.as_object_mut().unwrap();
        match value {
            Some(value) => object.insert(key.into(), value),
            None => object.remove(key),
        };
        Snapshot::parse(&changed.to_string()).unwrap_err().to_string()
    };
    assert_eq!(
        with("version", Some(json!(2))),
        "it was written by another version of bowline (form 2, this one knows 1); use that version, or begin another conversation"
    );
    assert_eq!(with("version", None), "it is no snapshot of a conversation: it says no version");
    assert!(with("unheard_of", Some(json!(1))).contains("unknown field `unheard_of`"));
    for part in ["fences", "profile", "grants", "stand"] {
        assert!(with(part, None).contains(&format!("missing field `{part}`")), "{part}");
    }
    assert!(with("active", Some(json!({"skill": "x"}))).contains("missing field"));
    assert!(Snapshot::parse("{").is_err());
}
