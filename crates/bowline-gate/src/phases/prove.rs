//! Proves a table before it counts: every state that can be reached is visited with every tool that there is.

mod calls;

use std::collections::{BTreeSet, HashSet};

use bowline_call::{Effect, ToolIdentity, nearest};
use bowline_skills::{Finding, PhaseTable, Word};

use self::calls::{Call, TooMuch, calls};
use super::known::{KnownTool, KnownTools};
use super::pattern::{CallPattern, Wanted};
use super::table::{Phase, Table, at};
use super::walk::{At, Ruling};
use crate::ToolPattern;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// The table is not to be used.
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
    /// How many states can be reached.
    pub states: usize,
    /// How many calls were tried in each.
    pub calls: usize,
}

/// Reads a table as it was written, and as it was understood, against the tools that there are.
pub fn prove(written: &PhaseTable, table: &Table, known: &KnownTools) -> Proof {
    let mut proof = Proof::default();
    words(written, known, &mut proof);
    first(written, &mut proof);
    let calls = match calls(table, known) {
        Ok(calls) => calls,
        Err(TooMuch(tool)) => {
            let line = written.phases.first().map_or(1, |phase| phase.name.line);
            let message = format!(
                "the table is too large to be proved: it tells apart too many calls of `{tool}`; use fewer conditions"
            );
            proof.errors.push(at(written, line, message));
            return proof;
        }
    };
    let walked = Walked::explore(table, &calls);
    for (phase, spec) in written.phases.iter().enumerate() {
        let name = &spec.name.text;
        if !walked.states.iter().any(|state| state.phase == phase) {
            let message =
                format!("the phase `{name}` cannot be reached: no call opens it{}", why(table, phase));
            proof.errors.push(at(written, spec.name.line, message));
        } else if (spec.complete_when.is_some() || !spec.skippable)
            && !walked.states.contains(&At { phase, complete: true })
        {
            let message = format!(
                "nothing can complete the phase `{name}`: what completes it must be allowed in it and not forbidden"
            );
            proof.errors.push(at(written, spec.name.line, message));
        }
    }
    writes(written, table, (&calls, &walked), known, &mut proof);
    proof.states = walked.states.len();
    proof.calls = calls.len();
    proof
}

/// Every word must mean something.
fn words(written: &PhaseTable, known: &KnownTools, proof: &mut Proof) {
    let of_phases = written.phases.iter().flat_map(|phase| {
        let completing = phase.complete_when.iter().flatten().map(|word| (word, true));
        phase.allowed.iter().chain(&phase.forbidden).map(|word| (word, false)).chain(completing)
    });
    for (word, completes) in of_phases.chain(written.global_forbidden.iter().map(|word| (word, false))) {
        word_means(written, word, completes, known, proof);
    }
}

fn word_means(written: &PhaseTable, word: &Word, completes: bool, known: &KnownTools, proof: &mut Proof) {
    let Ok(pattern) = CallPattern::parse(&word.text) else { return };
    let ToolPattern::Name(name) = &pattern.tool else { return };
    let mut tools = known.matching(name).peekable();
    if tools.peek().is_none() {
        let shown = name.text();
        if name.spellings().any(|spelling| spelling.text.starts_with("mcp__") && !is_ours(&spelling.text)) {
            let message =
                format!("`{shown}` is a tool of another server: nobody can tell here whether there is one");
            proof.warnings.push(at(written, word.line, message));
            return;
        }
        let meant = nearest(ToolIdentity::of(shown).bare(), known.names());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        proof.errors.push(at(written, word.line, format!("`{shown}` names no tool that there is{meant}")));
        return;
    }
    let is_unseen = |tool: &KnownTool| tool.arguments.is_empty() && tool.answers.is_empty();
    if tools.all(is_unseen) {
        if let Some(wanted) = pattern.wanted.first() {
            let message =
                format!("nobody can tell here whether `{}` takes an argument `{}`", name.text(), wanted.key);
            proof.warnings.push(at(written, word.line, message));
        }
        return;
    }
    let mut seen = known.matching(name).filter(|tool| !is_unseen(tool));
    // One is enough to say what is wrong with the word.
    let wrong =
        seen.find_map(|tool| pattern.wanted.iter().find_map(|wanted| meaningless(tool, wanted, completes)));
    proof.errors.extend(wrong.map(|message| at(written, word.line, message)));
}

/// Why a condition can never hold, if that is known.
fn meaningless(tool: &KnownTool, wanted: &Wanted, completes: bool) -> Option<String> {
    let (name, key) = (&tool.name, &wanted.key);
    match tool.arguments.get(key) {
        Some(true) if !wanted.is_yes_or_no() => Some(format!("`{key}` of `{name}` is `true` or `false`")),
        Some(_) => None,
        None if completes && tool.answers.contains(&key.as_str()) => None,
        None if completes => {
            let of = if tool.answers.is_empty() {
                "nothing of its answer".to_owned()
            } else {
                format!("`{}` of its answer", tool.answers.join("`, `"))
            };
            Some(format!("`{name}` takes no argument `{key}`, and phases may go by {of}"))
        }
        None => Some(format!("`{name}` takes no argument `{key}`")),
    }
}

fn is_ours(spelling: &str) -> bool {
    spelling.starts_with("mcp__bowline__")
}

fn first(written: &PhaseTable, proof: &mut Proof) {
    if let Some(first) = written.phases.first()
        && first.allowed.is_empty()
        && first.forbidden.is_empty()
    {
        let message = format!(
            "the first phase, `{}`, is empty: it allows nothing and forbids nothing",
            first.name.text
        );
        proof.errors.push(at(written, first.name.line, message));
    }
}

/// Why a phase may be out of reach.
fn why(table: &Table, phase: usize) -> String {
    let Some(before) = phase.checked_sub(1).map(|before| &table.phases[before]) else { return String::new() };
    if table.phases[phase].allowed.is_empty() {
        return "; it allows nothing".into();
    }
    if before.complete_when.is_none() && before.skippable {
        let name = &before.name;
        return format!(
            "; what it allows is forbidden in the phase `{name}`, which has no `complete_when` that would lift that"
        );
    }
    String::new()
}

/// What is meant for after an unskippable phase should not be possible before it.
fn writes(
    written: &PhaseTable,
    table: &Table,
    (calls, walked): (&[Call], &Walked),
    known: &KnownTools,
    proof: &mut Proof,
) {
    let mut told = BTreeSet::new();
    for (state, call, ruling) in &walked.ran {
        let (call, here) =
            (&calls[*call], if let Ruling::Open(later) = ruling { *later } else { state.phase });
        if call.effect < Effect::Write {
            continue;
        }
        let (occasion, phase) = (call.occasion(), &table.phases[here]);
        let allows = |later: &Phase| later.allows(&occasion) && !later.forbids(&occasion);
        let is_guard = |guard: &&Phase| !guard.skippable && guard.forbids(&occasion);
        let guards = table.phases.iter().enumerate().skip(here + 1).filter(|(_, guard)| is_guard(guard));
        for (index, guard) in guards {
            if !table.phases[index + 1..].iter().any(allows) || !told.insert((here, index)) {
                continue;
            }
            let does = if call.effect == Effect::Run { "runs" } else { "writes" };
            let message = format!(
                "`{}` {does} already in the phase `{}`, before `{}`, which forbids it and cannot be skipped",
                call.name, phase.name, guard.name
            );
            // A phase that forbids some writing and lets other pass contradicts itself; one that is for writing does not.
            let contradicts = forbids_writing(phase, known);
            let findings = if contradicts { &mut proof.errors } else { &mut proof.warnings };
            findings.push(at(written, phase.line, message));
        }
        let at_once = *state == At::default() && here > 0 && call.effect == Effect::Write;
        if at_once && told.insert((usize::MAX, usize::MAX)) {
            let message = format!(
                "`{}` may write as the very first call: no phase before it has `skippable: false`",
                call.name
            );
            proof.warnings.push(at(written, table.phases[0].line, message));
        }
    }
}

/// Whether a phase keeps out something that can do nothing but write or run.
fn forbids_writing(phase: &Phase, known: &KnownTools) -> bool {
    phase.forbidden.iter().any(|pattern| match &pattern.tool {
        ToolPattern::Class(effect) => *effect >= Effect::Write,
        ToolPattern::Name(name) => known.matching(name).any(|tool| tool.least == Effect::Write),
    })
}

/// Where one can come to.
struct Walked {
    states: HashSet<At>,
    /// The calls that may run, the state that each may run in, and what it gets there.
    ran: Vec<(At, usize, Ruling)>,
}

impl Walked {
    fn explore(table: &Table, calls: &[Call]) -> Self {
        let mut walked = Self { states: HashSet::from([At::default()]), ran: Vec::new() };
        let mut waiting = vec![At::default()];
        while let Some(state) = waiting.pop() {
            for (index, call) in calls.iter().enumerate() {
                let occasion = call.occasion();
                let ruling = table.rule(state, &occasion);
                if matches!(ruling, Ruling::Violation(_)) {
                    continue;
                }
                walked.ran.push((state, index, ruling));
                for answer in &call.answers {
                    let next = table.after(state, &occasion, answer);
                    if walked.states.insert(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        walked
    }
}
