//! The calls that a table is tried with: every tool, every effect that it may have, and all arguments and answers that the
//! table tells apart.

use std::collections::{BTreeMap, BTreeSet};

use bowline_call::{Effect, ToolIdentity};
use serde_json::{Map, Value};

use super::super::known::{KnownTool, KnownTools};
use super::super::pattern::{CallPattern, Occasion, Wanted};
use super::super::table::{Completion, Table};
use crate::ToolPattern;

const EFFECTS: [Effect; 4] = [Effect::Read, Effect::Draft, Effect::Write, Effect::Run];
/// Combinations of arguments, or of answers, of one tool.
const MOST_COMBINATIONS: usize = 256;
/// Calls, times the places they are tried in, times the words that each is compared with.
const MOST_WORK: usize = 50_000_000;

/// There is more to try than anybody waits for. Names the tool with which it begins.
pub(super) struct TooMuch(pub(super) String);

/// A call to try, and the answers that it may get.
pub(super) struct Call {
    pub(super) name: String,
    identity: ToolIdentity,
    pub(super) effect: Effect,
    arguments: Value,
    pub(super) answers: Vec<Value>,
}

impl Call {
    pub(super) fn occasion(&self) -> Occasion<'_> {
        Occasion { tool: &self.identity, effect: self.effect, arguments: &self.arguments }
    }
}

/// All of them, or a tool of which there would be too many.
pub(super) fn calls(table: &Table, known: &KnownTools) -> Result<Vec<Call>, TooMuch> {
    let (strangers, mut calls, mut tried) = (strangers(table, known), Vec::new(), 0_usize);
    let words = patterns(table).count() + 1;
    for tool in known.offered().chain(&strangers) {
        let too_much = || TooMuch(tool.name.clone());
        let arguments = combinations(&argument_conditions(table, tool)).ok_or_else(too_much)?;
        let answers = combinations(&answer_conditions(table, tool)).ok_or_else(too_much)?;
        for effect in EFFECTS.into_iter().filter(|effect| may_have(tool, *effect)) {
            tried += arguments.len() * answers.len();
            if tried.saturating_mul(2 * table.phases.len()).saturating_mul(words) > MOST_WORK {
                return Err(too_much());
            }
            calls.extend(arguments.iter().map(|arguments| Call {
                name: tool.name.clone(),
                identity: tool.identity.clone(),
                effect,
                arguments: arguments.clone(),
                answers: answers.clone(),
            }));
        }
    }
    Ok(calls)
}

/// What runs a program may turn out to have it write for us: that is looked at again, as a write.
fn may_have(tool: &KnownTool, effect: Effect) -> bool {
    (tool.least..=tool.most).contains(&effect) || (effect == Effect::Write && tool.most == Effect::Run)
}

/// Tools that nobody here knows: those of other servers that the table names, and one that it does not.
fn strangers(table: &Table, known: &KnownTools) -> Vec<KnownTool> {
    let named = patterns(table).filter_map(|pattern| match &pattern.tool {
        ToolPattern::Name(name) if known.matching(name).next().is_none() => {
            let example = name.text().replace(['*', '?'], "x");
            name.matches(&ToolIdentity::of(&example)).then_some(example)
        }
        ToolPattern::Name(_) | ToolPattern::Class(_) => None,
    });
    let names: BTreeSet<String> = named.chain(["mcp__somebody__else".to_owned()]).collect();
    let stranger = |name: String| KnownTool {
        identity: ToolIdentity::of(&name),
        name,
        least: Effect::Read,
        most: Effect::Run,
        arguments: BTreeMap::new(),
        answers: &[],
        is_offered: true,
    };
    names.into_iter().map(stranger).collect()
}

/// Every pattern of the table.
fn patterns(table: &Table) -> impl Iterator<Item = &CallPattern> {
    let lists = table.phases.iter().flat_map(|phase| phase.allowed.iter().chain(&phase.forbidden));
    let completing = table.phases.iter().flat_map(|phase| phase.complete_when.iter().flatten());
    lists.chain(&table.global_forbidden).chain(completing.map(|completion| &completion.call))
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
    collect(listed.flat_map(|pattern| &pattern.wanted).chain(completions(table, tool, false)))
}

fn answer_conditions(table: &Table, tool: &KnownTool) -> Conditions {
    collect(completions(table, tool, true))
}

fn completions<'a>(table: &'a Table, tool: &'a KnownTool, answer: bool) -> impl Iterator<Item = &'a Wanted> {
    let all = table.phases.iter().flat_map(|phase| phase.complete_when.iter().flatten());
    let of_tool = all.filter(move |completion| names(&completion.call, tool));
    let conditions = of_tool.flat_map(Completion::conditions);
    conditions.filter(move |(_, of)| *of == answer).map(|(wanted, _)| wanted)
}

/// Each member with the values that are asked for, and with others.
fn collect<'a>(wanted: impl Iterator<Item = &'a Wanted>) -> Conditions {
    let mut conditions = Conditions::new();
    for wanted in wanted {
        let (key, value) = wanted.example();
        let other = match value {
            Value::Bool(flag) => Value::Bool(!flag),
            _ => "something else".into(),
        };
        let values = conditions.entry(key).or_default();
        values.insert(other.to_string(), other);
        values.insert(value.to_string(), value);
    }
    conditions
}

/// Each member absent, and with each of its values. None if there are too many.
fn combinations(conditions: &Conditions) -> Option<Vec<Value>> {
    let mut all = vec![Map::new()];
    for (key, values) in conditions {
        if all.len() * (values.len() + 1) > MOST_COMBINATIONS {
            return None;
        }
        let with = |value: &Value| {
            let with = |map: &Map<String, Value>| {
                let mut map = map.clone();
                map.insert(key.clone(), value.clone());
                map
            };
            all.iter().map(with).collect::<Vec<_>>()
        };
        let more: Vec<_> = values.values().flat_map(with).collect();
        all.extend(more);
    }
    Some(all.into_iter().map(Value::Object).collect())
}
