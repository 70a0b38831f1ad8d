//! The skill that is active in a conversation, and what is told about it.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pattern::{CallPattern, Occasion};
use super::table::{Phase, Table};
use super::walk::At;
use crate::Mode;

/// What is remembered of the calls since a skill was activated.
const MOST_HISTORY: usize = 100;

/// A second skill cannot be activated before the first has ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("skill \"{0}\" is already active; call deactivate_skill first")]
pub struct NotActivated(pub String);

/// The skill whose order is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveSkill {
    pub skill: String,
    pub mode: Mode,
    pub(crate) table: Arc<Table>,
    pub(crate) at: At,
    history: VecDeque<String>,
}

impl ActiveSkill {
    pub fn new(skill: impl Into<String>, mode: Mode, table: Arc<Table>) -> Self {
        Self { skill: skill.into(), mode, table, at: At::default(), history: VecDeque::new() }
    }

    pub fn phase(&self) -> Option<&Phase> {
        self.table.phases.get(self.at.phase)
    }

    pub fn is_finished(&self) -> bool {
        self.table.is_finished(self.at)
    }

    /// A call has ended. What is returned is the phase that was left, if it was.
    pub(crate) fn learn(&mut self, occasion: &Occasion<'_>, answer: Option<&Value>) -> Option<String> {
        if self.history.len() == MOST_HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(occasion.tool.bare().to_owned());
        let before = self.at;
        self.at = self.table.after(self.at, occasion, answer?);
        (self.at.phase != before.phase).then(|| self.table.phases[before.phase].name.clone())
    }

    pub fn status(&self) -> Status {
        let words =
            |patterns: &[CallPattern]| patterns.iter().map(|pattern| pattern.text().to_owned()).collect();
        let phase = self.phase();
        let mut forbidden: Vec<String> = phase.map(|phase| words(&phase.forbidden)).unwrap_or_default();
        for pattern in &self.table.global_forbidden {
            if !forbidden.iter().any(|known| known == pattern.text()) {
                forbidden.push(pattern.text().to_owned());
            }
        }
        Status {
            skill_name: self.skill.clone(),
            current_phase: phase.map(|phase| phase.name.clone()).unwrap_or_default(),
            description: phase.map(|phase| phase.description.clone()).unwrap_or_default(),
            phase_index: self.at.phase,
            total_phases: self.table.phases.len(),
            phase_complete: self.at.complete,
            next_phase: self.table.phases.get(self.at.phase + 1).map(|next| next.name.clone()),
            finished: self.is_finished(),
            mode: self.mode,
            allowed_tools: phase.map(|phase| words(&phase.allowed)).unwrap_or_default(),
            forbidden_tools: forbidden,
            complete_when: phase
                .map(|phase| phase.completing().into_iter().map(str::to_owned).collect())
                .unwrap_or_default(),
            tool_history: self.history.iter().cloned().collect(),
        }
    }
}

/// Where a conversation stands, for whoever asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    pub skill_name: String,
    pub current_phase: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub phase_index: usize,
    pub total_phases: usize,
    pub phase_complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_phase: Option<String>,
    /// Nothing that cannot be skipped is left to do.
    pub finished: bool,
    pub mode: Mode,
    pub allowed_tools: Vec<String>,
    pub forbidden_tools: Vec<String>,
    /// One of these completes the phase.
    pub complete_when: Vec<String>,
    pub tool_history: Vec<String>,
}
