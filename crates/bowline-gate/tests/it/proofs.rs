//! What is wrong with tables that promise too much, and what is only doubtful.

use bowline_gate::{Proof, Table, prove};

use crate::phases::{RENAME, SAFE, SAFE_EDIT, known, written};

fn proof(phases: &[&str], global: &str) -> Proof {
    let written = written(phases, global);
    let table = Table::understand(&written, &known()).unwrap();
    prove(&written, &table, &known())
}

fn errors(phases: &[&str]) -> Vec<String> {
    proof(phases, "").errors.iter().map(ToString::to_string).collect()
}

fn warnings(phases: &[&str]) -> Vec<String> {
    proof(phases, "").warnings.iter().map(ToString::to_string).collect()
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
fn tools_that_cannot_be_called_open_nothing() {
    let phases = ["one! | find_references | @write", "two | apply_edit"];
    let written = written(&phases, "");
    let known = known().offering(&["apply_edit".to_owned()].into());
    let table = Table::understand(&written, &known).unwrap();
    let told: Vec<String> = prove(&written, &table, &known).errors.iter().map(ToString::to_string).collect();
    assert!(told[0].starts_with("phases.yaml:1: nothing can complete the phase `one`"), "{told:?}");
}
