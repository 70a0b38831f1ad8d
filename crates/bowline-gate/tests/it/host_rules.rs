//! Allow, ask and deny lists over names, globs and classes, in two layers.

use bowline_call::{Effect, Provenance, ToolCall};
use bowline_gate::{
    Asked, BadPattern, Decision, Gate, HostRules, Layer, Ledger, RuleEntry, RuleTable, RulesOptions, Verdict,
};

use crate::{ask, bases, call, entries, facts, host, intent, shown};

fn rules(allow: &[&str], asked: &[&str], deny: &[&str]) -> RulesOptions {
    RulesOptions {
        allow: entries(allow),
        ask: entries(asked),
        deny: entries(deny),
        ..RulesOptions::default()
    }
}

fn user(options: &RulesOptions, tool: &str, effect: Effect) -> String {
    shown(&ask(&Gate::new(vec![host(Layer::User, options)]), tool, effect, vec![]))
}

#[test]
fn without_rules_reading_is_allowed_and_changing_is_asked() {
    let none = RulesOptions::default();
    let verdicts: Vec<_> = [Effect::Read, Effect::Draft, Effect::Write, Effect::Run]
        .into_iter()
        .map(|effect| user(&none, "any", effect))
        .collect();
    assert_eq!(
        verdicts,
        ["allow by user default", "allow by user default", "ask by user default", "ask by user default"]
    );
}

#[test]
fn deny_beats_ask_beats_allow_however_specific() {
    let options = rules(&["apply_edit", "run_tests"], &["run_*"], &["*_edit"]);
    assert_eq!(user(&options, "apply_edit", Effect::Write), "refuse by user deny `*_edit`");
    assert_eq!(user(&options, "run_tests", Effect::Run), "ask by user ask `run_*`");
    assert_eq!(user(&options, "run_build", Effect::Run), "ask by user ask `run_*`");
    assert_eq!(user(&options, "rename_symbol", Effect::Write), "ask by user default");
}

#[test]
fn a_class_names_every_call_with_its_effect() {
    let options = rules(&["@run"], &[], &["@write"]);
    assert_eq!(user(&options, "rename_symbol", Effect::Write), "refuse by user deny `@write`");
    assert_eq!(user(&options, "rename_symbol", Effect::Draft), "allow by user default");
    assert_eq!(user(&options, "run_tests", Effect::Run), "allow by user allow `@run`");
}

#[test]
fn a_default_speaks_for_what_nobody_names() {
    let options = RulesOptions { default: Some(Decision::Deny), ..rules(&["find_*"], &[], &[]) };
    assert_eq!(user(&options, "find_symbol", Effect::Read), "allow by user allow `find_*`");
    assert_eq!(user(&options, "list_symbols", Effect::Read), "refuse by user default");
}

#[test]
fn a_project_tightens_and_never_loosens() {
    let verdict = |user: RulesOptions, project: RulesOptions, tool: &str, effect| {
        let gate = Gate::new(vec![host(Layer::User, &user), host(Layer::Project, &project)]);
        shown(&ask(&gate, tool, effect, vec![]))
    };
    let loose = RulesOptions { default: Some(Decision::Allow), ..rules(&["*"], &[], &[]) };
    let none = RulesOptions::default;
    assert_eq!(verdict(none(), loose.clone(), "apply_edit", Effect::Write), "ask by user default");
    assert_eq!(verdict(rules(&[], &[], &["x"]), loose.clone(), "x", Effect::Read), "refuse by user deny `x`");
    assert_eq!(verdict(loose, rules(&[], &[], &["x"]), "x", Effect::Read), "refuse by project deny `x`");
    assert_eq!(verdict(none(), none(), "x", Effect::Read), "allow by user default");
}

#[test]
fn a_justification_is_the_reason_given() {
    let options = RulesOptions {
        deny: vec![RuleEntry::Table(RuleTable {
            tool: "run_*".into(),
            justification: Some("CI runs the tests".into()),
            ..RuleTable::default()
        })],
        ..RulesOptions::default()
    };
    let gate = Gate::new(vec![host(Layer::Project, &options)]);
    let Verdict::Refuse(objection) = ask(&gate, "run_tests", Effect::Run, vec![]) else {
        panic!("not refused")
    };
    let refusal = serde_json::to_string_pretty(&objection.refuse("run_tests")).unwrap();
    insta::assert_snapshot!(refusal, @r#"
    {
      "error": "TOOL_POLICY_DENIED",
      "tool": "run_tests",
      "rule": "project deny `run_*`",
      "reason": "CI runs the tests",
      "recovery": "reach the goal with the tools that are allowed, or ask the person you work for to change the rule in bowline.toml"
    }
    "#);
}

#[test]
fn an_unanswerable_question_says_how_to_allow() {
    let gate = Gate::new(vec![host(Layer::User, &RulesOptions::default())]);
    let Verdict::Ask(objection) = ask(&gate, "apply_edit", Effect::Write, vec![]) else {
        panic!("not asked")
    };
    insta::assert_snapshot!(objection.reason, @"`apply_edit` would change files and needs a person's consent");
    insta::assert_snapshot!(objection.recovery, @r#"nobody can be asked here; the person you work for can allow it with `allow = ["apply_edit"]` under [rules] in their own bowline.toml"#);
}

#[test]
fn a_pattern_nobody_can_read_is_an_error() {
    let bad =
        |pattern: &str| HostRules::new(Layer::User, &rules(&[], &[], &[pattern]), &bases()).unwrap_err();
    assert_eq!(bad(" "), BadPattern::Empty);
    assert_eq!(bad("@writes"), BadPattern::UnknownClass("@writes".into()));
    assert!(matches!(bad("Bash(git"), BadPattern::Call { .. }));
    assert!(matches!(bad("a[b"), BadPattern::Glob { .. }));
}

proptest::proptest! {
    /// Whatever is added to a project's rules, the verdict never becomes milder.
    #[test]
    fn no_project_entry_loosens(allow in "[a-c*]{1,3}", ask_for in "[a-c*]{1,3}", deny in "[a-c*]{1,3}", tool in "[a-c]{1,3}") {
        let severity = |verdict: &Verdict| ["allow", "ask", "refuse"].iter().position(|word| *word == verdict.word());
        let user = rules(&[&allow], &[&ask_for], &[&deny]);
        let project = rules(&[&deny], &[&allow], &[&ask_for]);
        let alone = ask(&Gate::new(vec![host(Layer::User, &user)]), &tool, Effect::Write, vec![]);
        let both = Gate::new(vec![host(Layer::User, &user), host(Layer::Project, &project)]);
        proptest::prop_assert!(severity(&ask(&both, &tool, Effect::Write, vec![])) >= severity(&alone));
    }
}

#[test]
fn a_server_that_looks_like_another_gets_nothing_of_it() {
    let allowed = |allow: &str, tool: &str, server: Option<(&str, Option<&str>)>| {
        let gate = Gate::new(vec![host(Layer::User, &rules(&[allow], &[], &[]))]);
        let provenance = server.map(|(name, source)| Provenance {
            name: name.into(),
            source: source.map(str::to_owned),
            tool: None,
        });
        let call = ToolCall { server: provenance, ..call(tool) };
        let (ledger, intent, facts) = (Ledger::default(), intent(Effect::Run, &[]), facts(vec![]));
        gate.before(&Asked::new(&ledger, &call, &intent, &facts)).verdict.word() == "allow"
    };
    for (allow, tool, server, expected) in [
        ("mcp__github__*", "mcp__github__create_pr", None, true),
        ("mcp__github__*", "mcp__github__create_pr", Some(("github", Some("user"))), true),
        ("mcp__github__*", "mcp__github__create_pr", Some(("github", Some("project"))), false),
        ("mcp__github", "mcp__github__create_pr", None, true),
        ("mcp__github", "mcp__github__create_pr", Some(("github", Some("user"))), true),
        ("mcp__github", "mcp__github__create_pr", Some(("github", Some("project"))), false),
        ("mcp__github", "mcp__github_two__create_pr", None, false),
        ("mcp__github", "mcp__git__hub", None, false),
        ("mcp__acme", "mcp__acme___status", Some(("acme_", Some("user"))), false),
        ("mcp__acme__*", "mcp__acme___status", Some(("acme_", Some("user"))), false),
        ("mcp__acme__*", "mcp__acme___status", None, false),
        ("mcp__acme___status", "mcp__acme___status", None, true),
        ("mcp__acme___*", "mcp__acme___status", Some(("acme_", None)), true),
        ("mcp__evil__*", "mcp__evil__lsp__apply_edit", None, false),
        ("git.*", "git_hub_delete", None, false),
        ("git.*", "git.push", None, true),
        ("state.get", "state_get", None, true),
        ("a.*", "a.b.delete", None, false),
    ] {
        assert_eq!(allowed(allow, tool, server), expected, "{allow} / {tool} / {server:?}");
    }
}

#[test]
fn a_server_by_its_name_is_all_of_its_tools() {
    let options = rules(&[], &["mcp__linear"], &["mcp__github"]);
    assert_eq!(user(&options, "mcp__github__create_pr", Effect::Read), "refuse by user deny `mcp__github`");
    assert_eq!(user(&options, "github.create_pr", Effect::Read), "refuse by user deny `mcp__github`");
    assert_eq!(user(&options, "mcp__linear__list", Effect::Read), "ask by user ask `mcp__linear`");
    assert_eq!(user(&options, "mcp__githubs__create_pr", Effect::Read), "allow by user default");
}
