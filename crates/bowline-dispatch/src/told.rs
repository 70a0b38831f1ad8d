//! What others are told of skills besides calls. The trail: what skills change in a conversation, and what they stand in the
//! way of. Surfaces: which tools that leaves.

use std::collections::HashSet;
use std::sync::Arc;

use bowline_audit::{AllowedToolsPolicy, SkillEvent, SkillNews};
use bowline_call::{ConversationId, Origin, RefusalCode, ToolCall};
use bowline_gate::{AllowedToolsMode, Mode, News, Notice, Objection, Policy, SkillPlace};

use crate::Corridor;

/// A skill that was asked for as a prompt, which is no call.
#[derive(Debug, Clone)]
pub struct Prompted {
    pub conversation: ConversationId,
    pub origin: Origin,
    /// As the client wrote it.
    pub name: String,
    /// Why it was not handed out, if it was not.
    pub refused: Option<String>,
}

impl Corridor {
    /// Remembers a prompt.
    pub fn prompted(&self, prompted: Prompted) {
        let Prompted { conversation, origin, name, refused } = prompted;
        let news = SkillNews {
            skill: Some(name),
            reason: refused,
            ..blank(SkillEvent::Prompt, conversation, origin)
        };
        self.audit.skill(news);
    }

    /// The tools that a list should show in this conversation, where its skills leave some out. It says nothing of calls:
    /// those are judged one by one.
    pub async fn exposed(self: &Arc<Self>, conversation: &ConversationId) -> Option<HashSet<&str>> {
        let names = || self.registry().specs().map(|spec| spec.name.as_str());
        // Where nobody can tell what happened so far, calls are refused; a list may show what was known last.
        let ledger = self.known(conversation).await.unwrap_or_else(|_| self.ledgers.known(conversation));
        let fences = ledger.fences();
        let exposed: HashSet<&str> =
            fences.is_fenced().then(|| names().filter(|name| fences.shows(name)).collect())?;
        (exposed.len() < names().count()).then_some(exposed)
    }

    /// What has changed in the ledger. It may be another call of the same conversation that changed it.
    pub(crate) fn tell(&self, call: &ToolCall, news: Vec<News>) {
        for News { call: by, tool, notice } in news {
            let blank =
                SkillNews { call_id: Some(by), tool: Some(tool), ..about(call, SkillEvent::PolicyChanged) };
            self.audit.skill(from_notice(blank, notice));
        }
    }

    /// A rule of a skill stands in the way, or only warns.
    pub(crate) fn object(&self, call: &ToolCall, objection: &Objection) {
        let event = match objection.code {
            RefusalCode::PhaseViolation => SkillEvent::PhaseViolation,
            RefusalCode::NotAllowed => SkillEvent::ToolCallBlocked,
            _ => return,
        };
        let mut news = placed(about(call, event), objection.skill.clone());
        news.reason = Some(objection.reason.clone());
        news.rule = Some(objection.rule.clone());
        if event == SkillEvent::ToolCallBlocked {
            // The fence that stands in the way need not be the one that was put up last.
            let by = news.skill.clone();
            news.policy = self.policy_of(&call.conversation).map(recorded);
            if let Some(policy) = &mut news.policy {
                policy.skill_name = by;
                policy.ignored_reason = None;
            }
        }
        self.audit.skill(news);
    }

    /// How `allowed-tools` stands, for the record of a call that it matters to.
    pub(crate) fn policy(&self, call: &ToolCall) -> Option<AllowedToolsPolicy> {
        let policy = self.policy_of(&call.conversation)?;
        let matters = policy.mode != AllowedToolsMode::Ignore || call.tool == "skills_load";
        matters.then(|| recorded(policy))
    }

    fn policy_of(&self, conversation: &ConversationId) -> Option<Policy> {
        self.ledgers.known(conversation).fences().policy().cloned()
    }
}

fn about(call: &ToolCall, event: SkillEvent) -> SkillNews {
    SkillNews {
        call_id: Some(call.id),
        tool: Some(call.tool.clone()),
        ..blank(event, call.conversation.clone(), call.origin.clone())
    }
}

fn blank(event: SkillEvent, conversation: ConversationId, origin: Origin) -> SkillNews {
    SkillNews {
        event,
        call_id: None,
        conversation,
        origin,
        tool: None,
        skill: None,
        phase: None,
        from_phase: None,
        mode: None,
        reason: None,
        rule: None,
        policy: None,
    }
}

fn from_notice(blank: SkillNews, notice: Notice) -> SkillNews {
    match notice {
        Notice::Activated(place) => {
            placed(SkillNews { event: SkillEvent::ActivateSkill, ..blank }, Some(place))
        }
        Notice::Deactivated(place) => {
            placed(SkillNews { event: SkillEvent::DeactivateSkill, ..blank }, Some(place))
        }
        Notice::Advanced { place, from } => {
            let news = SkillNews { event: SkillEvent::PhaseAdvance, from_phase: Some(from), ..blank };
            placed(news, Some(place))
        }
        Notice::PolicyChanged(policy) => SkillNews {
            event: SkillEvent::PolicyChanged,
            skill: Some(policy.skill_name.clone()),
            policy: Some(recorded(policy)),
            ..blank
        },
    }
}

fn placed(news: SkillNews, place: Option<SkillPlace>) -> SkillNews {
    match place {
        Some(SkillPlace { skill, phase, mode }) => {
            SkillNews { skill: Some(skill), phase, mode: mode.map(Mode::as_str), ..news }
        }
        None => news,
    }
}

fn recorded(policy: Policy) -> AllowedToolsPolicy {
    AllowedToolsPolicy {
        mode: policy.mode.as_str().into(),
        enforced: policy.enforced,
        skill_name: Some(policy.skill_name),
        allow_set_count: policy.allow_set_count,
        ignored_reason: policy.ignored_reason,
    }
}
