//! What the trail is told of skills.

use super::Audit;
use crate::queue::{Durability, Work};
use crate::record::{Bounds, Event, Record};
use crate::redact::redact;
use crate::skills::{AllowedToolsPolicy, Discovery, RecordedDiscovery, SkillEvent, SkillNews};

impl Audit {
    /// Something happened to a skill, or by one. Never waits: what has happened is told, also by those who are dropped next.
    pub fn skill(&self, news: SkillNews) {
        let text = |text: &Option<String>| text.as_deref().map(redact);
        let mut record = Record::new(news.event.into(), self.writer.clock.now());
        record.tool = text(&news.tool);
        record.success = Some(match news.event {
            SkillEvent::ToolCallBlocked => false,
            // What is only warned about runs.
            SkillEvent::PhaseViolation => news.mode == Some("warn"),
            _ => news.reason.is_none(),
        });
        record.error_message = text(&news.reason);
        record.call_id = news.call_id;
        record.conversation = Some(news.conversation.as_str().to_owned());
        record.set_origin(&news.origin);
        record.rule = text(&news.rule);
        record.skill = text(&news.skill);
        record.phase = text(&news.phase);
        record.from_phase = text(&news.from_phase);
        record.mode = news.mode.map(str::to_owned);
        record.skills_allowed_tools = news.policy.map(AllowedToolsPolicy::redacted);
        record.cut(Bounds::FULL);
        self.writer.push(Work { record, durability: Durability::Written, reply: None, slot: None });
    }

    /// Somebody looked for skills. One record, however many there are; never waits.
    pub fn discovered(&self, discovery: Discovery) {
        let mut record = Record::new(Event::SkillsDiscovered, self.writer.clock.now());
        record.discovery = Some(RecordedDiscovery::of(&discovery));
        record.conversation = discovery.conversation.map(|conversation| conversation.as_str().to_owned());
        if let Some(origin) = &discovery.origin {
            record.set_origin(origin);
        }
        record.success = Some(true);
        record.cut(Bounds::FULL);
        self.writer.push(Work { record, durability: Durability::Written, reply: None, slot: None });
    }
}
