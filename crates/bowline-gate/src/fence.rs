//! `allowed-tools` of the skills that were loaded: what it means is the host's word, and it only ever narrows.

mod entry;
mod load;
mod rule;
mod scope;

use bowline_call::ToolIdentity;
use serde::{Deserialize, Serialize};

pub(crate) use entry::FenceEntry;
pub use load::{Loading, PolicyError, meaningless};
pub use rule::Fenced;

use crate::{AllowedToolsMode, Asked};

/// Always there, so that nobody is locked in.
pub(crate) const BASELINE: [&str; 7] = [
    "skills_list",
    "skills_load",
    "skills_read_file",
    "get_skill_phase",
    "deactivate_skill",
    "update_plan",
    "finish_task",
];

/// A tool of another server that has such a name is not meant.
pub(crate) fn is_baseline(tool: &ToolIdentity) -> bool {
    tool.own().is_some_and(|name| BASELINE.contains(&name))
}

/// What one skill lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    pub(crate) skill: String,
    pub(crate) entries: Vec<FenceEntry>,
}

impl Fence {
    fn admits(&self, asked: &Asked<'_>) -> bool {
        self.entries.iter().any(|entry| entry.admits(asked))
    }
}

/// How `allowed-tools` stands after a load, for the record and for whoever loaded the skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    pub mode: AllowedToolsMode,
    /// Whether something is fenced or granted now, by this skill or by an earlier one.
    pub enforced: bool,
    /// The skill that was loaded.
    pub skill_name: String,
    /// How many of the tools that there are all skills together leave, or grant, besides those that are always there.
    pub allow_set_count: usize,
    /// Why the list does nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored_reason: Option<String>,
}

/// What the skills of a conversation have fenced and granted. Nothing ever leaves it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fences {
    fences: Vec<Fence>,
    grants: Vec<Fence>,
    policy: Option<Policy>,
}

impl Fences {
    /// What became of the list that was loaded last.
    pub fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }

    /// Whether some tools are out of reach.
    pub fn is_fenced(&self) -> bool {
        !self.fences.is_empty()
    }

    /// Whether a tool of this name may be called with some arguments, for lists of tools.
    pub fn shows(&self, name: &str) -> bool {
        let tool = ToolIdentity::of(name);
        is_baseline(&tool)
            || self.fences.iter().all(|fence| fence.entries.iter().any(|entry| entry.names(&tool)))
    }

    /// The skill that grants this call, if one does.
    pub(crate) fn granting(&self, asked: &Asked<'_>) -> Option<&str> {
        self.grants.iter().find(|grant| grant.admits(asked)).map(|grant| grant.skill.as_str())
    }

    /// The fence that keeps this call out, if one does.
    fn keeping_out(&self, asked: &Asked<'_>) -> Option<&Fence> {
        if is_baseline(&asked.tool) {
            return None;
        }
        self.fences.iter().find(|fence| !fence.admits(asked))
    }
}
