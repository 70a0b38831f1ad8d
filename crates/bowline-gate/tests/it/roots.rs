//! Where paths may lead.

use bowline_call::{Effect, Intent};
use bowline_gate::{Asked, Gate, Ledger, PathFact, Roots, Verdict};

use crate::{ask, call, facts, leads, shown, straight};

fn verdict(path: PathFact) -> Verdict {
    ask(&Gate::new(vec![Box::new(Roots::default())]), "list_symbols", Effect::Read, vec![path])
}

fn reason(path: PathFact) -> String {
    match verdict(path) {
        Verdict::Refuse(objection) => objection.reason,
        other => panic!("{}", shown(&other)),
    }
}

#[test]
fn inside_is_allowed() {
    assert_eq!(shown(&verdict(straight("/project/src/lib.rs"))), "allow by roots");
    assert_eq!(shown(&verdict(leads("/home/me/link/lib.rs", Ok("/project/lib.rs")))), "allow by roots");
}

#[test]
fn outside_is_refused_however_it_is_written() {
    assert_eq!(
        reason(straight("/etc/passwd")),
        "file path `/etc/passwd` is outside workspace root `/project`"
    );
    assert_eq!(
        reason(straight("/projects/a")),
        "file path `/projects/a` is outside workspace root `/project`"
    );
    assert_eq!(
        reason(leads("/project/link", Ok("/etc/passwd"))),
        "file path `/project/link` leads to `/etc/passwd`, outside workspace root `/project`"
    );
    assert_eq!(
        reason(leads("/project/loop", Err("too many links"))),
        "nobody can tell where `/project/loop` leads: too many links"
    );
}

#[test]
fn one_path_outside_spoils_the_call() {
    let gate = Gate::new(vec![Box::new(Roots::default())]);
    let verdict = ask(&gate, "apply_edit", Effect::Write, vec![straight("/project/a"), straight("/b")]);
    assert_eq!(shown(&verdict), "refuse by roots");
}

#[test]
fn targets_nobody_can_tell_count_as_everything_under_the_roots() {
    let gate = Gate::new(vec![Box::new(Roots::default())]);
    let asked = Intent::read_workspace();
    let verdict =
        gate.before(&Asked::new(&Ledger::default(), &call("find_symbol"), &asked, &facts(vec![]))).verdict;
    assert_eq!(shown(&verdict), "allow by roots");
}

#[test]
fn missing_facts_refuse() {
    let gate = Gate::new(vec![Box::new(Roots::default())]);
    let verdict = gate
        .before(&Asked::new(
            &Ledger::default(),
            &call("list_symbols"),
            &Intent::read("/project/a"),
            &facts(vec![]),
        ))
        .verdict;
    let Verdict::Refuse(objection) = verdict else { panic!("not refused") };
    assert_eq!(
        objection.reason,
        "the rule could not be checked: the facts do not cover every path of the call"
    );
}
