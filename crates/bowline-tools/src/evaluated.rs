//! What is known of a draft, in the words of the wire.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bowline_call::DiagnosticCounts;
use bowline_code::Severity;
use bowline_workspace::{Evaluation, Extent, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many problems of one kind are listed.
const MOST: usize = 50;
/// So many files without proof are listed.
const MOST_FILES: usize = 20;
/// No reader needs more of one message.
const MOST_BYTES: usize = 2 << 10;

/// Besides files that it can reach.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Looking {
    #[default]
    File,
    Workspace,
}

impl From<Looking> for Extent {
    fn from(scope: Looking) -> Self {
        match scope {
            Looking::File => Self::Reached,
            Looking::Workspace => Self::Everything,
        }
    }
}

/// An evaluation as it travels.
#[derive(Debug, Serialize)]
pub struct Evaluated {
    pub(crate) session_id: String,
    pub(crate) safe_to_apply: bool,
    /// `safe`, `unsafe` or `unknown`.
    verdict: &'static str,
    pub(crate) confidence: &'static str,
    pub(crate) net_delta: i64,
    pub(crate) errors_introduced: Vec<WireProblem>,
    pub(crate) errors_resolved: Vec<WireProblem>,
    pub(crate) warnings_introduced: Vec<WireProblem>,
    pub(crate) warnings_resolved: Vec<WireProblem>,
    /// Problems that are not listed for want of room.
    #[serde(skip_serializing_if = "is_zero")]
    not_listed: usize,
    scope: Looking,
    timeout: bool,
    /// The evaluation goes on, and the same call continues it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_progress: bool,
    duration_ms: u64,
    files_compared: usize,
    /// Files that are still to be compared.
    #[serde(skip_serializing_if = "is_zero")]
    files_pending: usize,
    /// How many files are known by which proof.
    evidence: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_proof: Vec<Unproved>,
    /// Files that the edit may reach and that were not looked at.
    #[serde(skip_serializing_if = "is_zero")]
    files_not_compared: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<String>,
    /// What the verdict does not speak of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    limits: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct WireProblem {
    file: PathBuf,
    line: u32,
    col: u32,
    message: String,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

#[derive(Debug, Serialize)]
struct Unproved {
    file: PathBuf,
    reason: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Puts an evaluation in the words of the wire.
pub(crate) fn evaluated(session_id: &str, scope: Looking, evaluation: &Evaluation) -> Evaluated {
    let total = evaluation.introduced.len() + evaluation.resolved.len();
    let lists = [
        problems_of(&evaluation.introduced, Severity::Error),
        problems_of(&evaluation.resolved, Severity::Error),
        problems_of(&evaluation.introduced, Severity::Warning),
        problems_of(&evaluation.resolved, Severity::Warning),
    ];
    let shown: usize = lists.iter().map(Vec::len).sum();
    let [errors_introduced, errors_resolved, warnings_introduced, warnings_resolved] = lists;
    let mut evidence: BTreeMap<&'static str, usize> = BTreeMap::new();
    for file in &evaluation.examined {
        *evidence.entry(file.known.as_ref().map_or("none", |proof| proof.as_str())).or_default() += 1;
    }
    let unproved = |(file, reason): (&PathBuf, String)| Unproved {
        file: file.clone(),
        reason: bowline_std::text::cut(&reason, 300),
    };
    Evaluated {
        session_id: session_id.to_owned(),
        safe_to_apply: evaluation.is_safe(),
        verdict: match (evaluation.is_decided(), evaluation.is_safe()) {
            (true, _) => "unsafe",
            (false, true) => "safe",
            (false, false) => "unknown",
        },
        confidence: evaluation.confidence().as_str(),
        net_delta: evaluation.net_delta(),
        errors_introduced,
        errors_resolved,
        warnings_introduced,
        warnings_resolved,
        not_listed: total - shown,
        scope,
        timeout: evaluation.timed_out,
        duration_ms: u64::try_from(evaluation.duration.as_millis()).unwrap_or(u64::MAX),
        files_compared: evaluation.examined.len(),
        in_progress: evaluation.is_unfinished,
        files_pending: evaluation.pending,
        evidence,
        without_proof: evaluation.unproved().take(MOST_FILES).map(unproved).collect(),
        files_not_compared: evaluation.left_out,
        doubts: evaluation.doubts.iter().cloned().collect(),
        limits: evaluation.limits.iter().cloned().collect(),
    }
}

fn problems_of(problems: &[Problem], severity: Severity) -> Vec<WireProblem> {
    let wanted = problems.iter().filter(|problem| problem.diagnostic.severity == severity);
    wanted.take(MOST).map(WireProblem::from).collect()
}

impl From<&Problem> for WireProblem {
    fn from(problem: &Problem) -> Self {
        let found = &problem.diagnostic;
        Self {
            file: problem.path.clone(),
            line: found.span.start.line,
            col: found.span.start.column,
            message: bowline_std::text::cut(&found.message, MOST_BYTES),
            severity: if found.severity == Severity::Error { "error" } else { "warning" },
            source: found.source.clone(),
            code: found.code.clone(),
        }
    }
}

/// What it means, for a reader who has to decide.
pub(crate) fn meaning(evaluation: &Evaluation, next: &str) -> String {
    let errors = evaluation.errors_introduced().count();
    if errors > 0 {
        let more = match evaluation.pending {
            0 => "",
            _ => "; more may follow in files that were not compared: scope=workspace lists them",
        };
        return format!(
            "not safe: it introduces {errors} error(s){more}; mend them in the draft, or discard it"
        );
    }
    if evaluation.is_idle {
        return "nothing is known: the draft is what is on disk, so there is nothing to prove; edit it first"
            .to_owned();
    }
    if evaluation.is_safe() {
        return format!(
            "safe to apply: no error introduced in any of {} file(s); {next}",
            evaluation.examined.len()
        );
    }
    if evaluation.is_unfinished {
        let (done, left) = (evaluation.examined.len(), evaluation.pending);
        return format!(
            "not known yet: {done} file(s) compared without an error, {left} to go; the evaluation goes on, and \
             the same call continues it"
        );
    }
    if evaluation.timed_out {
        return "not known: the language server was not ready in time; evaluate it again in a moment"
            .to_owned();
    }
    "not known to be safe: no error was found, but not every file has proof; see without_proof and doubts"
        .to_owned()
}

/// What the draft changes of the problems, for the record of the call.
pub(crate) fn counts(evaluation: &Evaluation) -> (DiagnosticCounts, DiagnosticCounts) {
    let count = |problems: &[Problem]| {
        let of = |severity| {
            let count = problems.iter().filter(|problem| problem.diagnostic.severity == severity).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        DiagnosticCounts {
            error_count: of(Severity::Error),
            warning_count: of(Severity::Warning),
            files_checked: u32::try_from(evaluation.examined.len()).unwrap_or(u32::MAX),
        }
    };
    (count(&evaluation.resolved), count(&evaluation.introduced))
}
