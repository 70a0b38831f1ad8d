//! What a rule says. The strictest wins.

use bowline_call::{Refusal, RefusalCode};

/// Why a rule stands in the way, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    pub code: RefusalCode,
    pub rule: String,
    pub reason: String,
    pub recovery: String,
}

impl Objection {
    /// As the answer to a call of this tool.
    pub fn refuse(self, tool: &str) -> Refusal {
        Refusal {
            error: self.code,
            tool: tool.to_owned(),
            rule: self.rule,
            reason: self.reason,
            recovery: self.recovery,
        }
    }
}

/// May the call run?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Yes; the rule that says so is named for the record.
    Allow { rule: String },
    /// Only if a person says so.
    Ask(Objection),
    /// No.
    Refuse(Objection),
}

impl Verdict {
    pub fn allow(rule: impl Into<String>) -> Self {
        Self::Allow { rule: rule.into() }
    }

    /// The rule that spoke.
    pub fn rule(&self) -> &str {
        match self {
            Self::Allow { rule } => rule,
            Self::Ask(objection) | Self::Refuse(objection) => &objection.rule,
        }
    }

    /// A word for the record.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Allow { .. } => "allow",
            Self::Ask(_) => "ask",
            Self::Refuse(_) => "refuse",
        }
    }

    /// The stricter of two; of two alike, the one that spoke first.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        if other.severity() > self.severity() { other } else { self }
    }

    fn severity(&self) -> u8 {
        match self {
            Self::Allow { .. } => 0,
            Self::Ask(_) => 1,
            Self::Refuse(_) => 2,
        }
    }
}
