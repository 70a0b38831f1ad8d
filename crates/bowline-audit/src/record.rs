//! One record: the line's fields in the order in which they are written, and the bounds of each.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bowline_call::{CallId, DiagnosticCounts, EditSummary, Effect, Origin, Receipt};
use bowline_std::clock::rfc3339;
use bowline_std::text;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::redact::redact;
use crate::skills::{AllowedToolsPolicy, RecordedDiscovery};

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A writer began.
    Start,
    /// A call is about to write or run. On disk before it does.
    Intent,
    /// A call ended, however it did.
    Call,
    /// Something arrived that never became a call.
    Malformed,
    /// A write that was cut off before this process began was brought to its end.
    Recovered,
    /// Where skills were looked for, and what was found.
    SkillsDiscovered,
    /// A workflow began.
    ActivateSkill,
    /// A workflow was ended.
    DeactivateSkill,
    /// A phase of a workflow opened.
    PhaseAdvance,
    /// A call came out of its turn.
    PhaseViolation,
    /// What `allowed-tools` of a skill lets through is another from here on.
    #[serde(rename = "skills_allowed_tools_policy_changed")]
    PolicyChanged,
    /// A call was stopped by `allowed-tools` of a skill.
    ToolCallBlocked,
    /// A skill was handed out as a prompt.
    Prompt,
    /// Records were lost before this one.
    Gap,
    /// A writer ended in peace.
    End,
    /// Written by a later version than this.
    #[serde(other)]
    Other,
}

impl Event {
    /// All that this version writes.
    pub const ALL: [Self; 15] = [
        Self::Start,
        Self::Intent,
        Self::Call,
        Self::Malformed,
        Self::Recovered,
        Self::SkillsDiscovered,
        Self::ActivateSkill,
        Self::DeactivateSkill,
        Self::PhaseAdvance,
        Self::PhaseViolation,
        Self::PolicyChanged,
        Self::ToolCallBlocked,
        Self::Prompt,
        Self::Gap,
        Self::End,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Intent => "intent",
            Self::Call => "call",
            Self::Malformed => "malformed",
            Self::Recovered => "recovered",
            Self::SkillsDiscovered => "skills_discovered",
            Self::ActivateSkill => "activate_skill",
            Self::DeactivateSkill => "deactivate_skill",
            Self::PhaseAdvance => "phase_advance",
            Self::PhaseViolation => "phase_violation",
            Self::PolicyChanged => "skills_allowed_tools_policy_changed",
            Self::ToolCallBlocked => "tool_call_blocked",
            Self::Prompt => "prompt",
            Self::Gap => "gap",
            Self::End => "end",
            Self::Other => "other",
        }
    }
}

/// Which surface a call came in by, as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedOrigin {
    pub surface: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

impl RecordedOrigin {
    fn of(origin: &Origin) -> Self {
        let client = match origin {
            Origin::Mcp { client } => client.as_deref().map(redact),
            Origin::Cli => None,
        };
        Self { surface: origin.surface().to_owned(), client }
    }
}

/// How many problems more, or fewer, there are after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetDelta {
    pub errors: i64,
    pub warnings: i64,
}

impl NetDelta {
    fn between(before: DiagnosticCounts, after: DiagnosticCounts) -> Self {
        Self {
            errors: i64::from(after.error_count) - i64::from(before.error_count),
            warnings: i64::from(after.warning_count) - i64::from(before.warning_count),
        }
    }
}

/// One line of the trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// RFC 3339, UTC.
    pub timestamp: String,
    pub event: Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The draft that the call worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How many files there were, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_summary: Option<EditSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics_before: Option<DiagnosticCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics_after: Option<DiagnosticCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_delta: Option<NetDelta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<RecordedOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What came of asking a person, a word for each question: `once`, `conversation`, `always`, `no`, `nobody`, or
    /// `later` where the question went out with the reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The skill that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The phase that the skill is in, or is now in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The phase that it was in before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_phase: Option<String>,
    /// What a call gets that comes out of its turn: `warn` or `block`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills_allowed_tools: Option<AllowedToolsPolicy>,
    /// Of `skills_discovered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery: Option<RecordedDiscovery>,
    /// Of a `start`: the process that writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Of a `start`: the version that writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Of a `gap`: how many records could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Of a `gap`: when writing began to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Who wrote this. Each writer has a chain of its own.
    pub writer: Uuid,
    /// The record's place in its writer's chain, from 1.
    pub seq: u64,
    /// The hash of the writer's previous record, zeros for the first.
    pub prev: String,
    /// The hash of this line's bytes up to this field.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

impl Record {
    /// A record that says nothing but that something happened now. The chain's fields are the writer's business.
    pub(crate) fn new(event: Event, now: SystemTime) -> Self {
        Self {
            timestamp: rfc3339(now),
            event,
            tool: None,
            session_id: None,
            files: Vec::new(),
            files_total: None,
            edit_summary: None,
            diagnostics_before: None,
            diagnostics_after: None,
            net_delta: None,
            success: None,
            error_message: None,
            duration_ms: None,
            call_id: None,
            conversation: None,
            origin: None,
            effect: None,
            verdict: None,
            rule: None,
            answer: None,
            skill: None,
            phase: None,
            from_phase: None,
            mode: None,
            skills_allowed_tools: None,
            discovery: None,
            pid: None,
            version: None,
            lost: None,
            since: None,
            writer: Uuid::nil(),
            seq: 0,
            prev: String::new(),
            hash: String::new(),
        }
    }

    pub(crate) fn start(now: SystemTime) -> Self {
        Self {
            pid: Some(std::process::id()),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Self::new(Event::Start, now)
        }
    }

    pub(crate) fn gap(now: SystemTime, lost: u64, since: SystemTime) -> Self {
        Self { lost: Some(lost), since: Some(rfc3339(since)), ..Self::new(Event::Gap, now) }
    }

    /// The skill that it is about, or whose `allowed-tools` counted.
    pub(crate) fn skill_name(&self) -> Option<&String> {
        let fenced = || self.skills_allowed_tools.as_ref().and_then(|policy| policy.skill_name.as_ref());
        self.skill.as_ref().or_else(fenced)
    }

    pub(crate) fn set_origin(&mut self, origin: &Origin) {
        self.origin = Some(RecordedOrigin::of(origin));
    }

    pub(crate) fn set_files(&mut self, files: &[PathBuf]) {
        // More could never fit into a line.
        self.files = files.iter().take(Bounds::FULL.files).map(|file| redact(&lossy(file))).collect();
        self.files_total = (self.files.len() < files.len()).then_some(files.len());
    }

    /// Names some of the files.
    pub(crate) fn set_part_of_files(&mut self, part: &[PathBuf], total: usize) {
        self.set_files(part);
        self.files_total = (part.len() < total).then_some(total);
    }

    pub(crate) fn set_receipt(&mut self, receipt: Receipt) {
        self.net_delta =
            receipt.before.zip(receipt.after).map(|(before, after)| NetDelta::between(before, after));
        self.diagnostics_before = receipt.before;
        self.diagnostics_after = receipt.after;
        self.edit_summary = receipt.summary.map(|summary| EditSummary {
            mode: redact(&summary.mode),
            file_path: summary.file_path.map(|path| lossy(&path).into()),
            old_text_preview: summary.old_text_preview.map(|text| preview(&text)),
            new_text_preview: summary.new_text_preview.map(|text| preview(&text)),
            old_name: summary.old_name.map(|name| preview(&name)),
            new_name: summary.new_name.map(|name| preview(&name)),
            target: summary.target.map(|target| preview(&target)),
            receipt: summary.receipt.map(|receipt| preview(&receipt)),
            apply: summary.apply,
        });
    }

    /// Cuts every text and list to these bounds.
    pub(crate) fn cut(&mut self, bounds: Bounds) {
        let cut = |text: &mut Option<String>, max: usize| {
            if let Some(text) = text {
                shorten(text, max.min(bounds.text));
            }
        };
        cut(&mut self.tool, 128);
        cut(&mut self.session_id, 128);
        cut(&mut self.error_message, 1000);
        cut(&mut self.conversation, 200);
        cut(&mut self.verdict, 40);
        cut(&mut self.rule, 300);
        cut(&mut self.answer, 100);
        cut(&mut self.skill, 128);
        cut(&mut self.phase, 128);
        cut(&mut self.from_phase, 128);
        cut(&mut self.mode, 20);
        if let Some(policy) = &mut self.skills_allowed_tools {
            policy.cut(bounds);
        }
        if let Some(discovery) = &mut self.discovery {
            discovery.cut(bounds);
        }
        if let Some(origin) = &mut self.origin {
            shorten(&mut origin.surface, 20.min(bounds.text));
            cut(&mut origin.client, 100);
        }
        if let Some(summary) = &mut self.edit_summary {
            shorten(&mut summary.mode, 40.min(bounds.text));
            // A preview has at most 200 characters, which may be 800 bytes.
            let texts = [
                &mut summary.old_text_preview,
                &mut summary.new_text_preview,
                &mut summary.target,
                &mut summary.receipt,
            ];
            for text in texts {
                cut(text, 800);
            }
            cut(&mut summary.old_name, 200);
            cut(&mut summary.new_name, 200);
            if let Some(path) = &mut summary.file_path {
                let mut written = lossy(path);
                shorten(&mut written, 512.min(bounds.text));
                *path = written.into();
            }
        }
        self.cut_files(bounds);
    }

    fn cut_files(&mut self, bounds: Bounds) {
        let total = self.files_total.unwrap_or(self.files.len());
        let mut room = bounds.files;
        let mut fitting = 0;
        for file in &mut self.files {
            shorten(file, 512.min(bounds.text));
            if file.len() > room {
                break;
            }
            room -= file.len();
            fitting += 1;
        }
        self.files.truncate(fitting);
        self.files_total = (fitting < total).then_some(total);
    }
}

/// How long one text, and all names of files together, may be, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) text: usize,
    pub(crate) files: usize,
}

impl Bounds {
    pub(crate) const FULL: Self = Self { text: 1000, files: 1200 };
    /// What is tried next where a record is still too long for a line: escapes make six bytes of one.
    pub(crate) const TIGHTER: [Self; 5] = [
        Self { text: 400, files: 600 },
        Self { text: 160, files: 300 },
        Self { text: 60, files: 120 },
        Self { text: 20, files: 40 },
        Self { text: 0, files: 0 },
    ];
}

fn preview(text: &str) -> String {
    redact(text).chars().take(200).collect()
}

/// serde refuses paths that are not UTF-8, and a record must never be refused.
pub(crate) fn lossy(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

pub(crate) fn shorten(text: &mut String, max: usize) {
    const MARK: &str = "…";
    if text.len() > max {
        let kept = text::prefix(text, max.saturating_sub(MARK.len())).len();
        text.truncate(kept);
        if max >= MARK.len() {
            text.push_str(MARK);
        }
    }
}
