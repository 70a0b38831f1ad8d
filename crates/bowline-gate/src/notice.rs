//! What has changed in a ledger besides that a call was added. Every change leaves one, so that none goes unrecorded.

use bowline_call::{CallId, ToolCall};

use crate::{Policy, SkillPlace};

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    Activated(SkillPlace),
    Deactivated(SkillPlace),
    /// A later phase has opened.
    Advanced {
        place: SkillPlace,
        from: String,
    },
    /// A skill was loaded, and its `allowed-tools` looked at.
    PolicyChanged(Policy),
}

/// The call that changes something.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    pub call: CallId,
    pub tool: &'a str,
}

impl<'a> From<&'a ToolCall> for By<'a> {
    fn from(call: &'a ToolCall) -> Self {
        Self { call: call.id, tool: &call.tool }
    }
}

/// What changed, and by which call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    pub call: CallId,
    pub tool: String,
    pub notice: Notice,
}
