//! `deactivate_skill`: no order is kept any more.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::Ledger;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::{Guide, by};

/// End the active skill's order of phases.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DeactivateSkillArgs {}

#[derive(Debug, Serialize)]
pub(crate) struct DeactivateSkillOutput {
    status: &'static str,
    /// Which it was, if one was active.
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    /// Whether its last phase was complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<bool>,
}

pub(crate) struct DeactivateSkill {
    pub guide: Arc<Guide>,
}

impl Tool for DeactivateSkill {
    type Args = DeactivateSkillArgs;
    type Output = DeactivateSkillOutput;
    const NAME: &'static str = "deactivate_skill";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &DeactivateSkillArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(
        &self,
        _args: DeactivateSkillArgs,
        cx: &CallContext,
    ) -> Result<Answer<DeactivateSkillOutput>, ToolError> {
        let by = by(cx, Self::NAME);
        let name = |ledger: &Ledger| ledger.active().map(|active| active.skill.clone());
        let meant = name(&*self.guide.ledger(cx).await?);
        let end = move |ledger: &mut Ledger| match name(ledger) {
            // One that was activated meanwhile is another's.
            Some(other) if meant.as_ref() != Some(&other) => {
                Err(ToolError::failed(format!("skill \"{other}\" was activated meanwhile, and stays")))
            }
            _ => Ok(ledger.deactivate(by)),
        };
        let ended = self.guide.change(cx, end).await?;
        Ok(Answer::new(DeactivateSkillOutput {
            status: "deactivated",
            finished: ended.as_ref().map(bowline_gate::ActiveSkill::is_finished),
            skill: ended.map(|skill| skill.skill),
        }))
    }
}
