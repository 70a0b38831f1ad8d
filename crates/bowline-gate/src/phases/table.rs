//! A table of phases, understood: every word of it is a pattern, and every condition is about something that can be seen.

use bowline_skills::{Finding, PhaseSpec, PhaseTable, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::known::KnownTools;
use super::pattern::{CallPattern, Occasion, Wanted};
use crate::ToolPattern;

/// What completes a phase: a call that succeeded, perhaps with an answer of a certain kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Completion {
    pub(crate) call: CallPattern,
    /// Which of the conditions are about the answer; the others are about the arguments.
    answer: Vec<bool>,
}

impl Completion {
    /// A word that the tool takes as an argument is about the argument, any other is about the answer. Of tools that are
    /// not known only the answer counts: nobody completes a phase by what they say themselves.
    fn new(call: CallPattern, known: &KnownTools) -> Self {
        let takes = |key: &str| match &call.tool {
            ToolPattern::Name(name) => {
                let mut tools = known.matching(name).peekable();
                tools.peek().is_some() && tools.all(|tool| tool.arguments.contains_key(key))
            }
            ToolPattern::Class(_) => false,
        };
        let answer = call.wanted.iter().map(|wanted| !takes(&wanted.key)).collect();
        Self { call, answer }
    }

    pub(crate) fn holds(&self, occasion: &Occasion<'_>, answer: &Value) -> bool {
        let holds = |(wanted, of_answer): (&Wanted, bool)| {
            if of_answer { wanted.is_said_by(answer) } else { wanted.holds_of(occasion.arguments) }
        };
        self.call.names(occasion) && self.conditions().all(holds)
    }

    /// Each condition, and whether it is about the answer.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = (&Wanted, bool)> {
        self.call.wanted.iter().zip(self.answer.iter().copied())
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    pub name: String,
    pub description: String,
    pub(crate) line: usize,
    pub(crate) allowed: Vec<CallPattern>,
    pub(crate) forbidden: Vec<CallPattern>,
    pub(crate) complete_when: Option<Vec<Completion>>,
    pub(crate) skippable: bool,
}

impl Phase {
    pub(crate) fn allows(&self, occasion: &Occasion<'_>) -> bool {
        self.allowed.iter().any(|pattern| pattern.matches(occasion))
    }

    pub(crate) fn forbids(&self, occasion: &Occasion<'_>) -> bool {
        self.forbidden.iter().any(|pattern| pattern.matches(occasion))
    }

    /// Whether a call that succeeded in it completes it.
    pub(crate) fn is_completed_by(&self, occasion: &Occasion<'_>, answer: &Value) -> bool {
        match &self.complete_when {
            Some(completions) => completions.iter().any(|completion| completion.holds(occasion, answer)),
            None => self.allows(occasion),
        }
    }

    /// What completes it, as it was written.
    pub(crate) fn completing(&self) -> Vec<&str> {
        match &self.complete_when {
            Some(completions) => completions.iter().map(|completion| completion.call.text()).collect(),
            None => self.allowed.iter().map(CallPattern::text).collect(),
        }
    }
}

/// The steps in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub(crate) phases: Vec<Phase>,
    pub(crate) global_forbidden: Vec<CallPattern>,
}

impl Table {
    /// Understands every word, or says which it does not. Whether the table holds what it promises is a question of its
    /// own: see [`super::prove`].
    pub fn understand(table: &PhaseTable, known: &KnownTools) -> Result<Self, Vec<Finding>> {
        let mut wrong = Vec::new();
        let mut patterns = |words: &[Word]| -> Vec<CallPattern> {
            let understood = words.iter().filter_map(|word| match CallPattern::parse(&word.text) {
                Ok(pattern) => Some(pattern),
                Err(error) => {
                    wrong.push(at(table, word.line, error.to_string()));
                    None
                }
            });
            understood.collect()
        };
        let global_forbidden = patterns(&table.global_forbidden);
        let phases: Vec<Phase> = table
            .phases
            .iter()
            .map(|spec: &PhaseSpec| Phase {
                name: spec.name.text.clone(),
                description: spec.description.clone(),
                line: spec.name.line,
                allowed: patterns(&spec.allowed),
                forbidden: patterns(&spec.forbidden),
                complete_when: spec.complete_when.as_ref().map(|words| {
                    patterns(words).into_iter().map(|pattern| Completion::new(pattern, known)).collect()
                }),
                skippable: spec.skippable,
            })
            .collect();
        if phases.is_empty() {
            wrong.push(Finding {
                file: table.file.clone(),
                line: None,
                message: "there are no phases".into(),
            });
        }
        if wrong.is_empty() { Ok(Self { phases, global_forbidden }) } else { Err(wrong) }
    }

    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }
}

pub(crate) fn at(table: &PhaseTable, line: usize, message: impl Into<String>) -> Finding {
    Finding { file: table.file.clone(), line: Some(line), message: message.into() }
}
