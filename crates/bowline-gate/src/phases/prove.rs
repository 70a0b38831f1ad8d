//! Proves a table before it counts: every state that can be reached is visited with every tool that there is.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bowline_call::{Effect, ToolIdentity, nearest};
use bowline_skills::{Finding, PhaseTable, Word};

use serde_json::{Map, Value};

use super::known::{KnownTool, KnownTools};
use super::pattern::{CallPattern, Occasion, Wanted};
use super::table::{Completion, Table, at};
use super::walk::{At, Ruling};
use crate::ToolPattern;

const EFFECTS: [Effect; 4] = [Effect::Read, Effect::Draft, Effect::Write, Effect::Run];
/// More than these are not told apart: each doubles the number of calls.
const MOST_CONDITIONS: usize = 6;

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
    let calls = calls(table, known);
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
    writes(written, table, &calls, &walked, &mut proof);
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
    // What completes a phase may be about the answer, whose members nobody lists.
    if completes {
        return;
    }
    let unknown = tools.find_map(|tool| {
        let strange = |wanted: &&Wanted| !tool.arguments.is_empty() && !tool.arguments.contains(&wanted.key);
        pattern.wanted.iter().find(strange).map(|wanted| (tool, wanted))
    });
    if let Some((tool, wanted)) = unknown {
        let message = format!("`{}` takes no argument `{}`", tool.name, wanted.key);
        proof.errors.push(at(written, word.line, message));
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

/// A write that is meant for after an unskippable phase must not be possible before it.
fn writes(written: &PhaseTable, table: &Table, calls: &[Call], walked: &Walked, proof: &mut Proof) {
    let mut told = BTreeSet::new();
    for (state, call) in walked.ran.iter().map(|(state, call)| (*state, &calls[*call])) {
        let occasion = call.occasion();
        if call.effect != Effect::Write {
            continue;
        }
        let phases = table.phases.iter().enumerate();
        let guards = phases
            .filter(|(index, phase)| *index > state.phase && !phase.skippable && phase.forbids(&occasion));
        for (guard, phase) in guards {
            let later = table.phases[guard + 1..]
                .iter()
                .any(|later| later.allows(&occasion) && !later.forbids(&occasion));
            if later && told.insert((state.phase, guard)) {
                let message = format!(
                    "`{}` writes already in the phase `{}`, before `{}`, which forbids it and cannot be skipped",
                    call.name, table.phases[state.phase].name, phase.name
                );
                proof.errors.push(at(written, table.phases[state.phase].line, message));
            }
        }
        let starts = state == At::default()
            && table.phases.len() > 1
            && table.phases[0].allowed.iter().all(|pattern| !pattern.matches(&occasion));
        if starts && told.insert((usize::MAX, usize::MAX)) {
            let message = format!(
                "`{}` may write as the very first call: no phase before it has `skippable: false`",
                call.name
            );
            proof.warnings.push(at(written, table.phases[0].line, message));
        }
    }
}

/// A call to try, and the answers that it may get.
struct Call {
    name: String,
    identity: ToolIdentity,
    effect: Effect,
    arguments: Value,
    answers: Vec<Value>,
}

impl Call {
    fn occasion(&self) -> Occasion<'_> {
        Occasion { tool: &self.identity, effect: self.effect, arguments: &self.arguments }
    }
}

/// Every tool, with every effect that it may have, the arguments that the table tells apart, and a tool that nobody knows.
fn calls(table: &Table, known: &KnownTools) -> Vec<Call> {
    let mut calls = Vec::new();
    let stranger = KnownTool {
        name: "a tool that the table does not name".into(),
        identity: ToolIdentity::of("mcp__somebody__else"),
        least: Effect::Read,
        most: Effect::Run,
        arguments: BTreeSet::new(),
    };
    for tool in known.iter().chain([&stranger]) {
        let (arguments, answers) =
            (combinations(&argument_conditions(table, tool)), combinations(&answer_conditions(table, tool)));
        for effect in EFFECTS.into_iter().filter(|effect| (tool.least..=tool.most).contains(effect)) {
            calls.extend(arguments.iter().map(|arguments| Call {
                name: tool.name.clone(),
                identity: tool.identity.clone(),
                effect,
                arguments: arguments.clone(),
                answers: answers.clone(),
            }));
        }
    }
    calls
}

fn names(pattern: &CallPattern, tool: &KnownTool) -> bool {
    match &pattern.tool {
        ToolPattern::Name(name) => name.matches(&tool.identity),
        ToolPattern::Class(_) => true,
    }
}

type Conditions = BTreeMap<String, BTreeMap<String, Value>>;

fn argument_conditions(table: &Table, tool: &KnownTool) -> Conditions {
    let lists = table.phases.iter().flat_map(|phase| phase.allowed.iter().chain(&phase.forbidden));
    let listed = lists.chain(&table.global_forbidden).filter(|pattern| names(pattern, tool));
    let completing = completions(table, tool, false);
    collect(listed.flat_map(|pattern| &pattern.wanted).chain(completing))
}

fn answer_conditions(table: &Table, tool: &KnownTool) -> Conditions {
    collect(completions(table, tool, true))
}

fn completions<'a>(table: &'a Table, tool: &'a KnownTool, answer: bool) -> impl Iterator<Item = &'a Wanted> {
    let all = table.phases.iter().flat_map(|phase| phase.complete_when.iter().flatten());
    let of_tool = all.filter(move |completion| names(&completion.call, tool));
    of_tool.flat_map(Completion::conditions).filter(move |(_, of)| *of == answer).map(|(wanted, _)| wanted)
}

fn collect<'a>(wanted: impl Iterator<Item = &'a Wanted>) -> Conditions {
    let mut conditions = Conditions::new();
    for wanted in wanted {
        let (key, value) = wanted.example();
        conditions.entry(key).or_default().insert(value.to_string(), value);
    }
    conditions
}

/// Each member absent, and with each of its values.
fn combinations(conditions: &Conditions) -> Vec<Value> {
    let mut all = vec![Map::new()];
    for (key, values) in conditions.iter().take(MOST_CONDITIONS) {
        let with = |value: &Value| {
            all.iter()
                .map(move |map: &Map<String, Value>| {
                    let mut map = map.clone();
                    map.insert(key.clone(), value.clone());
                    map
                })
                .collect::<Vec<_>>()
        };
        let more: Vec<_> = values.values().flat_map(with).collect();
        all.extend(more);
    }
    all.into_iter().map(Value::Object).collect()
}

/// Where one can come to.
struct Walked {
    states: HashSet<At>,
    /// The calls that may run, and the state that each may run in.
    ran: Vec<(At, usize)>,
}

impl Walked {
    fn explore(table: &Table, calls: &[Call]) -> Self {
        let mut walked = Self { states: HashSet::from([At::default()]), ran: Vec::new() };
        let mut waiting = vec![At::default()];
        while let Some(state) = waiting.pop() {
            for (index, call) in calls.iter().enumerate() {
                let occasion = call.occasion();
                if matches!(table.rule(state, &occasion), Ruling::Violation(_)) {
                    continue;
                }
                walked.ran.push((state, index));
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
