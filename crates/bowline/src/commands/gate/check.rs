//! One verdict for each line, for machines.

use bowline_call::RefusalCode;
use bowline_gate::{Completion, Objection, Verdict};
use serde::Serialize;

use super::Shown;
use crate::paint::line;

const COMPLETION: &str = "completion";

#[derive(Default, Serialize)]
struct Written<'a> {
    verdict: &'static str,
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RefusalCode>,
    reason: &'a str,
    recovery: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    feedback: &'a [String],
}

pub(super) fn show(shown: &Shown<'_>) {
    let written = match shown {
        Shown::Nonsense(reason) => Written {
            verdict: "refuse",
            rule: "input",
            error: Some(RefusalCode::RuleFailed),
            reason,
            recovery: "write one call as one JSON object on one line",
            ..Written::default()
        },
        Shown::Stop(Completion { complete: true, skipped, .. }) => Written {
            verdict: "allow",
            rule: COMPLETION,
            reason: skipped.unwrap_or_default(),
            ..Written::default()
        },
        Shown::Stop(Completion { feedback, .. }) => Written {
            verdict: "refuse",
            rule: COMPLETION,
            reason: feedback.as_deref().unwrap_or_default(),
            recovery: "do what is left, then end",
            ..Written::default()
        },
        Shown::Call(foreseen) => {
            let judgement = &foreseen.judgement;
            let warnings = judgement.warnings.iter().map(|one| format!("{}. {}", one.reason, one.recovery));
            let verdict = match &judgement.verdict {
                Verdict::Allow { rule } => Written { verdict: "allow", rule, ..Written::default() },
                Verdict::Warn(objection) => of("allow", objection, None),
                Verdict::Ask(objection) => of("ask", objection, Some(objection.code)),
                Verdict::Refuse(objection) => of("refuse", objection, Some(objection.code)),
            };
            Written { warnings: warnings.collect(), feedback: &foreseen.feedback, ..verdict }
        }
    };
    if let Ok(text) = serde_json::to_string(&written) {
        line(text);
    }
}

fn of<'a>(verdict: &'static str, objection: &'a Objection, error: Option<RefusalCode>) -> Written<'a> {
    let Objection { rule, reason, recovery, .. } = objection;
    Written { verdict, rule, error, reason, recovery, ..Written::default() }
}
