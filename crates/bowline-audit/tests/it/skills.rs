//! What the trail holds of skills: every event, each section, and one record for a discovery of any size.

use std::path::Path;
use std::sync::Arc;

use bowline_audit::read::{Filter, Integrity, Trail};
use bowline_audit::{
    AllowedToolsPolicy, Audit, Closing, Discovery, Event, Options, Rejection, Shadowing, SkillEvent,
    SkillNews,
};
use bowline_call::{ConversationId, Origin};
use bowline_std::clock::HeldClock;
use insta::{assert_json_snapshot, assert_snapshot};

use crate::writing::shape;
use crate::{closing, opening, place, records};

fn news(event: SkillEvent) -> SkillNews {
    SkillNews {
        event,
        call_id: None,
        conversation: ConversationId::new("conversation-1"),
        origin: Origin::Cli,
        tool: None,
        skill: Some("lsp-refactor".to_owned()),
        phase: None,
        from_phase: None,
        mode: None,
        reason: None,
        rule: None,
        policy: None,
    }
}

fn policy() -> AllowedToolsPolicy {
    AllowedToolsPolicy {
        mode: "fence".to_owned(),
        enforced: true,
        skill_name: Some("lsp-refactor".to_owned()),
        allow_set_count: 7,
        ignored_reason: None,
    }
}

/// One workflow, from its beginning to its end.
async fn workflow(path: &Path) {
    let audit = Audit::open(Options::at(path), Arc::new(HeldClock::at(1_794_817_800)));
    audit.discovered(Discovery {
        roots: vec!["/p/.bowline/skills".into()],
        found: vec!["lsp-refactor".to_owned(), "lsp-rename".to_owned()],
        shadowed: vec![Shadowing {
            name: "lsp-rename".to_owned(),
            hidden: "built in".to_owned(),
            by: "/p/.bowline/skills/lsp-rename".to_owned(),
        }],
        rejected: vec![Rejection {
            place: "/p/.bowline/skills/bad".to_owned(),
            why: "SKILL.md:2: there is no name; token=abcdef".to_owned(),
        }],
        ..Discovery::default()
    });
    let text = |text: &str| Some(text.to_owned());
    let begin =
        SkillNews { phase: text("blast_radius"), mode: Some("block"), ..news(SkillEvent::ActivateSkill) };
    let violation = SkillNews {
        tool: text("apply_edit"),
        phase: text("blast_radius"),
        mode: Some("block"),
        reason: text("`apply_edit` is forbidden; password=hunter2"),
        rule: text("phases"),
        ..news(SkillEvent::PhaseViolation)
    };
    let advance = SkillNews {
        tool: text("blast_radius"),
        phase: text("speculative_preview"),
        from_phase: text("blast_radius"),
        ..news(SkillEvent::PhaseAdvance)
    };
    let changed = SkillNews { policy: Some(policy()), ..news(SkillEvent::PolicyChanged) };
    let blocked = SkillNews { tool: text("Bash"), ..news(SkillEvent::ToolCallBlocked) };
    let prompt = news(SkillEvent::Prompt);
    for one in [begin, violation, advance, changed, blocked, prompt] {
        audit.skill(one);
    }
    let fenced = Closing { policy: Some(policy()), ..closing() };
    audit.open_call(&opening("find_symbol")).close(fenced).await;
    audit.skill(news(SkillEvent::DeactivateSkill));
}

#[tokio::test]
async fn every_event_has_its_word_and_its_fields() {
    let (_keep, path) = place();
    workflow(&path).await;
    assert_snapshot!(shape(&path), @r#"
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"start","pid":PID,"version":"VERSION","writer":"UUID","seq":1,"prev":"ZEROS","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"skills_discovered","success":true,"discovery":{"roots":["/p/.bowline/skills"],"found":2,"found_names":["lsp-refactor","lsp-rename"],"shadowed":[{"name":"lsp-rename","hidden":"built in","by":"/p/.bowline/skills/lsp-rename"}],"rejected":[{"place":"/p/.bowline/skills/bad","why":"SKILL.md:2: there is no name; token=[redacted]"}]},"writer":"UUID","seq":2,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"activate_skill","success":true,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","phase":"blast_radius","mode":"block","writer":"UUID","seq":3,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"phase_violation","tool":"apply_edit","success":false,"error_message":"`apply_edit` is forbidden; password=[redacted]","conversation":"conversation-1","origin":{"surface":"cli"},"rule":"phases","skill":"lsp-refactor","phase":"blast_radius","mode":"block","writer":"UUID","seq":4,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"phase_advance","tool":"blast_radius","success":true,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","phase":"speculative_preview","from_phase":"blast_radius","writer":"UUID","seq":5,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"skills_allowed_tools_policy_changed","success":true,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","skills_allowed_tools":{"mode":"fence","enforced":true,"skill_name":"lsp-refactor","allow_set_count":7},"writer":"UUID","seq":6,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"tool_call_blocked","tool":"Bash","success":false,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","writer":"UUID","seq":7,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"prompt","success":true,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","writer":"UUID","seq":8,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"call","tool":"find_symbol","files":["/p/a.rs"],"success":true,"duration_ms":7,"call_id":"UUID","conversation":"conversation-1","origin":{"surface":"mcp","client":"tester"},"effect":"read","verdict":"allow","skills_allowed_tools":{"mode":"fence","enforced":true,"skill_name":"lsp-refactor","allow_set_count":7},"writer":"UUID","seq":9,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"deactivate_skill","success":true,"conversation":"conversation-1","origin":{"surface":"cli"},"skill":"lsp-refactor","writer":"UUID","seq":10,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"end","writer":"UUID","seq":11,"prev":"HASH","hash":"HASH"}
    "#);
    assert_eq!(Trail::at(&path).verify().integrity(), Integrity::Intact);
}

#[tokio::test]
async fn filters_and_numbers_know_skills() {
    let (_keep, path) = place();
    workflow(&path).await;
    let trail = Trail::at(&path);
    let count = |filter: Filter| trail.select(filter).count();
    assert_eq!(count(Filter { event: Some(Event::PhaseAdvance), ..Filter::default() }), 1);
    assert_eq!(count(Filter { failed: true, ..Filter::default() }), 2);
    // The call inside the fence, too.
    assert_eq!(count(Filter { skill: Some("lsp-re*".to_owned()), ..Filter::default() }), 8);
    assert_eq!(count(Filter { skill: Some("lsp".to_owned()), ..Filter::default() }), 0);
    assert_json_snapshot!(trail.stats(Filter::default()).skill_events, @r#"
    {
      "activate_skill": 1,
      "deactivate_skill": 1,
      "phase_advance": 1,
      "phase_violation": 1,
      "prompt": 1,
      "skills_allowed_tools_policy_changed": 1,
      "skills_discovered": 1,
      "tool_call_blocked": 1
    }
    "#);
}

#[tokio::test]
async fn a_discovery_is_one_record_however_much_there_is() {
    let (_keep, path) = place();
    let audit = Audit::open(Options::at(&path), Arc::new(HeldClock::at(0)));
    let place = |number: usize| format!("/home/me/.agents/skills/skill-number-{number}");
    audit.discovered(Discovery {
        roots: (0..500).map(|number| place(number).into()).collect(),
        found: (0..2000).map(|number| format!("skill-number-{number}")).collect(),
        shadowed: (0..500)
            .map(|number| Shadowing { name: place(number), hidden: place(number), by: place(number) })
            .collect(),
        rejected: (0..500)
            .map(|number| Rejection {
                place: place(number),
                why: "SKILL.md: ".to_owned() + &"long ".repeat(500),
            })
            .collect(),
        ..Discovery::default()
    });
    drop(audit);
    let [_, record, _] = &records(&path)[..] else { panic!("one record beside start and end") };
    let found = record.discovery.as_ref().unwrap();
    assert_eq!((found.found, found.roots_total), (2000, Some(500)));
    assert_eq!((found.shadowed_total, found.rejected_total), (Some(500), Some(500)));
    assert!(!found.found_names.is_empty() && !found.roots.is_empty(), "{found:?}");
    assert!(!found.shadowed.is_empty() && !found.rejected.is_empty(), "{found:?}");
}

#[test]
fn every_word_is_read_back_as_what_it_was() {
    for event in Event::ALL {
        let word = serde_json::to_string(&event).unwrap();
        assert_eq!(word, format!("\"{}\"", event.as_str()));
        assert_eq!(serde_json::from_str::<Event>(&word).unwrap(), event);
    }
}
