//! Rules over what shells run and write.

use bowline_call::{Effect, Intent, Target};
use bowline_gate::{
    Asked, Decision, Gate, Grant, HostRules, Layer, Ledger, Openings, Protected, Roots, RuleEntry, RuleTable,
    RulesOptions,
};

use crate::{about, bases, call, entries};

const ALLOW: [&str; 6] =
    ["Bash(git:*)", "Bash(echo:*)", "Bash(cat:*)", "Bash(npm run test:*)", "Edit(out/**)", "Bash(true)"];
const DENY: [&str; 3] = ["Bash(evil:*)", "Edit(prot/**)", "Read(.env)"];

fn rules() -> RulesOptions {
    RulesOptions { allow: entries(&ALLOW), deny: entries(&DENY), ..RulesOptions::default() }
}

fn gate(options: &RulesOptions) -> Gate {
    let rules = std::sync::Arc::new(HostRules::new(Layer::User, options, &bases()).unwrap());
    let protected = Protected::new(Openings::default(), &["/state/bowline".into()]);
    Gate::new(vec![Box::new(std::sync::Arc::clone(&rules)), Box::new(Roots::new(rules)), Box::new(protected)])
}

fn judged(options: &RulesOptions, tool: &str, command: &str) -> bowline_gate::Judgement {
    let intent = Intent::new(Effect::Run, [Target::Command(command.into())]);
    let facts = about(&intent, vec![]);
    let (ledger, call) = (Ledger::default(), call(tool));
    gate(options).before(&Asked::new(&ledger, &call, &intent, &facts))
}

fn verdict(options: &RulesOptions, command: &str) -> String {
    let verdict = judged(options, "Bash", command).verdict;
    format!("{} by {}", verdict.word(), verdict.rule())
}

#[test]
fn every_command_and_every_written_file_needs_an_entry() {
    for (command, expected) in [
        ("git status", "allow by user allow `Bash(git:*)`"),
        ("git log | cat", "allow by user allow `Bash(git:*)`"),
        ("git status && evil", "refuse by user deny `Bash(evil:*)`"),
        ("echo $(evil)", "refuse by user deny `Bash(evil:*)`"),
        ("git status; ls", "ask by user default"),
        ("echo x > out/a.txt", "allow by user allow `Bash(echo:*)`"),
        ("echo x > notes.txt", "ask by user default"),
        ("echo x > prot/a", "refuse by user deny `Edit(prot/**)`"),
        ("cd prot && echo x > a", "refuse by user deny `Edit(prot/**)`"),
        ("echo x > .git/config", "refuse by protected"),
        ("echo x > /state/bowline/ledger.db", "refuse by protected"),
        ("echo x > /elsewhere/a", "ask by user default"),
        ("$x", "ask by user deny `Bash(evil:*)`"),
        ("(((", "ask by user default"),
        ("git log > /dev/null 2>&1", "allow by user allow `Bash(git:*)`"),
    ] {
        assert_eq!(verdict(&rules(), command), expected, "{command}");
    }
}

#[test]
fn one_shell_is_as_good_as_another() {
    for tool in ["Bash", "bash", "BASH", "Shell", "run_shell_command", "exec_command", "Monitor"] {
        assert_eq!(judged(&rules(), tool, "evil").verdict.word(), "refuse", "{tool}");
    }
}

#[test]
fn what_nobody_can_read_is_not_allowed_by_anything() {
    for options in [
        RulesOptions { allow: entries(&["Bash"]), ..RulesOptions::default() },
        RulesOptions { allow: entries(&["*", "@run"]), ..RulesOptions::default() },
        RulesOptions { default: Some(Decision::Allow), ..RulesOptions::default() },
    ] {
        assert!(verdict(&options, "eval \"$x\"").starts_with("ask"), "{options:?}");
        assert!(verdict(&options, "ls -l").starts_with("allow"), "{options:?}");
    }
}

#[test]
fn what_is_offered_allows_it_and_nothing_else() {
    let offer = |command: &str| judged(&rules(), "Bash", command).offer;
    assert_eq!(offer("git status; ls -l 'a b'"), Some(vec!["Bash(ls -l 'a b')".to_owned()]));
    assert_eq!(offer("echo x > notes.txt"), Some(vec!["Edit(//project/notes.txt)".to_owned()]));
    assert_eq!(offer("$x"), None);
    let offered =
        RulesOptions { allow: entries(&["Bash(ls -l 'a b')", "Bash(git:*)"]), ..RulesOptions::default() };
    assert!(verdict(&offered, "git status; ls -l 'a b'").starts_with("allow"));
    assert!(verdict(&offered, "ls -l a b").starts_with("ask"));
}

#[test]
fn a_yes_that_is_remembered_counts_for_the_same_tool_alone() {
    let intent = Intent::new(Effect::Run, []);
    let facts = about(&intent, vec![]);
    let call = call("mcp__x__add");
    let grant = |definition: &str| Grant {
        entries: vec!["mcp__x__add".into()],
        definition: Some(definition.into()),
        rule: None,
    };
    let word = |ledger: &Ledger, rules: HostRules, definition| {
        let asked = Asked { definition: Some(definition), ..Asked::new(ledger, &call, &intent, &facts) };
        Gate::new(vec![Box::new(rules)]).before(&asked).verdict.word()
    };
    let plain = || HostRules::new(Layer::User, &RulesOptions::default(), &bases()).unwrap();
    let denying = || {
        HostRules::new(
            Layer::User,
            &RulesOptions { deny: entries(&["mcp__x__*"]), ..RulesOptions::default() },
            &bases(),
        )
        .unwrap()
    };
    let mut ledger = Ledger::default();
    assert_eq!(word(&ledger, plain(), "a1"), "ask");
    assert_eq!(word(&ledger, plain().remembering(&[grant("a1")]).unwrap(), "a1"), "allow");
    assert_eq!(
        word(&ledger, plain().remembering(&[grant("a1")]).unwrap(), "b2"),
        "ask",
        "defined otherwise by now"
    );
    ledger.grants_mut().add(grant("a1"));
    assert_eq!(word(&ledger, plain(), "a1"), "allow");
    assert_eq!(word(&ledger, plain(), "b2"), "ask");
    assert_eq!(word(&ledger, denying(), "a1"), "refuse", "what is denied stays denied");
}

#[test]
fn examples_are_tried_when_a_rule_is_read() {
    let check = |decision, tool: &str, matches: &[&str], not_match: &[&str]| {
        let texts = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let table = RuleTable {
            tool: tool.into(),
            justification: None,
            matches: texts(matches),
            not_match: texts(not_match),
        };
        HostRules::check(decision, &RuleEntry::Table(table)).map_err(|error| error.to_string())
    };
    use Decision::{Allow, Deny};
    assert_eq!(check(Deny, "Bash(git push:*)", &["git status && git push -f"], &["git pull"]), Ok(()));
    assert_eq!(check(Allow, "Bash(git:*)", &["git status"], &["gitk", "git status; evil"]), Ok(()));
    assert_eq!(check(Allow, "Edit(src/**)", &["src/a.rs"], &["lib/src/a.rs", "../src/a"]), Ok(()));
    assert_eq!(check(Deny, "Edit(src/**)", &["lib/src/a.rs"], &[]), Ok(()));
    assert_eq!(
        check(Deny, "WebFetch(domain:*.evil.com)", &["https://a.evil.com/x"], &["https://evil.com"]),
        Ok(())
    );
    assert_eq!(check(Deny, "find_*", &["find_symbol"], &["list_symbols"]), Ok(()));
    assert_eq!(
        check(Deny, "Bash(git push:*)", &["git pull"], &[]).unwrap_err(),
        "`Bash(git push:*)` does not match its example `git pull`"
    );
    assert_eq!(
        check(Allow, "Bash(git:*)", &[], &["git status"]).unwrap_err(),
        "`Bash(git:*)` matches `git status`, which it is not to match"
    );
}
