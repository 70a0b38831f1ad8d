//! `skills_load`: the body of a skill, and what its `allowed-tools` does to the conversation.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::{AllowedToolsMode, Ledger, Loading, Policy, meaningless};
use bowline_skills::{Finding, Skill, Summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounded::{self, list, on_wire, prefix};
use crate::guide::{Guide, by};

/// No more of what is doubtful about a skill is told.
const MOST_DOUBTS: usize = 5;
/// So many files are listed; the others can be read all the same.
const MOST_FILES: usize = 200;
/// What one doubt may take on the wire.
const MOST_DOUBT_BYTES: usize = 1 << 10;
/// What an answer may have besides its body: more than that is taken from the body.
const BESIDES: usize = 8 << 10;

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
        let (summary, mut output) = bound(skill, max_bytes);
        let load = {
            let (by, guidance, known) = (by(cx, Self::NAME), self.guide.guidance, Arc::clone(known));
            let (skill, scope, allowed) =
                (summary.name.clone(), summary.scope, summary.allowed_tools.clone());
            move |ledger: &mut Ledger| {
                let loading = Loading { skill: &skill, scope, allowed: allowed.as_ref() };
                let loaded = ledger.load(by, loading, guidance, &known);
                loaded.map_err(|error| ToolError::coded("ALLOWED_TOOLS_POLICY_ERROR", error.to_string()))
            }
        };
        let policy = self.guide.change(cx, load).await?;
        let allowed = summary.allowed_tools.as_ref();
        output.warnings.extend(policy_warning(&policy));
        let unknown = allowed.map(|list| meaningless(list, known)).unwrap_or_default();
        if policy.mode != AllowedToolsMode::Ignore && !unknown.is_empty() {
            let named = unknown.join(", ");
            let named = prefix(&named, MOST_DOUBT_BYTES);
            let message = format!("these entries of allowed-tools name no tool that there is: {named}");
            output.warnings.push(Warning { code: "ALLOWED_TOOLS_UNKNOWN", message });
        }
        let hint = summary
            .has_phases
            .then(|| format!("activate_skill(skill_name=\"{}\") keeps its phases in order", summary.name));
        let answer = Answer::new(output).skill(summary.name);
        Ok(match hint {
            Some(hint) => answer.hint(hint),
            None => answer,
        })
    }
}

/// The skill as it travels: whatever it brings, that is not much more than `max_bytes`. What is left out is said.
fn bound(skill: Skill, max_bytes: usize) -> (Summary, SkillsLoadOutput) {
    let Skill { summary, body, truncated, mut files, warnings: doubts } = skill;
    let doubt = |finding: &Finding| Warning {
        code: "SKILL_FORMAT",
        message: prefix(&finding.to_string(), MOST_DOUBT_BYTES).to_owned(),
    };
    let mut warnings: Vec<Warning> = doubts.iter().take(MOST_DOUBTS).map(doubt).collect();
    // What the tools may take on the wire; files may take twice as much.
    let most = (max_bytes / 8).clamp(1 << 10, 8 << 10);
    let entries = summary.allowed_tools.iter().flat_map(|list| &list.entries);
    let mut allowed_tools: Vec<String> = entries.map(ToString::to_string).collect();
    let raw = summary.allowed_tools.as_ref().map(|list| prefix(&list.raw, most).to_owned());
    let left_out = [
        ("files", list(&mut files, MOST_FILES, 2 * most)),
        ("allowed tools", list(&mut allowed_tools, usize::MAX, most)),
    ];
    for (what, count) in left_out.into_iter().filter(|(_, count)| *count > 0) {
        let message = format!("{count} more {what} are there and not listed");
        warnings.push(Warning { code: "CONTENT_TRUNCATED", message });
    }
    let description = bounded::description(&summary.description);
    let listed: usize = files.iter().chain(&allowed_tools).map(|item| on_wire(item) + 3).sum();
    let told: usize = warnings.iter().map(|warning| on_wire(&warning.message)).sum();
    let besides = listed + told + on_wire(&description) + raw.as_deref().map_or(0, on_wire);
    let room = max_bytes.saturating_sub(besides.saturating_sub(BESIDES)).max(max_bytes / 2);
    let kept = prefix(&body, room);
    if truncated.is_some() || kept.len() < body.len() {
        let total = truncated.map_or(body.len() as u64, |cut| cut.total_bytes);
        let message = format!("the first {} of {total} bytes; the rest is left out", kept.len());
        warnings.push(Warning { code: "CONTENT_TRUNCATED", message });
    }
    let output = SkillsLoadOutput {
        name: summary.name.clone(),
        description,
        allowed_tools,
        allowed_tools_raw: raw,
        body_markdown: kept.to_owned(),
        files,
        warnings,
    };
    (summary, output)
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
