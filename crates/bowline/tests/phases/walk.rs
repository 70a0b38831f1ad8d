//! One conversation in which a skill is active, asked through the real gate.

use std::sync::Arc;

use bowline_call::{CallId, ConversationId, Intent, Origin, Targets, ToolCall, ToolIdentity};
use bowline_gate::{
    ActiveSkill, Asked, Facts, Gate, Guidance, Happened, Ledger, Mode, Phases, Table, Verdict,
};
use serde_json::Value;

use crate::promise::Happening;

pub(crate) struct Walk {
    gate: Gate,
    facts: Facts,
    call: ToolCall,
}

impl Walk {
    pub(crate) fn new() -> Self {
        let call = ToolCall {
            id: CallId::fresh(),
            conversation: ConversationId::new("test"),
            origin: Origin::Cli,
            tool: "activate_skill".into(),
            arguments: Value::Null,
            cwd: None,
            server: None,
        };
        let facts = Facts::new(std::time::SystemTime::UNIX_EPOCH, vec!["/project".into()], vec![]);
        Self { gate: Gate::new(vec![Box::new(Phases::new(Guidance::default()))]), facts, call }
    }

    /// The skill, just activated.
    pub(crate) fn start(&self, skill: &str, table: &Table) -> Ledger {
        let mut ledger = Ledger::default();
        let active = ActiveSkill::new(skill, Mode::Block, Arc::new(table.clone()));
        ledger.activate((&self.call).into(), active).unwrap();
        ledger
    }

    /// Whether it may run; and if it does, it succeeds or fails.
    pub(crate) fn step(&self, ledger: &mut Ledger, call: &Happening, succeeds: bool) -> bool {
        let intent = Intent { effect: call.effect, targets: Targets::Unknown };
        let made =
            ToolCall { tool: call.tool.clone(), arguments: call.arguments.clone(), ..self.call.clone() };
        let judged = self.gate.before(&Asked::new(ledger, &made, &intent, &self.facts));
        let runs = matches!(judged.verdict, Verdict::Allow { .. });
        let tool = ToolIdentity::of(&call.tool);
        let answer = (runs && succeeds).then_some(&call.answer);
        let (intent, facts) = (&intent, &self.facts);
        let happened = Happened { call: &made, tool: &tool, intent, facts, answer, stand: judged.stand };
        self.gate.after(ledger, &happened);
        runs
    }
}

/// The phase, and whether it is complete.
pub(crate) fn place(ledger: &Ledger) -> (usize, bool) {
    let status = ledger.active().unwrap().status();
    (status.phase_index, status.phase_complete)
}
