//! A table of phases in, what each call gets out.

use std::sync::Arc;

use bowline_call::{Declaration, Effect, Intent, Targets, ToolCall, ToolIdentity, ToolSpec};
use bowline_gate::{
    ActiveSkill, Asked, Decision, Gate, Guidance, Happened, Judgement, KnownTools, Ledger, Mode, Notice,
    Phases, Snapshot, Table, Verdict,
};
use bowline_skills::{PhaseSpec, PhaseTable, Word};
use serde_json::{Value, json};

use crate::{call, facts};

/// Each word with a line of its own, counted over the whole table.
struct Written(usize);

impl Written {
    fn words(&mut self, text: &str) -> Vec<Word> {
        text.split_whitespace().map(|text| self.word(text)).collect()
    }

    fn word(&mut self, text: &str) -> Word {
        self.0 += 1;
        Word { text: text.into(), line: self.0 }
    }
}

/// `name! | allowed | forbidden | complete_when`: with a `!` the phase cannot be skipped.
pub(crate) fn written(phases: &[&str], global: &str) -> PhaseTable {
    let mut lines = Written(0);
    let phases = phases.iter().map(|phase| {
        let parts: Vec<&str> = phase.split('|').map(str::trim).collect();
        let part = |index: usize| parts.get(index).copied().unwrap_or_default();
        PhaseSpec {
            name: lines.word(part(0).trim_end_matches('!')),
            description: String::new(),
            allowed: lines.words(part(1)),
            forbidden: lines.words(part(2)),
            complete_when: parts.get(3).map(|words| lines.words(words)),
            skippable: !part(0).ends_with('!'),
        }
    });
    PhaseTable {
        file: "phases.yaml".into(),
        phases: phases.collect(),
        global_forbidden: Written(900).words(global),
    }
}

pub(crate) fn known() -> KnownTools {
    let spec = |name: &str, least, most, arguments: &[&str]| ToolSpec {
        answers: if name.starts_with("preview") || name.starts_with("simulate") {
            &["safe_to_apply", "broken"]
        } else {
            &["success"]
        },
        name: name.into(),
        declaration: Declaration::new(
            "",
            json!({"properties": arguments.iter().map(|name| ((*name).to_owned(), json!({"type": if *name == "dry_run" { "boolean" } else { "string" }}))).collect::<serde_json::Map<_, _>>()}),
        ),
        most,
        least,
        shows_content: false,
        slow: false,
    };
    use Effect::{Draft, Read, Run, Write};
    let ours = [
        spec("start_lsp", Draft, Draft, &[]),
        spec("go_to_symbol", Read, Read, &[]),
        spec("find_references", Read, Read, &[]),
        spec("get_diagnostics", Read, Read, &["file_path"]),
        spec("blast_radius", Read, Read, &[]),
        spec("preview_edit", Draft, Draft, &["file_path"]),
        spec("simulate_chain", Draft, Draft, &[]),
        spec("simulate_edit", Draft, Draft, &[]),
        spec("rename_symbol", Draft, Write, &["dry_run", "new_name"]),
        spec("apply_edit", Write, Write, &["file_path"]),
        spec("replace_symbol_body", Write, Write, &["file_path"]),
        spec("format_document", Read, Write, &["apply"]),
        spec("run_build", Run, Run, &[]),
        spec("run_tests", Run, Run, &[]),
        spec("prepare_rename", Read, Read, &[]),
        spec("suggest_fixes", Read, Write, &["apply"]),
        spec("open_document", Read, Read, &[]),
        spec("get_tests_for_file", Read, Read, &[]),
    ];
    KnownTools::new(&ours)
}

/// A conversation in which one skill is active.
struct Conversation {
    gate: Gate,
    ledger: Ledger,
}

impl Conversation {
    fn new(phases: &[&str], global: &str, mode: Mode) -> Self {
        Self::guided(phases, global, mode, Guidance::default())
    }

    fn guided(phases: &[&str], global: &str, mode: Mode, guidance: Guidance) -> Self {
        let table = Table::understand(&written(phases, global), &known()).unwrap();
        let mut ledger = Ledger::default();
        ledger
            .activate((&call("activate_skill")).into(), ActiveSkill::new("demo", mode, Arc::new(table)))
            .unwrap();
        ledger.take_news();
        Self { gate: Gate::new(vec![Box::new(Phases::new(guidance))]), ledger }
    }

    fn ask(&self, tool: &str, effect: Effect, arguments: Value) -> Verdict {
        self.judge(tool, effect, arguments).verdict
    }

    fn judge(&self, tool: &str, effect: Effect, arguments: Value) -> Judgement {
        let call = ToolCall { arguments, ..call(tool) };
        let intent = Intent { effect, targets: Targets::Unknown };
        self.gate.before(&Asked::new(&self.ledger, &call, &intent, &facts(vec![])))
    }

    /// Asks, and if it may run, it ends with this answer. What came of it, in a word.
    fn call(&mut self, tool: &str, effect: Effect, arguments: Value, answer: Option<Value>) -> String {
        let Judgement { verdict, stand, .. } = self.judge(tool, effect, arguments.clone());
        let ran = matches!(verdict, Verdict::Allow { .. } | Verdict::Warn(_));
        let call = ToolCall { arguments, ..call(tool) };
        let (identity, intent) = (ToolIdentity::of(tool), Intent { effect, targets: Targets::Unknown });
        let answer = answer.filter(|_| ran);
        let facts = facts(vec![]);
        let happened = Happened {
            call: &call,
            tool: &identity,
            intent: &intent,
            facts: &facts,
            answer: answer.as_ref(),
            stand,
        };
        self.gate.after(&mut self.ledger, &happened);
        format!("{} → {}", verdict.word(), self.phase())
    }

    fn works(&mut self, tool: &str, effect: Effect) -> String {
        self.call(tool, effect, json!({}), Some(json!({})))
    }

    fn phase(&self) -> String {
        let status = self.ledger.active().unwrap().status();
        format!("{}{}", status.current_phase, if status.phase_complete { " (complete)" } else { "" })
    }
}

pub(crate) const SAFE: [&str; 4] = [
    "setup! | start_lsp get_diagnostics | @write @run | get_diagnostics",
    "preview! | preview_edit simulate_chain | @write @run | preview_edit(safe_to_apply=true) simulate_chain(safe_to_apply=true)",
    "apply | apply_edit replace_symbol_body Edit Write | simulate_* preview_edit",
    "verify | get_diagnostics suggest_fixes apply_edit | simulate_* @run",
];

/// The original's tables, as they were shipped.
pub(crate) const RENAME: [&str; 3] = [
    "prerequisites | start_lsp",
    "preview | go_to_symbol prepare_rename find_references rename_symbol | apply_edit Edit Write",
    "execute | get_diagnostics rename_symbol apply_edit | simulate_* preview_edit run_build",
];
pub(crate) const SAFE_EDIT: [&str; 4] = [
    "setup | start_lsp open_document get_diagnostics | apply_edit Edit Write",
    "speculative_preview | preview_edit simulate_chain | apply_edit Edit Write",
    "apply | apply_edit Edit Write | simulate_* preview_edit",
    "verify_and_fix | get_diagnostics suggest_fixes apply_edit format_document | simulate_* preview_edit run_build run_tests",
];

#[test]
fn the_seeds_own_example_goes_as_it_says() {
    let mut conversation = Conversation::new(&RENAME, "format_document run_tests", Mode::Block);
    assert_eq!(conversation.works("start_lsp", Effect::Draft), "allow → prerequisites (complete)");
    assert_eq!(conversation.works("go_to_symbol", Effect::Read), "allow → preview (complete)");
    assert_eq!(conversation.works("prepare_rename", Effect::Read), "allow → preview (complete)");
    assert_eq!(conversation.works("blast_radius", Effect::Read), "allow → preview (complete)");
    assert_eq!(conversation.works("run_tests", Effect::Run), "refuse → preview (complete)");
    assert_eq!(conversation.works("get_diagnostics", Effect::Read), "allow → execute (complete)");
    assert_eq!(conversation.works("apply_edit", Effect::Write), "allow → execute (complete)");
}

#[test]
fn only_a_call_that_succeeded_opens_a_phase() {
    let mut conversation = Conversation::new(&RENAME, "", Mode::Block);
    assert_eq!(conversation.call("go_to_symbol", Effect::Read, json!({}), None), "allow → prerequisites");
    assert_eq!(conversation.works("go_to_symbol", Effect::Read), "allow → preview (complete)");
}

#[test]
fn what_completes_a_phase_is_an_answer_and_not_a_word() {
    let mut conversation = Conversation::new(&SAFE, "", Mode::Block);
    assert_eq!(conversation.works("preview_edit", Effect::Draft), "refuse → setup");
    assert_eq!(conversation.works("get_diagnostics", Effect::Read), "allow → setup (complete)");
    // It cannot be had by claiming it.
    let claimed = json!({"safe_to_apply": true});
    assert_eq!(
        conversation.call("preview_edit", Effect::Draft, claimed, Some(json!({"safe_to_apply": false}))),
        "allow → preview"
    );
    assert_eq!(conversation.works("apply_edit", Effect::Write), "refuse → preview");
    let safe = Some(json!({"safe_to_apply": true}));
    assert_eq!(
        conversation.call("preview_edit", Effect::Draft, json!({}), safe),
        "allow → preview (complete)"
    );
    // What the completed phase forbids opens the next.
    assert_eq!(conversation.works("apply_edit", Effect::Write), "allow → apply (complete)");
    assert_eq!(conversation.works("replace_symbol_body", Effect::Write), "allow → apply (complete)");
    assert_eq!(conversation.works("preview_edit", Effect::Draft), "refuse → apply (complete)");
    assert_eq!(conversation.works("get_diagnostics", Effect::Read), "allow → verify (complete)");
    assert_eq!(conversation.works("run_tests", Effect::Run), "refuse → verify (complete)");
}

#[test]
fn writers_that_nobody_names_are_writers_all_the_same() {
    let conversation = Conversation::new(&SAFE_EDIT, "", Mode::Block);
    for (tool, effect) in [
        ("replace_symbol_body", Effect::Write),
        ("mcp__files__write", Effect::Write),
        ("Bash", Effect::Run),
        ("Task", Effect::Run),
        ("execute_command", Effect::Run),
    ] {
        assert_eq!(conversation.ask(tool, effect, json!({})).word(), "refuse", "{tool}");
    }
    for (tool, effect) in
        [("inspect_symbol", Effect::Read), ("Grep", Effect::Read), ("TodoWrite", Effect::Draft)]
    {
        assert_eq!(conversation.ask(tool, effect, json!({})).word(), "allow", "{tool}");
    }
}

#[test]
fn every_spelling_of_a_tool_is_that_tool() {
    let conversation = Conversation::new(&SAFE, "", Mode::Block);
    for tool in [
        "apply_edit",
        "mcp__lsp__apply_edit",
        "mcp__agent-lsp__apply_edit",
        "lsp.apply_edit",
        "MCP:apply_edit",
    ] {
        let Verdict::Refuse(objection) = conversation.ask(tool, Effect::Write, json!({})) else {
            panic!("{tool} is let through")
        };
        assert_eq!(objection.reason, "apply_edit is forbidden in the \"setup\" phase", "{tool}");
    }
}

#[test]
fn arguments_tell_a_preview_from_a_rename() {
    let phases = [
        "preview! | find_references rename_symbol(dry_run=true) | @write @run | rename_symbol(dry_run=true)",
        "execute | rename_symbol get_diagnostics apply_edit",
    ];
    let mut conversation = Conversation::new(&phases, "", Mode::Block);
    let dry = || json!({"dry_run": true});
    assert_eq!(conversation.works("rename_symbol", Effect::Write), "refuse → preview");
    // The arguments say one thing and the call intends another: the intent counts.
    assert_eq!(conversation.call("rename_symbol", Effect::Write, dry(), Some(json!({}))), "refuse → preview");
    assert_eq!(
        conversation.call("rename_symbol", Effect::Draft, dry(), Some(json!({}))),
        "allow → preview (complete)"
    );
    assert_eq!(conversation.works("rename_symbol", Effect::Write), "allow → execute (complete)");
}

#[test]
fn a_refusal_says_where_one_stands_and_what_leads_on() {
    let conversation = Conversation::new(&SAFE, "blast_radius", Mode::Block);
    let Verdict::Refuse(objection) = conversation.ask("apply_edit", Effect::Write, json!({})) else {
        panic!()
    };
    let refusal = objection.refuse("apply_edit");
    insta::assert_snapshot!(serde_json::to_string_pretty(&refusal).unwrap(), @r#"
    {
      "error": "phase_violation",
      "tool": "apply_edit",
      "skill": "demo",
      "current_phase": "setup",
      "rule": "phases of demo",
      "reason": "apply_edit is forbidden in the \"setup\" phase",
      "recovery": "Complete the \"setup\" phase first. Allowed tools: [start_lsp, get_diagnostics]. It is complete after one of [get_diagnostics]."
    }
    "#);
    let recovery =
        |conversation: &Conversation, tool: &str, effect| match conversation.ask(tool, effect, json!({})) {
            Verdict::Refuse(objection) => format!("{}\n{}", objection.reason, objection.recovery),
            other => panic!("{other:?}"),
        };
    insta::assert_snapshot!(recovery(&conversation, "blast_radius", Effect::Read), @r#"
    blast_radius is globally forbidden during the demo skill
    This tool is not used in the demo workflow. Go on with the "setup" phase: [start_lsp, get_diagnostics]
    "#);
    insta::assert_snapshot!(recovery(&conversation, "preview_edit", Effect::Draft), @r#"
    preview_edit is too early in the "setup" phase: "setup" cannot be skipped and is not complete
    Complete the "setup" phase first. Allowed tools: [start_lsp, get_diagnostics]. It is complete after one of [get_diagnostics].
    "#);
    let mut conversation = Conversation::new(&SAFE, "", Mode::Block);
    conversation.works("get_diagnostics", Effect::Read);
    insta::assert_snapshot!(recovery(&conversation, "run_build", Effect::Run), @r#"
    run_build is forbidden in the "setup" phase
    The "setup" phase is complete. Go on to "preview" with one of [preview_edit, simulate_chain].
    "#);
}

#[test]
fn a_warning_lets_the_call_run_and_opens_nothing() {
    let mut conversation = Conversation::new(&SAFE, "", Mode::Warn);
    assert_eq!(conversation.works("apply_edit", Effect::Write), "warn → setup");
    assert_eq!(conversation.works("get_diagnostics", Effect::Read), "allow → setup (complete)");
}

#[test]
fn leaving_a_workflow_is_the_projects_word() {
    for (deactivate, expected) in
        [(Decision::Allow, "allow"), (Decision::Ask, "ask"), (Decision::Deny, "refuse")]
    {
        let guidance = Guidance { deactivate, ..Guidance::default() };
        let phases =
            ["one! | find_references | @write @run", "two! | get_diagnostics | @run", "three | apply_edit"];
        let mut conversation = Conversation::guided(&phases, "", Mode::Block, guidance);
        let leave =
            |conversation: &Conversation| conversation.ask("deactivate_skill", Effect::Draft, json!({}));
        assert_eq!(leave(&conversation).word(), expected);
        conversation.works("find_references", Effect::Read);
        assert_eq!(leave(&conversation).word(), expected);
        conversation.works("get_diagnostics", Effect::Read);
        assert_eq!(leave(&conversation).word(), "allow", "what is finished may be left");
    }
}

#[test]
fn a_ledger_does_not_change_without_news() {
    let table = Arc::new(Table::understand(&written(&RENAME, ""), &known()).unwrap());
    let mut ledger = Ledger::default();
    let by = call("activate_skill");
    ledger.activate((&by).into(), ActiveSkill::new("demo", Mode::Block, Arc::clone(&table))).unwrap();
    let again = ledger.activate((&by).into(), ActiveSkill::new("other", Mode::Block, table)).unwrap_err();
    assert_eq!(again.to_string(), "skill \"demo\" is already active; call deactivate_skill first");
    let mut conversation =
        Conversation { gate: Gate::new(vec![Box::new(Phases::new(Guidance::default()))]), ledger };
    conversation.works("go_to_symbol", Effect::Read);
    conversation.ledger.deactivate((&call("deactivate_skill")).into());
    assert!(conversation.ledger.deactivate((&by).into()).is_none());
    let news = conversation.ledger.take_news();
    let told: Vec<String> = news
        .iter()
        .map(|news| match &news.notice {
            Notice::Activated(place) => format!("{}: activated in {:?}", news.tool, place.phase),
            Notice::Deactivated(place) => format!("{}: deactivated in {:?}", news.tool, place.phase),
            Notice::Advanced { place, from } => format!("{}: {from} to {:?}", news.tool, place.phase),
            Notice::PolicyChanged(_) => "policy".into(),
        })
        .collect();
    assert_eq!(
        told,
        [
            "activate_skill: activated in Some(\"prerequisites\")",
            "go_to_symbol: prerequisites to Some(\"preview\")",
            "deactivate_skill: deactivated in Some(\"preview\")",
        ]
    );
    let snapshot = Conversation::new(&SAFE, "@run", Mode::Block).ledger.snapshot();
    let snapshot = serde_json::to_string(&snapshot).unwrap();
    let mut restored = Ledger::default();
    restored.restore(Snapshot::parse(&snapshot).unwrap());
    assert_eq!(restored, Conversation::new(&SAFE, "@run", Mode::Block).ledger);
}

#[test]
fn what_an_answer_does_not_say_completes_nothing() {
    let phases = ["one! | preview_edit | @write | preview_edit(broken=false)", "two | apply_edit"];
    let mut conversation = Conversation::new(&phases, "", Mode::Block);
    assert_eq!(conversation.works("preview_edit", Effect::Draft), "allow → one");
    let said = Some(json!({"broken": false}));
    assert_eq!(conversation.call("preview_edit", Effect::Draft, json!({}), said), "allow → one (complete)");
}

#[test]
fn a_star_wants_an_argument_and_not_which() {
    let phases = ["one! | get_diagnostics | @write | get_diagnostics(file_path=*)", "two | apply_edit"];
    let mut conversation = Conversation::new(&phases, "", Mode::Block);
    assert_eq!(conversation.works("get_diagnostics", Effect::Read), "allow → one");
    let file = json!({"file_path": "a.rs"});
    assert_eq!(
        conversation.call("get_diagnostics", Effect::Read, file, Some(json!({}))),
        "allow → one (complete)"
    );
}

#[test]
fn a_write_takes_back_what_was_looked_at_before_it() {
    let phases = ["build! | run_build apply_edit | Edit | run_build(success=true)", "test | run_tests"];
    let mut conversation = Conversation::new(&phases, "", Mode::Block);
    let built = || Some(json!({"success": true}));
    assert_eq!(conversation.call("run_build", Effect::Run, json!({}), built()), "allow → build (complete)");
    assert_eq!(conversation.works("apply_edit", Effect::Write), "allow → build");
    assert_eq!(conversation.works("run_tests", Effect::Run), "refuse → build");
    assert_eq!(conversation.call("run_build", Effect::Run, json!({}), built()), "allow → build (complete)");
    assert_eq!(conversation.works("run_tests", Effect::Run), "allow → test (complete)");
}

#[test]
fn a_call_counts_for_the_phase_that_it_was_let_in_by() {
    let phases = [
        "look! | find_references | @write | find_references",
        "edit! | apply_edit | @run",
        "check! | find_references get_diagnostics | @write @run | find_references",
        "mend | apply_edit",
    ];
    let mut conversation = Conversation::new(&phases, "", Mode::Block);
    let slow = conversation.judge("find_references", Effect::Read, json!({})).stand;
    conversation.works("find_references", Effect::Read);
    conversation.works("apply_edit", Effect::Write);
    conversation.works("get_diagnostics", Effect::Read);
    assert_eq!(conversation.phase(), "check");
    let (call, tool) = (call("find_references"), ToolIdentity::of("find_references"));
    let (intent, facts, answer) = (Intent::read_workspace(), facts(vec![]), json!({}));
    let late = Happened {
        call: &call,
        tool: &tool,
        intent: &intent,
        facts: &facts,
        answer: Some(&answer),
        stand: slow,
    };
    conversation.gate.after(&mut conversation.ledger, &late);
    assert_eq!(conversation.phase(), "check", "it had looked before anything was written");
    assert_eq!(conversation.works("find_references", Effect::Read), "allow → check (complete)");
}
