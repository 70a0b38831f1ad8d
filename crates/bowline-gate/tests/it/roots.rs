//! Where paths may lead.

use std::sync::Arc;

use bowline_call::{Effect, Intent, Target};
use bowline_gate::{
    Access, Asked, Gate, HostRules, Layer, Ledger, PathFact, PathKind, Roots, RulesOptions, Verdict,
};

use crate::{about, ask, bases, call, entries, facts, leads, shown, straight};

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

/// What the roots say to a command that runs what is at `path`, which is missing.
fn runs_missing(command: &str, path: &str) -> Verdict {
    let intent = Intent::new(Effect::Run, [Target::Command(command.into())]);
    let mut facts = about(&intent, vec![]);
    let readings = facts.commands.iter_mut().flat_map(|command| &mut command.touched);
    readings.flat_map(|touched| &mut touched.readings).for_each(|fact| fact.kind = PathKind::Missing);
    let runs = facts.touched_by_commands(Access::Execute).flat_map(|touched| &touched.readings);
    assert!(runs.into_iter().any(|fact| fact.absolute.ends_with(path)), "`{command}` runs nothing at {path}");
    let gate = Gate::new(vec![Box::new(Roots::default())]);
    gate.before(&Asked::new(&Ledger::default(), &call("Bash"), &intent, &facts)).verdict
}

#[test]
fn code_that_a_command_brings_along_is_a_question() {
    assert!(matches!(runs_missing("make -C new test", "new"), Verdict::Allow { .. }), "it will fail");
    assert!(
        matches!(runs_missing("mkdir new && make -C new test", "new"), Verdict::Allow { .. }),
        "it is empty"
    );
    assert!(
        matches!(runs_missing("git -C new status", "new/.git"), Verdict::Ask(_)),
        "git is given a repository"
    );
    let Verdict::Ask(objection) = runs_missing("cp -r old new && make -C new test", "new") else {
        panic!("what comes to `new` was not looked at")
    };
    assert_eq!(
        objection.reason,
        "code that was not judged would run: there is nothing at `/project/new` yet, so what runs there \
         cannot be told"
    );
}

#[test]
fn leave_to_write_outside_is_no_leave_to_run_what_stands_there() {
    let options = RulesOptions { allow: entries(&["Bash", "Edit(//tmp/**)"]), ..RulesOptions::default() };
    let rules = Arc::new(HostRules::new(Layer::User, &options, &bases()).unwrap());
    let gate = Gate::new(vec![Box::new(Arc::clone(&rules)), Box::new(Roots::new(rules))]);
    let judged = |command: &str| {
        let intent = Intent::new(Effect::Run, [Target::Command(command.into())]);
        let facts = about(&intent, vec![]);
        gate.before(&Asked::new(&Ledger::default(), &call("Bash"), &intent, &facts))
    };
    assert_eq!(shown(&judged("echo x > /tmp/x/Makefile").verdict), "allow by user allow `Bash`");
    for command in ["make -C /tmp/x test", "cd /tmp/x && make test", "git -C /tmp/x status", "pytest /tmp/x"]
    {
        let judgement = judged(command);
        assert_eq!(shown(&judgement.verdict), "ask by roots", "{command}");
        assert_eq!(judgement.offer, None, "{command}: no entry would help");
    }
}
