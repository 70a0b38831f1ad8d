//! A table of phases in, what each call gets out; and what is wrong with tables that promise too much.

use std::sync::Arc;

use bowline_call::{Effect, Intent, Targets, ToolCall, ToolIdentity, ToolSpec};
use bowline_gate::{
    ActiveSkill, Asked, Decision, Gate, Guidance, Happened, Judgement, KnownTools, Ledger, Mode, Notice,
    Phases, Proof, Table, Verdict, prove,
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
fn written(phases: &[&str], global: &str) -> PhaseTable {
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

fn known() -> KnownTools {
    let spec = |name: &str, least, most, arguments: &[&str]| ToolSpec {
        answers: if name.starts_with("preview") || name.starts_with("simulate") {
            &["safe_to_apply", "broken"]
        } else {
            &["success"]
        },
        name: name.into(),
        description: String::new(),
        input_schema: json!({"properties": arguments.iter().map(|name| ((*name).to_owned(), json!({"type": if *name == "dry_run" { "boolean" } else { "string" }}))).collect::<serde_json::Map<_, _>>()}),
        most,
        least,
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

fn proof(phases: &[&str], global: &str) -> Proof {
    let written = written(phases, global);
    let table = Table::understand(&written, &known()).unwrap();
    prove(&written, &table, &known())
}

fn errors(phases: &[&str]) -> Vec<String> {
    proof(phases, "").errors.iter().map(ToString::to_string).collect()
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

const SAFE: [&str; 4] = [
    "setup! | start_lsp get_diagnostics | @write @run | get_diagnostics",
    "preview! | preview_edit simulate_chain | @write @run | preview_edit(safe_to_apply=true) simulate_chain(safe_to_apply=true)",
    "apply | apply_edit replace_symbol_body Edit Write | simulate_* preview_edit",
    "verify | get_diagnostics suggest_fixes apply_edit | simulate_* @run",
];

/// The original's tables, as they were shipped.
const RENAME: [&str; 3] = [
    "prerequisites | start_lsp",
    "preview | go_to_symbol prepare_rename find_references rename_symbol | apply_edit Edit Write",
    "execute | get_diagnostics rename_symbol apply_edit | simulate_* preview_edit run_build",
];
const SAFE_EDIT: [&str; 4] = [
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
    let snapshot = serde_json::to_string(&Conversation::new(&SAFE, "@run", Mode::Block).ledger).unwrap();
    let restored: Ledger = serde_json::from_str(&snapshot).unwrap();
    assert_eq!(restored, Conversation::new(&SAFE, "@run", Mode::Block).ledger);
}

#[test]
fn a_sound_table_is_proved() {
    let proof = proof(&SAFE, "blast_radius");
    assert_eq!((proof.errors, proof.warnings), (vec![], vec![]));
    assert_eq!(proof.states, 6, "what opens the last two completes them at once");
    assert!(proof.calls > 100, "{}", proof.calls);
}

#[test]
fn tables_that_promise_too_much_are_refused_with_the_line() {
    // The original's: its apply phase can never be entered.
    assert_eq!(
        errors(&SAFE_EDIT),
        [
            "phases.yaml:14: the phase `apply` cannot be reached: no call opens it; what it allows is forbidden in the \
          phase `speculative_preview`, which has no `complete_when` that would lift that"
        ]
    );
    assert_eq!(
        errors(&["one | find_refernces", "two | apply_edit"]),
        ["phases.yaml:2: `find_refernces` names no tool that there is; did you mean `find_references`?"]
    );
    assert_eq!(
        errors(&["one | simulat_* find_references", "two | apply_edit"]),
        ["phases.yaml:2: `simulat_*` names no tool that there is"]
    );
    assert_eq!(
        errors(&["one | ", "two | apply_edit"]),
        ["phases.yaml:1: the first phase, `one`, is empty: it allows nothing and forbids nothing"]
    );
    assert_eq!(
        errors(&["one! | find_references | @write | preview_edit", "two | apply_edit"]),
        [
            "phases.yaml:1: nothing can complete the phase `one`: what completes it must be allowed in it and not \
             forbidden",
            "phases.yaml:5: the phase `two` cannot be reached: no call opens it"
        ]
    );
    assert_eq!(
        errors(&["one | find_references(deep=true) rename_symbol(dryrun=true)", "two | apply_edit"]),
        [
            "phases.yaml:2: `find_references` takes no argument `deep`",
            "phases.yaml:3: `rename_symbol` takes no argument `dryrun`"
        ]
    );
    assert_eq!(
        errors(&[
            "early | rename_symbol | apply_edit",
            "guard! | find_references | @write",
            "late | rename_symbol"
        ]),
        [
            "phases.yaml:1: `rename_symbol` writes already in the phase `early`, before `guard`, which forbids it and \
          cannot be skipped"
        ]
    );
}

#[test]
fn what_is_only_doubtful_is_said_too() {
    assert_eq!(
        warnings(&RENAME),
        [
            "phases.yaml:1: `rename_symbol` may write as the very first call: no phase before it has `skippable: false`"
        ]
    );
    assert_eq!(
        warnings(&["one! | find_references | mcp__files__write @write", "two | apply_edit"]),
        [
            "phases.yaml:3: `mcp__files__write` is a tool of another server: nobody can tell here whether there is one"
        ]
    );
}

#[test]
fn words_that_are_no_patterns_are_named_with_their_lines() {
    let wrong = Table::understand(&written(&["one | a(b | @wirte", "two | ) [x"], ""), &known()).unwrap_err();
    let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(wrong.len(), 4, "{wrong:?}");
    assert!(wrong[0].starts_with("phases.yaml:2: `a(b` cannot be understood"), "{wrong:?}");
    assert!(wrong[1].starts_with("phases.yaml:3: `@wirte` is not a class"), "{wrong:?}");
}

fn warnings(phases: &[&str]) -> Vec<String> {
    proof(phases, "").warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn to_edit_then_to_check_then_to_mend_is_sound() {
    let phases = [
        "look! | find_references | @write @run | find_references",
        "edit! | apply_edit",
        "check! | run_build | @write | run_build",
        "mend | apply_edit",
    ];
    assert_eq!(errors(&phases), Vec::<String>::new());
    assert_eq!(
        warnings(&phases),
        [
            "phases.yaml:6: `apply_edit` writes already in the phase `edit`, before `check`, which forbids it and cannot be \
          skipped"
        ]
    );
}

#[test]
fn what_runs_may_write_and_what_nobody_named_is_tried_too() {
    let guard = "guard! | find_references | @write @run | find_references";
    let told = |first: &str, last: &str| warnings(&[first, guard, last]);
    let early = |tool: &str, does: &str| {
        format!(
            "phases.yaml:1: `{tool}` {does} already in the phase `early`, before `guard`, which forbids it and cannot be skipped"
        )
    };
    assert!(told("early! | run_build", "late | @write @run").contains(&early("run_build", "writes")));
    assert!(told("early! | run_build", "late | @run").contains(&early("run_build", "runs")));
    // Forbidden with one value, it may be called with another.
    let told_of = told("early! | format_document | format_document(apply=false)", "late | @write");
    assert!(told_of.contains(&early("format_document", "writes")), "{told_of:?}");
    let foreign = told("early! | mcp__fs__write", "late | mcp__fs__write");
    assert!(foreign.contains(&early("mcp__fs__write", "writes")), "{foreign:?}");
}

#[test]
fn a_table_that_would_take_for_ever_is_refused_at_once() {
    let word = |value: usize| {
        format!("*({})", ["a", "b", "c", "d", "e", "f"].map(|key| format!("{key}={value}")).join(","))
    };
    let words: Vec<String> = (0..6).map(word).collect();
    let phase = format!("one | find_references {}", words.join(" "));
    let told = errors(&[&phase, "two | apply_edit"]);
    assert!(told.iter().any(|told| told.contains("too large to be proved")), "{told:?}");
}

#[test]
fn conditions_that_mean_nothing_are_told() {
    assert_eq!(
        warnings(&["one! | Edit(nonsense=1) find_references | @run", "two | apply_edit"]),
        ["phases.yaml:2: nobody can tell here whether `Edit` takes an argument `nonsense`"]
    );
    let wrong =
        Table::understand(&written(&["one | find_references | @write(a=1)"], ""), &known()).unwrap_err();
    assert!(wrong[0].to_string().contains("whatever its arguments"), "{wrong:?}");
}

#[test]
fn conditions_that_can_never_hold_are_errors() {
    let told = |complete: &str| {
        errors(&[
            &format!("one! | preview_edit run_build rename_symbol | Edit | {complete}"),
            "two | apply_edit",
        ])
    };
    assert_eq!(
        told("preview_edit(introduces_errors=false)"),
        [
            "phases.yaml:6: `preview_edit` takes no argument `introduces_errors`, and phases may go by `safe_to_apply`, \
          `broken` of its answer"
        ]
    );
    assert_eq!(
        told("rename_symbol(dry_run=tru)"),
        ["phases.yaml:6: `dry_run` of `rename_symbol` is `true` or `false`"]
    );
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

#[test]
fn tools_that_cannot_be_called_open_nothing() {
    let phases = ["one! | find_references | @write", "two | apply_edit"];
    let written = written(&phases, "");
    let known = known().offering(&["apply_edit".to_owned()].into());
    let table = Table::understand(&written, &known).unwrap();
    let told: Vec<String> = prove(&written, &table, &known).errors.iter().map(ToString::to_string).collect();
    assert!(told[0].starts_with("phases.yaml:1: nothing can complete the phase `one`"), "{told:?}");
}
