//! Profiles: transcripts of calls in, verdicts, advice and ends out.

mod completion;
mod feedback;
mod policies;

use std::time::{Duration, SystemTime};

use bowline_call::{Effect, Intent, RefusalCode, ToolIdentity};
use bowline_gate::{
    Advice, Asked, Facts, Found, Gate, Happened, Ledger, Objection, PathFact, PathKind, Profile, Profiles,
    Stopping, Verdict, Watched,
};
use serde_json::json;

use crate::{call, intent, straight};

/// One conversation under profiles, with a clock and files that tests hold.
pub(crate) struct Talk {
    profiles: Profiles,
    gate: Gate,
    pub(crate) ledger: Ledger,
    now: SystemTime,
    files: Found,
}

impl Talk {
    pub(crate) fn new(profiles: Vec<Profile>) -> Self {
        let profiles = Profiles::new(profiles);
        let gate = Gate::new(vec![Box::new(profiles.clone())]);
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        Self { profiles, gate, ledger: Ledger::default(), now, files: Found::default() }
    }

    pub(crate) fn of(profile: Profile) -> Self {
        Self::new(vec![profile])
    }

    pub(crate) fn later(&mut self, seconds: u64) -> &mut Self {
        self.now += Duration::from_secs(seconds);
        self
    }

    pub(crate) fn file(&mut self, path: &str, exists: bool) -> &mut Self {
        self.files.add_file(path.into(), exists);
        self
    }

    fn watched(&self) -> Watched {
        Watched { now: self.now, files: self.files.clone() }
    }

    pub(crate) fn begin(&mut self) -> &mut Self {
        let watched = self.watched();
        self.profiles.begin(&mut self.ledger, &watched);
        self
    }

    fn facts(&self, paths: Vec<PathFact>) -> Facts {
        Facts { now: self.now, ..crate::facts(paths) }
    }

    pub(crate) fn judge(&self, tool: &str, intent: &Intent, facts: &Facts) -> Verdict {
        self.gate.before(&Asked::new(&self.ledger, &call(tool), intent, facts)).verdict
    }

    /// What is said against a call that names no file.
    pub(crate) fn against(&self, tool: &str) -> Option<Objection> {
        let verdict = self.judge(tool, &Intent::new(Effect::Read, []), &self.facts(Vec::new()));
        verdict.objection().cloned()
    }

    pub(crate) fn code(&self, tool: &str) -> Option<RefusalCode> {
        self.against(tool).map(|objection| objection.code)
    }

    /// A call that has ended.
    pub(crate) fn happened(&mut self, tool: &str, intent: &Intent, facts: &Facts, success: bool) {
        let made = call(tool);
        let stand = self.gate.before(&Asked::new(&self.ledger, &made, intent, facts)).stand;
        let answer = json!({});
        let happened = Happened {
            call: &made,
            tool: &ToolIdentity::of(tool),
            intent,
            facts,
            answer: success.then_some(&answer),
            stand,
        };
        self.gate.after(&mut self.ledger, &happened);
    }

    pub(crate) fn ends(&mut self, tool: &str, success: bool) -> Advice {
        let facts = self.facts(Vec::new());
        self.happened(tool, &Intent::new(Effect::Read, []), &facts, success);
        let watched = self.watched();
        self.profiles.advise(&mut self.ledger, &watched)
    }

    /// A call that succeeds, and the summaries of what it is advised.
    pub(crate) fn told(&mut self, tool: &str) -> Vec<String> {
        self.ends(tool, true).feedback.into_iter().map(|feedback| feedback.summary).collect()
    }

    /// `complete`, `skipped (…)`, or what is left.
    pub(crate) fn end(&self) -> String {
        let end = self.profiles.complete(&self.ledger, self.now, &Stopping::default(), &self.files);
        match (end.complete, end.skipped, end.feedback) {
            (true, Some(skipped), None) => format!("skipped ({skipped})"),
            (true, None, None) => "complete".into(),
            (false, None, Some(feedback)) => feedback,
            other => panic!("{other:?}"),
        }
    }
}

/// A file with this content.
pub(crate) fn holding(path: &str, content: u8) -> PathFact {
    PathFact { hash: Some([content; 32]), ..straight(path) }
}

pub(crate) fn missing(path: &str) -> PathFact {
    PathFact { kind: PathKind::Missing, ..straight(path) }
}

/// What is said against writing these files.
pub(crate) fn against_writing(talk: &Talk, paths: Vec<PathFact>) -> Option<String> {
    let facts = talk.facts(paths);
    let verdict = talk.judge("Write", &intent(Effect::Write, &facts.paths), &facts);
    verdict.objection().map(|objection| objection.reason.clone())
}
