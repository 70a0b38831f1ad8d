//! Where a conversation stands in a table, what a call gets there, and where it stands afterwards.

use bowline_call::Effect;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pattern::Occasion;
use super::table::Table;

/// Where a conversation stands. Nothing else of its past matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct At {
    /// From 0.
    pub phase: usize,
    /// Whether that phase is complete.
    pub complete: bool,
}

/// What a call gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The phase allows it.
    Stay,
    /// It may run, and opens this later phase if it succeeds.
    Open(usize),
    /// Nobody names it, and it changes nothing.
    Pass,
    Violation(Violation),
}

/// Why it breaks the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// The whole skill forbids it.
    Globally,
    /// The current phase forbids it.
    Forbidden,
    /// A later phase allows it, and this one, which cannot be skipped, is not complete.
    TooEarly { unfinished: usize },
    /// It changes things or runs programs, and no phase from here on allows it.
    Unnamed(Effect),
}

impl Table {
    /// What a call gets.
    pub fn rule(&self, at: At, occasion: &Occasion<'_>) -> Ruling {
        if self.global_forbidden.iter().any(|pattern| pattern.matches(occasion)) {
            return Ruling::Violation(Violation::Globally);
        }
        let Some(current) = self.phases.get(at.phase) else {
            // A place that no table has: nothing may run.
            return Ruling::Violation(Violation::Globally);
        };
        let forbidden = current.forbids(occasion);
        if !forbidden && current.allows(occasion) {
            return Ruling::Stay;
        }
        // What a phase forbids is forbidden until what it says completes it has happened: then a later one may say otherwise.
        let lifted = at.complete && current.complete_when.is_some();
        if forbidden && !lifted {
            return Ruling::Violation(Violation::Forbidden);
        }
        let opens = |phase: &usize| {
            let phase = &self.phases[*phase];
            phase.allows(occasion) && !phase.forbids(occasion)
        };
        if let Some(later) = (at.phase + 1..self.phases.len()).find(opens) {
            return match self.unfinished(at, later) {
                None => Ruling::Open(later),
                Some(_) if forbidden => Ruling::Violation(Violation::Forbidden),
                Some(unfinished) => Ruling::Violation(Violation::TooEarly { unfinished }),
            };
        }
        match occasion.effect {
            _ if forbidden => Ruling::Violation(Violation::Forbidden),
            Effect::Read | Effect::Draft => Ruling::Pass,
            effect @ (Effect::Write | Effect::Run) => Ruling::Violation(Violation::Unnamed(effect)),
        }
    }

    /// Where the conversation stands after a call that succeeded with this answer.
    #[must_use]
    pub fn after(&self, at: At, occasion: &Occasion<'_>, answer: &Value) -> At {
        let completes = |phase: usize| {
            self.phases.get(phase).is_some_and(|phase| phase.is_completed_by(occasion, answer))
        };
        match self.rule(at, occasion) {
            // What is written after a phase was completed is not what was looked at when it was.
            Ruling::Stay => {
                let lasting = occasion.effect != Effect::Write || !self.looks(at.phase);
                At { complete: (at.complete && lasting) || completes(at.phase), ..at }
            }
            Ruling::Open(phase) => At { phase, complete: completes(phase) },
            Ruling::Pass | Ruling::Violation(_) => at,
        }
    }

    /// Whether nothing that cannot be skipped is left to do.
    pub fn is_finished(&self, at: At) -> bool {
        at.complete && self.phases.iter().skip(at.phase + 1).all(|phase| phase.skippable)
    }

    /// Whether a phase says what completes it.
    fn looks(&self, phase: usize) -> bool {
        self.phases.get(phase).is_some_and(|phase| phase.complete_when.is_some())
    }

    /// The first phase on the way there that cannot be skipped and is not complete.
    fn unfinished(&self, at: At, later: usize) -> Option<usize> {
        let is_unfinished = |phase: &usize| {
            let complete = *phase == at.phase && at.complete;
            !self.phases[*phase].skippable && !complete
        };
        (at.phase..later).find(is_unfinished)
    }
}
