//! `get_skill_phase`: where the conversation stands in the active skill.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::{ActiveSkill, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::Guide;

/// Where the active skill stands: its phase, and what is allowed, forbidden and still missing.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GetSkillPhaseArgs {}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum GetSkillPhaseOutput {
    Active {
        active: bool,
        #[serde(flatten)]
        status: Status,
    },
    Inactive {
        active: bool,
        /// Those that have phases.
        available_skills: Vec<String>,
    },
}

pub(crate) struct GetSkillPhase {
    pub guide: Arc<Guide>,
}

impl Tool for GetSkillPhase {
    type Args = GetSkillPhaseArgs;
    type Output = GetSkillPhaseOutput;
    const NAME: &'static str = "get_skill_phase";
    const MOST: Effect = Effect::Read;

    fn intent(&self, _args: &GetSkillPhaseArgs) -> Intent {
        Intent::new(Effect::Read, [])
    }

    async fn run(
        &self,
        _args: GetSkillPhaseArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetSkillPhaseOutput>, ToolError> {
        if let Some(status) = self.guide.ledger(cx).await?.active().map(ActiveSkill::status) {
            return Ok(Answer::new(GetSkillPhaseOutput::Active { active: true, status }));
        }
        let catalogue = self.guide.list().await?;
        let phased = catalogue.skills.iter().filter(|skill| skill.has_phases);
        let available_skills = phased.take(200).map(|skill| skill.name.clone()).collect();
        Ok(Answer::new(GetSkillPhaseOutput::Inactive { active: false, available_skills }))
    }
}
