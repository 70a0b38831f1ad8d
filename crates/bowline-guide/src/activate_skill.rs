//! `activate_skill`: from now on the order of a skill's phases is kept.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::{ActiveSkill, Ledger, Mode, Table, prove};
use bowline_skills::{Finding, PhasesError, SkillError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::{Guide, by};

/// Keep the order of a skill's phases from now on.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ActivateSkillArgs {
    pub skill_name: String,
    /// What a call out of order gets: a warning with its answer (the default), or a refusal.
    #[serde(default)]
    pub mode: WireMode,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WireMode {
    #[default]
    Warn,
    Block,
}

#[derive(Debug, Serialize)]
pub(crate) struct ActivateSkillOutput {
    status: &'static str,
    skill: String,
    mode: Mode,
    current_phase: String,
    phase_index: usize,
    total_phases: usize,
    allowed_tools: Vec<String>,
    forbidden_tools: Vec<String>,
    complete_when: Vec<String>,
    /// What is doubtful about the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(crate) struct ActivateSkill {
    pub guide: Arc<Guide>,
}

impl Tool for ActivateSkill {
    type Args = ActivateSkillArgs;
    type Output = ActivateSkillOutput;
    const NAME: &'static str = "activate_skill";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &ActivateSkillArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(
        &self,
        args: ActivateSkillArgs,
        cx: &CallContext,
    ) -> Result<Answer<ActivateSkillOutput>, ToolError> {
        let name = args.skill_name.trim().to_owned();
        let (table, warnings) = self.table(&name).await?;
        let asked = match args.mode {
            WireMode::Warn => Mode::Warn,
            WireMode::Block => Mode::Block,
        };
        let mode = asked.max(self.guide.guidance.mode);
        let skill = ActiveSkill::new(name, mode, Arc::new(table));
        let status = skill.status();
        let by = by(cx, Self::NAME);
        let activate = move |ledger: &mut Ledger| {
            ledger.activate(by, skill.clone()).map_err(|error| ToolError::bad_arguments(error.to_string()))
        };
        self.guide.change(cx, activate).await?;
        let answer = Answer::new(ActivateSkillOutput {
            status: "activated",
            skill: status.skill_name,
            mode,
            current_phase: status.current_phase,
            phase_index: status.phase_index,
            total_phases: status.total_phases,
            allowed_tools: status.allowed_tools,
            forbidden_tools: status.forbidden_tools,
            complete_when: status.complete_when,
            warnings: warnings.iter().map(ToString::to_string).collect(),
        });
        Ok(if mode == asked {
            answer
        } else {
            answer.hint("bowline.toml asks for `block`, so calls out of order are refused")
        })
    }
}

impl ActivateSkill {
    /// The skill's table, understood and proved; and what is doubtful about it.
    async fn table(&self, name: &str) -> Result<(Table, Vec<Finding>), ToolError> {
        let wanted = name.to_owned();
        let written = match self.guide.ask(move |store| store.phases(&wanted)).await? {
            Ok(Some(written)) => written,
            Ok(None) => {
                let message = format!("skill \"{name}\" has no phases to keep in order");
                return Err(self.available(ToolError::bad_arguments(message)).await);
            }
            Err(PhasesError::Skill(SkillError::NotFound { .. } | SkillError::BadArgument(_))) => {
                return Err(self
                    .available(ToolError::bad_arguments(format!("unknown skill \"{name}\"")))
                    .await);
            }
            Err(error) => return Err(ToolError::failed(error.to_string())),
        };
        let known = Arc::clone(self.guide.known()?);
        // A table may be large, and nobody else is to wait for its proof.
        let proved = tokio::task::spawn_blocking(move || {
            let table = Table::understand(&written, &known)?;
            let proof = prove(&written, &table, &known);
            if proof.errors.is_empty() { Ok((table, proof.warnings)) } else { Err(proof.errors) }
        });
        let proved = proved.await.map_err(|_| ToolError::internal("the phases could not be proved"))?;
        proved.map_err(|findings| unsound(name, &findings))
    }

    async fn available(&self, error: ToolError) -> ToolError {
        let Ok(catalogue) = self.guide.list().await else { return error };
        let names = catalogue.skills.iter().filter(|skill| skill.has_phases).map(|skill| skill.name.as_str());
        let names: Vec<&str> = names.take(50).collect();
        match error {
            ToolError::BadArguments { message, hints } => {
                let message = format!("{message}; available skills: [{}]", names.join(" "));
                ToolError::BadArguments { message, hints }
            }
            error => error,
        }
    }
}

/// A table that cannot be proved keeps no order.
fn unsound(name: &str, findings: &[Finding]) -> ToolError {
    let list: Vec<String> = findings.iter().take(10).map(ToString::to_string).collect();
    ToolError::failed(format!("the phases of \"{name}\" cannot be relied on: {}", list.join("; ")))
        .hint("whoever keeps the skill can mend the table; nothing was activated")
}
