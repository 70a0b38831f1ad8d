//! `deactivate_skill`: no order is kept any more.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
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
        let ended = self.guide.change(cx, move |ledger| Ok(ledger.deactivate(by))).await?;
        Ok(Answer::new(DeactivateSkillOutput {
            status: "deactivated",
            finished: ended.as_ref().map(bowline_gate::ActiveSkill::is_finished),
            skill: ended.map(|skill| skill.skill),
        }))
    }
}
