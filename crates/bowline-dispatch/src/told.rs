//! What the trail is told besides calls: what skills change in a conversation, and what they stand in the way of.

use bowline_audit::{AllowedToolsPolicy, SkillEvent, SkillNews};
use bowline_call::{RefusalCode, ToolCall};
use bowline_gate::{AllowedToolsMode, Mode, News, Notice, Objection, Policy, SkillPlace};

use crate::Corridor;

impl Corridor {
    /// What has changed in the ledger. It may be another call of the same conversation that changed it.
    pub(crate) async fn tell(&self, call: &ToolCall, news: Vec<News>) {
        for News { call: by, tool, notice } in news {
            let blank =
                SkillNews { call_id: Some(by), tool: Some(tool), ..about(call, SkillEvent::PolicyChanged) };
            self.audit.skill(from_notice(blank, notice)).await;
        }
    }

    /// A rule of a skill stands in the way, or only warns.
    pub(crate) async fn object(&self, call: &ToolCall, objection: &Objection) {
        let event = match objection.code {
            RefusalCode::PhaseViolation => SkillEvent::PhaseViolation,
            RefusalCode::NotAllowed => SkillEvent::ToolCallBlocked,
            _ => return,
        };
        let mut news = placed(about(call, event), objection.skill.clone());
        news.reason = Some(objection.reason.clone());
        news.rule = Some(objection.rule.clone());
        if event == SkillEvent::ToolCallBlocked {
            news.policy = self.policy_of(&call.conversation).map(recorded);
        }
        self.audit.skill(news).await;
    }

    /// How `allowed-tools` stands, for the record of a call that it matters to.
    pub(crate) fn policy(&self, call: &ToolCall) -> Option<AllowedToolsPolicy> {
        let policy = self.policy_of(&call.conversation)?;
        let matters = policy.mode != AllowedToolsMode::Ignore || call.tool == "skills_load";
        matters.then(|| recorded(policy))
    }

    fn policy_of(&self, conversation: &bowline_call::ConversationId) -> Option<Policy> {
        self.ledgers.with(conversation, |ledger| ledger.fences().policy().cloned())
    }
}

fn about(call: &ToolCall, event: SkillEvent) -> SkillNews {
    SkillNews {
        event,
        call_id: Some(call.id),
        conversation: call.conversation.clone(),
        origin: call.origin.clone(),
        tool: Some(call.tool.clone()),
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
