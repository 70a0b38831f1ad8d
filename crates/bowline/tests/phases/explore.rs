//! Every state that can be reached, with every tool, effect, argument and outcome.

use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;

use bowline_call::Effect;
use bowline_gate::{KnownTools, Ledger, Table};
use serde_json::{Value, json};

use crate::promise::{Happening, Promise, Seen};
use crate::walk::{Walk, place};
use crate::{ENFORCED, Named, named, specs, table};

const EFFECTS: [Effect; 4] = [Effect::Read, Effect::Draft, Effect::Write, Effect::Run];

/// What was found out.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// Places in the table.
    pub(crate) places: BTreeSet<(usize, bool)>,
    /// Places, with what the promise has seen.
    pub(crate) states: usize,
    /// Calls tried in each state.
    pub(crate) calls: usize,
    pub(crate) ran: usize,
    pub(crate) refused: usize,
    pub(crate) broken: Vec<String>,
}

/// Arguments that may make a difference, and some that lie.
fn arguments() -> Vec<Value> {
    vec![
        json!({}),
        json!({"dry_run": true}),
        json!({"dry_run": false}),
        json!({"apply": true}),
        json!({"file_path": "rope.go"}),
        json!({"apply": 0}),
        json!({"safe_to_apply": true, "success": true, "passed": true, "applied": true}),
    ]
}

fn answers() -> Vec<Value> {
    vec![
        json!({}),
        json!({"safe_to_apply": false, "success": false, "passed": false, "applied": false}),
        json!({"safe_to_apply": true, "success": true, "passed": true, "applied": true}),
        json!("text"),
    ]
}

pub(crate) fn calls(tools: &[Named]) -> Vec<Happening> {
    let mut calls = Vec::new();
    for tool in tools {
        // What runs may have us write, and is looked at again then.
        let may = |effect: &Effect| {
            (tool.least..=tool.most).contains(effect)
                || (*effect == Effect::Write && tool.most == Effect::Run)
        };
        for effect in EFFECTS.into_iter().filter(may) {
            for arguments in arguments() {
                // A dry run that writes does not exist; the gate is asked about it all the same.
                calls.extend(answers().into_iter().map(|answer| Happening {
                    tool: tool.name.clone(),
                    effect,
                    arguments: arguments.clone(),
                    answer,
                }));
            }
        }
    }
    calls
}

/// What comes of it for each skill, explored once.
pub(crate) fn explored(skill: &str) -> &'static Explored {
    static ALL: OnceLock<Vec<Explored>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let specs = specs();
        let (known, calls) = (KnownTools::new(&specs), calls(&named(&specs)));
        ENFORCED.iter().map(|skill| explore(skill, &table(skill, &known).1, &calls)).collect()
    });
    &all[ENFORCED.iter().position(|known| *known == skill).unwrap()]
}

fn explore(skill: &str, table: &Table, calls: &[Happening]) -> Explored {
    let (walk, promise) = (Walk::new(), Promise::of(skill));
    let mut explored = Explored { calls: calls.len(), ..Explored::default() };
    let start = walk.start(skill, table);
    let mut known: HashSet<((usize, bool), Seen)> = HashSet::from([(place(&start), Seen::default())]);
    let mut waiting: Vec<(Ledger, Seen)> = vec![(start, Seen::default())];
    while let Some((ledger, seen)) = waiting.pop() {
        explored.places.insert(place(&ledger));
        for call in calls {
            let mut failed = ledger.clone();
            walk.step(&mut failed, call, false);
            if place(&failed) != place(&ledger) {
                explored.broken.push(format!("a failed {call:?} moved {:?}", place(&ledger)));
            }
            let mut next = ledger.clone();
            if !walk.step(&mut next, call, true) {
                explored.refused += 1;
                if place(&next) != place(&ledger) {
                    explored.broken.push(format!("a refused {call:?} moved {:?}", place(&ledger)));
                }
                continue;
            }
            explored.ran += 1;
            if promise.is_broken_by(seen, call) {
                explored.broken.push(format!("{call:?} ran in {:?} having seen {seen:?}", place(&ledger)));
            }
            let state = (place(&next), promise.after(seen, call));
            if known.insert(state) {
                waiting.push((next, state.1));
            }
        }
    }
    explored.states = known.len();
    explored
}

#[test]
fn nothing_is_written_before_what_each_table_promises() {
    let known = KnownTools::new(&specs());
    for skill in ENFORCED {
        let ((_, table), explored) = (table(skill, &known), explored(skill));
        assert_eq!(explored.broken, Vec::<String>::new(), "{skill}");
        for (index, phase) in table.phases().iter().enumerate() {
            let reached = explored.places.iter().any(|(place, _)| *place == index);
            assert!(reached, "{skill}: nobody reaches {}", phase.name);
        }
        assert!(explored.ran > 0 && explored.refused > 0, "{skill}");
    }
}

/// The test itself must be able to fail: the original's tables do break their promises.
#[test]
fn the_tables_that_others_shipped_are_seen_to_be_broken() {
    use bowline_skills::{PhaseSpec, PhaseTable, Word};
    let word = |text: &str| Word { text: text.to_owned(), line: 1 };
    let words = |text: &str| text.split_whitespace().map(word).collect::<Vec<_>>();
    let phase = |name: &str, allowed: &str, forbidden: &str| PhaseSpec {
        name: word(name),
        description: String::new(),
        allowed: words(allowed),
        forbidden: words(forbidden),
        complete_when: None,
        skippable: true,
    };
    let written = PhaseTable {
        file: "phases.yaml".into(),
        phases: vec![
            phase(
                "blast_radius",
                "blast_radius go_to_symbol find_references",
                "apply_edit simulate_* preview_edit Edit Write",
            ),
            phase(
                "speculative_preview",
                "open_document get_diagnostics preview_edit simulate_chain",
                "apply_edit Edit Write",
            ),
            phase("apply", "apply_edit format_document Edit Write", "simulate_* preview_edit rename_symbol"),
        ],
        global_forbidden: words("rename_symbol"),
    };
    let specs = specs();
    let known = KnownTools::new(&specs);
    let table = Table::understand(&written, &known).unwrap();
    let explored = explore("lsp-refactor", &table, &calls(&named(&specs)));
    let first =
        |tool: &str| explored.broken.iter().any(|what| what.contains(tool) && what.contains("(0, false)"));
    assert!(first("\"format_document\""), "it opened the door to writing at once");
}
