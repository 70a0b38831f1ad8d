//! The fences of a conversation as a rule of the gate.

use bowline_call::RefusalCode;

use super::BASELINE;
use crate::{Asked, Objection, Rule, RuleFailed, SkillPlace, Verdict};

const RULE: &str = "skill fence";

/// Only what every loaded skill lists may be called, and what is always there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fenced;

impl Rule for Fenced {
    fn name(&self) -> &'static str {
        RULE
    }

    fn check(&self, asked: &Asked<'_>) -> Result<Verdict, RuleFailed> {
        let Some(fence) = asked.ledger.fences().keeping_out(asked) else {
            return Ok(Verdict::allow(RULE));
        };
        let tool = asked.tool.bare();
        let with = if fence.entries.iter().any(|entry| entry.names(&asked.tool)) {
            " with these arguments"
        } else {
            ""
        };
        Ok(Verdict::Refuse(Objection {
            code: RefusalCode::NotAllowed,
            rule: format!("allowed-tools of {}", fence.skill),
            reason: format!("{tool} is not among the tools that the skill {} allows{with}", fence.skill),
            recovery: format!(
                "reach the goal with the tools that the skill lists; {} are always there",
                BASELINE.join(", ")
            ),
            skill: Some(SkillPlace { skill: fence.skill.clone(), phase: None, mode: None }),
        }))
    }
}
