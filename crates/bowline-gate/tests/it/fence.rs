//! Lists of allowed tools in, what each call gets out.

use bowline_call::{Effect, Intent, Target, ToolCall};
use bowline_gate::{
    AllowedToolsMode, Asked, Fenced, Gate, Guidance, HostRules, InvalidAllowlist, KnownTools, Layer, Ledger,
    Loading, Policy, PolicyError, RulesOptions, meaningless,
};
use bowline_skills::{AllowedEntry, AllowedTools, Scope};
use serde_json::json;

use crate::{about, bases, call, entries, facts, straight};

/// Entries separated by blanks; `_` within parentheses stands for a blank.
fn list(text: &str) -> AllowedTools {
    let entry = |word: &str| match word.split_once('(') {
        Some((tool, scope)) => {
            AllowedEntry { tool: tool.into(), scope: Some(scope.trim_end_matches(')').replace('_', " ")) }
        }
        None => AllowedEntry { tool: word.into(), scope: None },
    };
    AllowedTools { raw: text.into(), entries: text.split_whitespace().map(entry).collect() }
}

fn guidance(allowed_tools: AllowedToolsMode) -> Guidance {
    Guidance { allowed_tools, ..Guidance::default() }
}

fn load(
    ledger: &mut Ledger,
    name: &str,
    text: Option<&str>,
    guidance: Guidance,
) -> Result<Policy, PolicyError> {
    let allowed = text.map(list);
    let loading = Loading { skill: name, scope: Scope::User, allowed: allowed.as_ref() };
    ledger.load((&call("skills_load")).into(), loading, guidance, &KnownTools::new([]))
}

fn fenced(texts: &[Option<&str>]) -> Ledger {
    let mut ledger = Ledger::default();
    for (number, text) in texts.iter().enumerate() {
        load(&mut ledger, &format!("skill-{number}"), *text, guidance(AllowedToolsMode::Fence)).unwrap();
    }
    ledger
}

fn word(ledger: &Ledger, tool: &str, intent: &Intent) -> &'static str {
    let paths = intent.paths().map(|path| straight(&path.to_string_lossy())).collect();
    let gate = Gate::new(vec![Box::new(Fenced)]);
    gate.before(&Asked::new(ledger, &call(tool), intent, &about(intent, paths))).verdict.word()
}

fn reads(ledger: &Ledger, tool: &str) -> &'static str {
    word(ledger, tool, &Intent::new(Effect::Read, []))
}

fn runs(ledger: &Ledger, command: &str) -> &'static str {
    word(ledger, "Bash", &Intent::new(Effect::Run, [Target::Command(command.into())]))
}

#[test]
fn a_fence_lets_through_what_it_lists_and_what_is_always_there() {
    let ledger = fenced(&[Some("Read mcp__bowline__find_references mcp__memory__* state.get")]);
    for tool in [
        "Read",
        "find_references",
        "lsp.find_references",
        "mcp__memory__store",
        "state_get",
        "state.get",
        "skills_list",
        "skills_load",
        "skills_read_file",
        "get_skill_phase",
        "mcp__bowline__deactivate_skill",
    ] {
        assert_eq!(reads(&ledger, tool), "allow", "{tool}");
    }
    for tool in ["Write", "read", "find_symbol", "mcp__memory2__store", "state_set", "activate_skill"] {
        assert_eq!(reads(&ledger, tool), "refuse", "{tool}");
    }
    assert!(ledger.fences().shows("find_references") && !ledger.fences().shows("find_symbol"));
}

#[test]
fn later_skills_only_narrow() {
    let ledger = fenced(&[Some("Read Grep"), Some("Read Write")]);
    assert_eq!(
        [reads(&ledger, "Read"), reads(&ledger, "Grep"), reads(&ledger, "Write")],
        ["allow", "refuse", "refuse"]
    );
    let ledger = fenced(&[Some("Read"), None, Some("")]);
    assert_eq!(
        [reads(&ledger, "Read"), reads(&ledger, "Write")],
        ["allow", "refuse"],
        "a fence does not vanish"
    );
}

#[test]
fn what_is_told_is_what_all_of_them_leave() {
    let mut ledger = Ledger::default();
    let fence = guidance(AllowedToolsMode::Fence);
    let mut told = |name: &str, text: Option<&str>| {
        let policy = load(&mut ledger, name, text, fence).unwrap();
        (policy.enforced, policy.allow_set_count, policy.ignored_reason)
    };
    assert_eq!(told("one", Some("Read Grep Glob")), (true, 3, None));
    assert_eq!(told("two", Some("Read Grep Write")), (true, 2, None));
    assert_eq!(told("three", None), (true, 2, Some("NO_ALLOWED_TOOLS".into())), "the fence stands");
    let named = meaningless(&list("Read nope mcp__memory__* fo[o"), &KnownTools::new([]));
    assert_eq!(named, ["nope", "fo[o"]);
}

#[test]
fn tools_of_others_are_not_always_there() {
    let ledger = fenced(&[Some("Read")]);
    for tool in ["skills.load", "mcp__evil__skills_load", "deactivate.skill"] {
        assert_eq!(reads(&ledger, tool), "refuse", "{tool}");
    }
}

#[test]
fn a_scope_keeps_its_arguments() {
    let ledger = fenced(&[Some("Bash(git:*) Edit(src/**)")]);
    assert_eq!(
        [runs(&ledger, "git status"), runs(&ledger, "rm -rf /"), runs(&ledger, "git log; rm x")],
        ["allow", "refuse", "refuse"]
    );
    let edit = |tool: &str, path: &str| word(&ledger, tool, &Intent::write([path]));
    assert_eq!(edit("Edit", "/project/src/a.rs"), "allow");
    assert_eq!(edit("Write", "/project/src/a.rs"), "allow");
    assert_eq!(edit("Edit", "/project/tests/a.rs"), "refuse");
    assert_eq!(word(&ledger, "Edit", &Intent::read_workspace()), "refuse", "what it touches nobody can tell");
    assert_eq!(word(&ledger, "Bash", &Intent::new(Effect::Run, [])), "refuse");
    let ledger = fenced(&[Some("rename_symbol(src/**) run_build(go_build:*)")]);
    let later = Intent { effect: Effect::Write, targets: bowline_call::Targets::Unknown };
    assert_eq!(word(&ledger, "rename_symbol", &later), "allow", "it is asked again once the files are known");
    assert_eq!(word(&ledger, "rename_symbol", &Intent::write(["/project/tests/a.rs"])), "refuse");
    let build = |command: &str| Intent::new(Effect::Run, [Target::Command(command.into())]);
    assert_eq!(word(&ledger, "run_build", &build("go build ./...")), "allow");
    assert_eq!(word(&ledger, "run_build", &build("make")), "refuse");
}

#[test]
fn a_list_that_names_nothing_is_taken_as_the_host_says() {
    for (invalid_allowlist, expected) in [
        (InvalidAllowlist::Ignore, Ok((false, Some("NO_MATCHES"), "allow"))),
        (InvalidAllowlist::Enforce, Ok((true, None, "refuse"))),
        (InvalidAllowlist::Error, Err("`allowed-tools` of the skill demo names no tool that there is: nope")),
    ] {
        let mut ledger = Ledger::default();
        let guidance = Guidance { invalid_allowlist, ..guidance(AllowedToolsMode::Fence) };
        let loaded = load(&mut ledger, "demo", Some("nope"), guidance);
        let loaded = loaded
            .as_ref()
            .map(|policy| (policy.enforced, policy.ignored_reason.as_deref(), reads(&ledger, "Read")));
        assert_eq!(loaded.map_err(ToString::to_string), expected.map_err(str::to_owned));
    }
    // Only what is always there does not count.
    let ledger = fenced(&[Some("skills_load")]);
    assert_eq!(reads(&ledger, "Read"), "refuse");
}

#[test]
fn by_default_it_means_nothing_and_says_so() {
    let mut ledger = Ledger::default();
    let policy = load(&mut ledger, "demo", Some("Read"), Guidance::default()).unwrap();
    assert_eq!(
        serde_json::to_value(&policy).unwrap(),
        json!({"mode": "ignore", "enforced": false, "skill_name": "demo", "allow_set_count": 1,
               "ignored_reason": "ENFORCEMENT_OFF"})
    );
    assert_eq!(reads(&ledger, "Write"), "allow");
    assert!(ledger.take_news().is_empty(), "nothing has changed");
    load(&mut ledger, "demo", Some("Read"), guidance(AllowedToolsMode::Fence)).unwrap();
    assert_eq!(ledger.take_news().len(), 1);
}

#[test]
fn a_grant_answers_only_the_question_that_nobody_wrote() {
    let granted = |text: &str, scope: Scope, rules: &RulesOptions, tool: &str, effect: Effect| {
        let (mut ledger, allowed) = (Ledger::default(), list(text));
        let loading = Loading { skill: "demo", scope, allowed: Some(&allowed) };
        let by = call("skills_load");
        ledger.load((&by).into(), loading, guidance(AllowedToolsMode::Grant), &KnownTools::new([])).unwrap();
        let gate = Gate::new(vec![
            Box::new(HostRules::new(Layer::User, rules, &bases()).unwrap()),
            Box::new(Fenced),
        ]);
        let (call, intent) = (ToolCall { ..call(tool) }, Intent::new(effect, []));
        gate.before(&Asked::new(&ledger, &call, &intent, &facts(vec![]))).verdict.word()
    };
    let none = RulesOptions::default();
    assert_eq!(granted("run_tests", Scope::User, &none, "run_tests", Effect::Run), "allow");
    assert_eq!(granted("run_tests", Scope::User, &none, "run_build", Effect::Run), "ask");
    assert_eq!(
        granted("run_tests", Scope::Project, &none, "run_tests", Effect::Run),
        "ask",
        "a project grants nothing"
    );
    for everything in ["*", "B*", "mcp__*", "run_*", "mcp__bowline__*", "MCP:*", "lsp.*"] {
        assert_eq!(granted(everything, Scope::User, &none, "run_tests", Effect::Run), "ask", "{everything}");
    }
    assert_eq!(granted("mcp__memory__*", Scope::User, &none, "mcp__memory__store", Effect::Write), "allow");
    let asks = RulesOptions { ask: entries(&["run_*"]), ..RulesOptions::default() };
    assert_eq!(granted("run_tests", Scope::User, &asks, "run_tests", Effect::Run), "ask");
    let denies = RulesOptions { deny: entries(&["@run"]), ..RulesOptions::default() };
    assert_eq!(granted("run_tests", Scope::User, &denies, "run_tests", Effect::Run), "refuse");
    assert_eq!(
        granted("run_tests", Scope::User, &none, "apply_edit", Effect::Write),
        "ask",
        "and it fences nothing"
    );
}
