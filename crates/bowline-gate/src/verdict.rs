//! What a rule says. The strictest wins.

use bowline_call::{Refusal, RefusalCode};
use serde::{Deserialize, Serialize};

use crate::Mode;

/// Where a conversation stands in a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillPlace {
    pub skill: String,
    pub phase: Option<String>,
    pub mode: Option<Mode>,
}

/// Why a rule stands in the way, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    pub code: RefusalCode,
    pub rule: String,
    pub reason: String,
    pub recovery: String,
    /// The skill whose phases or fence it is about.
    pub skill: Option<SkillPlace>,
}

impl Objection {
    /// As the answer to a call of this tool.
    pub fn refuse(self, tool: &str) -> Refusal {
        let (skill, current_phase) =
            self.skill.map_or((None, None), |place| (Some(place.skill), place.phase));
        Refusal {
            error: self.code,
            tool: tool.to_owned(),
            skill,
            current_phase,
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
    /// Yes, and the answer says what is wrong with it.
    Warn(Objection),
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
            Self::Warn(objection) | Self::Ask(objection) | Self::Refuse(objection) => &objection.rule,
        }
    }

    /// What the rule has against it.
    pub fn objection(&self) -> Option<&Objection> {
        match self {
            Self::Allow { .. } => None,
            Self::Warn(objection) | Self::Ask(objection) | Self::Refuse(objection) => Some(objection),
        }
    }

    /// A word for the record.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Allow { .. } => "allow",
            Self::Warn(_) => "warn",
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
            Self::Warn(_) => 1,
            Self::Ask(_) => 2,
            Self::Refuse(_) => 3,
        }
    }
}
