//! What the person or team who runs bowline says about skills: how phases are kept, and what `allowed-tools` means.

use serde::{Deserialize, Serialize};

use crate::Decision;

/// What a call gets that breaks the order of phases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It runs, and its answer says what is wrong.
    #[default]
    Warn,
    /// It is refused.
    Block,
}

impl Mode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }
}

/// What `allowed-tools` of a loaded skill means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AllowedToolsMode {
    /// Nothing.
    #[default]
    Ignore,
    /// Only these, and the few that are always there.
    Fence,
    /// These need no question where nobody has written a rule.
    Grant,
}

impl AllowedToolsMode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ignore => "ignore",
            Self::Fence => "fence",
            Self::Grant => "grant",
        }
    }
}

/// What a fence does whose list names no tool that there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InvalidAllowlist {
    /// There is no fence.
    Ignore,
    /// Only what is always there is left.
    #[default]
    Enforce,
    /// The skill is not loaded.
    Error,
}

/// How skills are kept. The strictest of what user and projects say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guidance {
    /// The least strict mode that a skill can be activated in.
    pub mode: Mode,
    /// Whether an agent may end a workflow that is not finished.
    pub deactivate: Decision,
    pub allowed_tools: AllowedToolsMode,
    pub invalid_allowlist: InvalidAllowlist,
}

impl Default for Guidance {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            deactivate: Decision::Allow,
            allowed_tools: AllowedToolsMode::default(),
            invalid_allowlist: InvalidAllowlist::default(),
        }
    }
}
