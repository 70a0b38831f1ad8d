//! Before and after: joins the rules, strictest wins, a rule that errs refuses.

use bowline_call::{Intent, RefusalCode, ToolCall};

use crate::{Facts, Ledger, LedgerEntry, Objection, Verdict};

/// All that a rule may look at.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub ledger: &'a Ledger,
    pub call: &'a ToolCall,
    pub intent: &'a Intent,
    pub facts: &'a Facts,
}

/// A rule could not come to a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleFailed(pub String);

/// One rule. It has no state of its own: what it must remember is in the ledger.
pub trait Rule: Send + Sync {
    fn name(&self) -> &'static str;

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed>;
}

/// All rules, in their order of asking.
pub struct Gate {
    rules: Vec<Box<dyn Rule>>,
}

impl Gate {
    pub fn new(rules: Vec<Box<dyn Rule>>) -> Self {
        Self { rules }
    }

    /// May this call run?
    pub fn before(&self, asked: &Asked<'_>) -> Verdict {
        self.rules
            .iter()
            .map(|rule| rule.check(asked).unwrap_or_else(|failed| refuse_for(rule.name(), &failed)))
            .reduce(Verdict::stricter)
            // No rule at all is a mistake in the wiring, and mistakes refuse.
            .unwrap_or_else(|| refuse_for("gate", &RuleFailed("there are no rules".into())))
    }

    /// Learns what happened.
    pub fn after(&self, ledger: &mut Ledger, call: &ToolCall, intent: &Intent, facts: &Facts, success: bool) {
        ledger.append(LedgerEntry {
            call: call.id,
            tool: call.tool.as_str().into(),
            effect: intent.effect,
            files: facts.paths.iter().filter_map(|path| path.real.clone().ok()).collect(),
            at: facts.now,
            success,
        });
    }
}

fn refuse_for(rule: &str, failed: &RuleFailed) -> Verdict {
    Verdict::Refuse(Objection {
        code: RefusalCode::RuleFailed,
        rule: rule.to_owned(),
        reason: format!("the rule could not be checked: {failed}"),
        recovery: "ask the person you work for to look at bowline's rules; until then this call is refused"
            .into(),
    })
}
