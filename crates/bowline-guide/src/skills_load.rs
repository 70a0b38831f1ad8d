//! `skills_load`: the body of a skill, and what its `allowed-tools` does to the conversation.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::{AllowedToolsMode, Loading, Policy, meaningless};
use bowline_skills::{Finding, Skill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::{Guide, by, has_phases};

/// No more of what is doubtful about a skill is told.
const MOST_DOUBTS: usize = 5;

/// Load a skill's instructions, to follow them.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SkillsLoadArgs {
    pub name: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct SkillsLoadOutput {
    name: String,
    description: String,
    allowed_tools: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_tools_raw: Option<String>,
    body_markdown: String,
    files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
struct Warning {
    code: &'static str,
    message: String,
}

pub(crate) struct SkillsLoad {
    pub guide: Arc<Guide>,
}

impl Tool for SkillsLoad {
    type Args = SkillsLoadArgs;
    type Output = SkillsLoadOutput;
    const NAME: &'static str = "skills_load";
    /// It may change what other calls get.
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &SkillsLoadArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(
        &self,
        args: SkillsLoadArgs,
        cx: &CallContext,
    ) -> Result<Answer<SkillsLoadOutput>, ToolError> {
        let (name, max_bytes) = (args.name, self.guide.max_bytes);
        let skill = match self.guide.ask(move |store| store.load(&name, max_bytes)).await? {
            Ok(skill) => skill,
            Err(error) => return Err(self.guide.explain(error).await),
        };
        let known = self.guide.known()?;
        let Skill { summary, body, truncated, files, warnings: doubts } = skill;
        let doubt = |finding: &Finding| Warning { code: "SKILL_FORMAT", message: finding.to_string() };
        let mut warnings: Vec<Warning> = doubts.iter().take(MOST_DOUBTS).map(doubt).collect();
        if let Some(cut) = truncated {
            let message =
                format!("the first {} of {} bytes; the rest is left out", cut.kept_bytes, cut.total_bytes);
            warnings.push(Warning { code: "CONTENT_TRUNCATED", message });
        }
        let allowed = summary.allowed_tools.as_ref();
        let loading = Loading { skill: &summary.name, scope: summary.scope, allowed };
        // Last of all: nothing fails after it.
        let policy = self
            .guide
            .ledger(cx, |ledger| ledger.load(by(cx, Self::NAME), loading, self.guide.guidance, known))
            .map_err(|error| ToolError::coded("ALLOWED_TOOLS_POLICY_ERROR", error.to_string()))?;
        warnings.extend(policy_warning(&policy));
        let unknown = allowed.map(|list| meaningless(list, known)).unwrap_or_default();
        if policy.mode != AllowedToolsMode::Ignore && !unknown.is_empty() {
            let message =
                format!("these entries of allowed-tools name no tool that there is: {}", unknown.join(", "));
            warnings.push(Warning { code: "ALLOWED_TOOLS_UNKNOWN", message });
        }
        let hint = has_phases(&summary)
            .then(|| format!("activate_skill(skill_name=\"{}\") keeps its phases in order", summary.name));
        let answer = Answer::new(SkillsLoadOutput {
            allowed_tools: allowed
                .map(|list| list.entries.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            allowed_tools_raw: allowed.map(|list| list.raw.clone()),
            name: summary.name,
            description: summary.description,
            body_markdown: body,
            files,
            warnings,
        });
        Ok(match hint {
            Some(hint) => answer.hint(hint),
            None => answer,
        })
    }
}

/// What whoever loaded it should know. That nothing is enforced, where nobody wants that, is no news.
fn policy_warning(policy: &Policy) -> Option<Warning> {
    let left = policy.allow_set_count;
    let stands = format!(
        "only what every loaded skill lists can be called, and what is always there; tools left: {left}"
    );
    let (code, message) = match (policy.ignored_reason.as_deref(), policy.mode) {
        (Some("ENFORCEMENT_OFF"), _) => return None,
        (Some("NO_ALLOWED_TOOLS"), AllowedToolsMode::Fence) if policy.enforced => (
            "ALLOWED_TOOLS_ENFORCED",
            format!("this skill lists nothing, and an earlier fence stands: {stands}"),
        ),
        (Some("NO_ALLOWED_TOOLS"), _) => return None,
        (Some(reason), _) => {
            ("ALLOWED_TOOLS_IGNORED", format!("allowed-tools of this skill does nothing here: {reason}"))
        }
        (None, AllowedToolsMode::Grant) => {
            let what = "what this skill lists is granted where nobody wrote a rule";
            ("ALLOWED_TOOLS_ENFORCED", format!("{what}; tools listed: {left}"))
        }
        (None, _) => ("ALLOWED_TOOLS_ENFORCED", format!("from now on {stands}")),
    };
    Some(Warning { code, message })
}
