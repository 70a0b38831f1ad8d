//! What is remembered of skills: what the corridor says, and the sections of a record that hold it.

use std::path::PathBuf;

use bowline_call::{CallId, ConversationId, Origin};
use serde::{Deserialize, Serialize};

use crate::record::{Bounds, Event, lossy, shorten};
use crate::redact::redact;

/// What happened to a skill, or by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillEvent {
    ActivateSkill,
    DeactivateSkill,
    PhaseAdvance,
    PhaseViolation,
    PolicyChanged,
    ToolCallBlocked,
    Prompt,
}

impl From<SkillEvent> for Event {
    fn from(event: SkillEvent) -> Self {
        match event {
            SkillEvent::ActivateSkill => Self::ActivateSkill,
            SkillEvent::DeactivateSkill => Self::DeactivateSkill,
            SkillEvent::PhaseAdvance => Self::PhaseAdvance,
            SkillEvent::PhaseViolation => Self::PhaseViolation,
            SkillEvent::PolicyChanged => Self::PolicyChanged,
            SkillEvent::ToolCallBlocked => Self::ToolCallBlocked,
            SkillEvent::Prompt => Self::Prompt,
        }
    }
}

/// News of a skill, for the trail.
#[derive(Debug, Clone)]
pub struct SkillNews {
    pub event: SkillEvent,
    /// The call that brought it about.
    pub call_id: Option<CallId>,
    pub conversation: ConversationId,
    pub origin: Origin,
    pub tool: Option<String>,
    pub skill: Option<String>,
    /// The phase that the skill is in after it.
    pub phase: Option<String>,
    pub from_phase: Option<String>,
    /// `warn` or `block`.
    pub mode: Option<&'static str>,
    pub reason: Option<String>,
    pub rule: Option<String>,
    pub policy: Option<AllowedToolsPolicy>,
}

/// What `allowed-tools` lets through.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedToolsPolicy {
    /// `ignore`, `fence` or `grant`.
    pub mode: String,
    /// Whether anything is kept out.
    pub enforced: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_name: Option<String>,
    /// How many tools there are inside.
    pub allow_set_count: usize,
    /// Why nothing is kept out, where a skill asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_reason: Option<String>,
}

impl AllowedToolsPolicy {
    pub(crate) fn redacted(self) -> Self {
        Self {
            mode: redact(&self.mode),
            skill_name: self.skill_name.as_deref().map(redact),
            ignored_reason: self.ignored_reason.as_deref().map(redact),
            ..self
        }
    }

    pub(crate) fn cut(&mut self, bounds: Bounds) {
        shorten(&mut self.mode, 20.min(bounds.text));
        for (text, max) in [(&mut self.skill_name, 128), (&mut self.ignored_reason, 300)] {
            if let Some(text) = text {
                shorten(text, max.min(bounds.text));
            }
        }
    }
}

/// A look for skills, and what it found.
#[derive(Debug, Clone, Default)]
pub struct Discovery {
    /// Who looked, where that is known.
    pub conversation: Option<ConversationId>,
    pub origin: Option<Origin>,
    /// The directories that were looked into.
    pub roots: Vec<PathBuf>,
    /// The names of what can be used.
    pub found: Vec<String>,
    pub shadowed: Vec<Shadowing>,
    pub rejected: Vec<Rejection>,
}

/// A skill that another of its name hides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shadowing {
    pub name: String,
    /// Where the hidden one is.
    pub hidden: String,
    /// Where the one is that is used.
    pub by: String,
}

/// Something that is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub place: String,
    pub why: String,
}

/// A discovery as it is remembered. Where a list is cut, its total says how long it was.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDiscovery {
    pub roots: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roots_total: Option<usize>,
    /// How many there are.
    pub found: usize,
    /// Their names, as many as there is room for.
    pub found_names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shadowed: Vec<Shadowing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shadowed_total: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejection>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_total: Option<usize>,
}

impl RecordedDiscovery {
    pub(crate) fn of(discovery: &Discovery) -> Self {
        // More could never fit into a line.
        const MOST: usize = 400;
        let total = |length: usize| (length > MOST).then_some(length);
        let shadowing = |one: &Shadowing| Shadowing {
            name: redact(&one.name),
            hidden: redact(&one.hidden),
            by: redact(&one.by),
        };
        let rejection = |one: &Rejection| Rejection { place: redact(&one.place), why: redact(&one.why) };
        Self {
            roots: discovery.roots.iter().take(MOST).map(|root| redact(&lossy(root))).collect(),
            roots_total: total(discovery.roots.len()),
            found: discovery.found.len(),
            found_names: discovery.found.iter().take(MOST).map(|name| redact(name)).collect(),
            shadowed: discovery.shadowed.iter().take(MOST).map(shadowing).collect(),
            shadowed_total: total(discovery.shadowed.len()),
            rejected: discovery.rejected.iter().take(MOST).map(rejection).collect(),
            rejected_total: total(discovery.rejected.len()),
        }
    }

    /// Each list gets a share of the room that files have in other records; all of them together fit into a line.
    pub(crate) fn cut(&mut self, bounds: Bounds) {
        let text = |max: usize| max.min(bounds.text);
        let room = bounds.files;
        cut_list(&mut self.roots, &mut self.roots_total, room / 2, |root| {
            shorten(root, text(200));
            root.len()
        });
        // How many there were is told by `found`.
        cut_list(&mut self.found_names, &mut None, room, |name| {
            shorten(name, text(64));
            name.len()
        });
        cut_list(&mut self.shadowed, &mut self.shadowed_total, room / 2, |one| {
            shorten(&mut one.name, text(64));
            shorten(&mut one.hidden, text(200));
            shorten(&mut one.by, text(200));
            r#""name":"hidden":"by":"#.len() + one.name.len() + one.hidden.len() + one.by.len()
        });
        cut_list(&mut self.rejected, &mut self.rejected_total, room / 2, |one| {
            shorten(&mut one.place, text(200));
            shorten(&mut one.why, text(200));
            r#""place":"why":"#.len() + one.place.len() + one.why.len()
        });
    }
}

/// Keeps what fits into so many bytes, with quotes and commas. `size` shortens an item and tells what is left of it.
fn cut_list<T>(
    list: &mut Vec<T>,
    total: &mut Option<usize>,
    mut room: usize,
    size: impl Fn(&mut T) -> usize,
) {
    let all = total.unwrap_or(list.len());
    let mut fitting = 0;
    for item in list.iter_mut() {
        let size = size(item) + r#""","#.len();
        if size > room {
            break;
        }
        room -= size;
        fitting += 1;
    }
    list.truncate(fitting);
    *total = (fitting < all).then_some(all);
}
