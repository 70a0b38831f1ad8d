//! What loading a skill does to a conversation.

use bowline_skills::{AllowedEntry, AllowedTools, Scope};

use super::{Fence, FenceEntry, Policy, is_baseline};
use crate::phases::KnownTool;
use crate::{AllowedToolsMode, By, Guidance, InvalidAllowlist, KnownTools, Ledger, Notice};

/// A list that names nothing, where that is an error. The skill is not loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`allowed-tools` of the skill {skill} names no tool that there is: {raw}")]
pub struct PolicyError {
    pub skill: String,
    pub raw: String,
}

/// A skill that is being loaded.
#[derive(Debug, Clone, Copy)]
pub struct Loading<'a> {
    pub skill: &'a str,
    pub scope: Scope,
    pub allowed: Option<&'a AllowedTools>,
}

impl Ledger {
    /// Takes the list of a skill that is being loaded as the host says. To be called when nothing else can fail.
    pub fn load(
        &mut self,
        by: By<'_>,
        loading: Loading<'_>,
        guidance: Guidance,
        known: &KnownTools,
    ) -> Result<Policy, PolicyError> {
        let fence = Fence { skill: loading.skill.to_owned(), entries: entries(loading.allowed) };
        let own = admitted(std::slice::from_ref(&fence), known);
        let ignored = match (guidance.allowed_tools, loading.allowed) {
            (AllowedToolsMode::Ignore, _) => Some("ENFORCEMENT_OFF"),
            (_, None) => Some("NO_ALLOWED_TOOLS"),
            (_, Some(list)) if list.entries.is_empty() => Some("NO_ALLOWED_TOOLS"),
            (AllowedToolsMode::Grant, _) if loading.scope == Scope::Project => Some("PROJECT_SKILL"),
            (AllowedToolsMode::Grant, _) if !fence.entries.iter().any(FenceEntry::is_grantable) => {
                Some("NO_MATCHES")
            }
            (AllowedToolsMode::Grant, _) => None,
            (AllowedToolsMode::Fence, Some(list)) if own == 0 => match guidance.invalid_allowlist {
                InvalidAllowlist::Ignore => Some("NO_MATCHES"),
                InvalidAllowlist::Enforce => None,
                InvalidAllowlist::Error => {
                    return Err(PolicyError { skill: fence.skill, raw: list.raw.clone() });
                }
            },
            (AllowedToolsMode::Fence, Some(_)) => None,
        };
        let fences = self.fences_mut();
        if ignored.is_none() {
            match guidance.allowed_tools {
                AllowedToolsMode::Fence if !fences.fences.contains(&fence) => fences.fences.push(fence),
                AllowedToolsMode::Grant => {
                    let entries = fence.entries.into_iter().filter(FenceEntry::is_grantable).collect();
                    let grant = Fence { skill: fence.skill, entries };
                    if !fences.grants.contains(&grant) {
                        fences.grants.push(grant);
                    }
                }
                AllowedToolsMode::Fence | AllowedToolsMode::Ignore => {}
            }
        }
        let enforced = !fences.fences.is_empty() || !fences.grants.is_empty();
        let count = match guidance.allowed_tools {
            AllowedToolsMode::Fence if enforced => admitted(&fences.fences, known),
            _ => own,
        };
        let policy = Policy {
            mode: guidance.allowed_tools,
            enforced,
            skill_name: loading.skill.to_owned(),
            allow_set_count: count,
            ignored_reason: ignored.map(str::to_owned),
        };
        fences.policy = Some(policy.clone());
        if guidance.allowed_tools != AllowedToolsMode::Ignore {
            self.tell(by, Notice::PolicyChanged(policy.clone()));
        }
        Ok(policy)
    }
}

/// What of a list is understood. An entry that is not admits nothing.
fn entries(allowed: Option<&AllowedTools>) -> Vec<FenceEntry> {
    let written = allowed.map(|list| list.entries.as_slice()).unwrap_or_default();
    written.iter().filter_map(|entry| FenceEntry::new(entry).ok()).collect()
}

/// The entries of a list that mean no tool that there is, for whoever loaded it. Those of other servers cannot be known.
pub fn meaningless(allowed: &AllowedTools, known: &KnownTools) -> Vec<String> {
    let means_nothing = |written: &&AllowedEntry| match FenceEntry::new(written) {
        Ok(entry) => !entry.is_foreign() && !known.iter().any(|tool| entry.names(&tool.identity)),
        Err(_) => true,
    };
    allowed.entries.iter().filter(means_nothing).map(ToString::to_string).collect()
}

/// How many tools all of them leave.
fn admitted(fences: &[Fence], known: &KnownTools) -> usize {
    let shows =
        |fence: &Fence, tool: &KnownTool| fence.entries.iter().any(|entry| entry.names(&tool.identity));
    let left = known.iter().filter(|tool| fences.iter().all(|fence| shows(fence, tool)));
    left.filter(|tool| !is_baseline(&tool.identity)).count()
}
