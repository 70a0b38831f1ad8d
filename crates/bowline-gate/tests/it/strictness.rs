//! How verdicts join, and what the ledger learns.

use bowline_call::{Effect, Intent, RefusalCode, ToolIdentity};
use bowline_gate::{Asked, Gate, Happened, Ledger, Objection, Rule, RuleFailed, Snapshot, Stand, Verdict};
use serde_json::json;

use crate::{ask, call, facts, shown, straight};

struct Says(Verdict);

impl Rule for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn check(&self, _asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        Ok(self.0.clone())
    }
}

struct Errs;

impl Rule for Errs {
    fn name(&self) -> &'static str {
        "errs"
    }

    fn check(&self, _asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        Err(RuleFailed("out of order".into()))
    }
}

fn objection(rule: &str) -> Objection {
    Objection {
        code: RefusalCode::Denied,
        rule: rule.into(),
        reason: String::new(),
        recovery: String::new(),
        skill: None,
    }
}

fn joined(rules: Vec<Box<dyn Rule>>) -> String {
    shown(&ask(&Gate::new(rules), "x", Effect::Read, vec![]))
}

#[test]
fn the_strictest_wins_in_any_order() {
    let allow = || Box::new(Says(Verdict::allow("a")));
    let asks = || Box::new(Says(Verdict::Ask(objection("b"))));
    let refuses = || Box::new(Says(Verdict::Refuse(objection("c"))));
    assert_eq!(joined(vec![allow(), asks(), refuses()]), "refuse by c");
    assert_eq!(joined(vec![refuses(), asks(), allow()]), "refuse by c");
    assert_eq!(joined(vec![asks(), allow()]), "ask by b");
    assert_eq!(joined(vec![allow(), Box::new(Says(Verdict::allow("later")))]), "allow by a");
}

#[test]
fn a_rule_that_errs_refuses() {
    let gate = Gate::new(vec![Box::new(Says(Verdict::allow("a"))), Box::new(Errs)]);
    let Verdict::Refuse(objection) = ask(&gate, "x", Effect::Read, vec![]) else { panic!("not refused") };
    assert_eq!(objection.code, RefusalCode::RuleFailed);
    assert_eq!(objection.reason, "the rule could not be checked: out of order");
}

#[test]
fn no_rules_at_all_refuse() {
    assert_eq!(joined(vec![]), "refuse by gate");
}

#[test]
fn the_ledger_remembers_what_ended_and_survives_a_snapshot() {
    let gate = Gate::new(vec![]);
    let mut ledger = Ledger::default();
    let call = call("find_symbol");
    let (tool, intent) = (ToolIdentity::of(&call.tool), Intent::read("/project/a"));
    let (facts, answer) = (facts(vec![straight("/project/a")]), json!({}));
    let happened = Happened {
        call: &call,
        tool: &tool,
        intent: &intent,
        facts: &facts,
        answer: Some(&answer),
        stand: Stand::default(),
    };
    gate.after(&mut ledger, &happened);
    let entry = ledger.recent().next().unwrap();
    assert_eq!((&*entry.tool, entry.success), ("find_symbol", true));
    assert_eq!(*entry.files, [std::path::PathBuf::from("/project/a")]);

    let snapshot = serde_json::to_string(&ledger.snapshot()).unwrap();
    let before = ledger.clone();
    ledger.restore(Snapshot::parse(&snapshot).unwrap());
    assert_eq!(ledger, before);
}
