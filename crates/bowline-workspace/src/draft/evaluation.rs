//! What is known of an edit before it is made, and how surely.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_code::{Diagnostic, Severity};
use bowline_lsp::Evidence;

/// A problem, and the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    pub diagnostic: Diagnostic,
}

/// How we know what is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// The compiler itself has seen the text.
    Compiled,
    /// The server was asked about this very text, and answered.
    Pulled,
    /// The server said it of this very version.
    Versioned,
    /// What a compiler reads of it is the same as before.
    Unchanged,
    /// It is prose: no compiler reads it.
    Inert,
    /// The server said something, and then no more. That is no proof.
    Quiet,
}

impl Proof {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compiled => "compiled",
            Self::Pulled => "pulled",
            Self::Versioned => "versioned",
            Self::Unchanged => "unchanged",
            Self::Inert => "inert",
            Self::Quiet => "quiet",
        }
    }

    pub(super) fn holds(self) -> bool {
        self != Self::Quiet
    }
}

impl From<Evidence> for Proof {
    fn from(evidence: Evidence) -> Self {
        match evidence {
            Evidence::Pulled => Self::Pulled,
            Evidence::Versioned => Self::Versioned,
            Evidence::Quiet => Self::Quiet,
        }
    }
}

/// A file that was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    pub path: PathBuf,
    /// How it is known, before and after; or why it is not.
    pub known: Result<Proof, String>,
}

/// How sure an evaluation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// There is proof for every file that the edit can reach.
    High,
    /// There is proof for some.
    Partial,
    /// Something was heard of every file, and nothing proves that it was the last word.
    Eventual,
    /// Nothing is known, or there is nothing to know anything about.
    Low,
}

impl Confidence {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Partial => "partial",
            Self::Eventual => "eventual",
            Self::Low => "low",
        }
    }
}

/// What an edit does to the problems of every file that it can reach.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    pub introduced: Vec<Problem>,
    pub resolved: Vec<Problem>,
    /// Everything is as it is on disk: nothing is there that could be proved safe.
    pub is_idle: bool,
    /// The edited files first.
    pub examined: Vec<Examined>,
    /// Files that it may reach as well, and that were not looked at.
    pub left_out: usize,
    /// What else stands between this and certainty.
    pub doubts: BTreeSet<String>,
    /// What the verdict does not speak of: code that is not compiled here.
    pub limits: BTreeSet<String>,
    /// Files that are still to be compared.
    pub pending: usize,
    /// The evaluation goes on: asking again continues it.
    pub is_unfinished: bool,
    /// The time was over before everything was known.
    pub timed_out: bool,
    pub duration: Duration,
}

impl Evaluation {
    /// Says each thing once, although two may have said it, and the edited files first. A file of which one of them knows
    /// nothing is not known.
    pub(super) fn settle(&mut self, is_edited: impl Fn(&Path) -> bool) {
        for problems in [&mut self.introduced, &mut self.resolved] {
            let mut seen = HashSet::new();
            problems.retain(|problem| {
                let Problem { path, diagnostic } = problem;
                seen.insert((path.clone(), diagnostic.span, diagnostic.message.clone()))
            });
        }
        let mut files: BTreeMap<PathBuf, Result<Proof, String>> = BTreeMap::new();
        for Examined { path, known } in std::mem::take(&mut self.examined) {
            let known = match (files.remove(&path), known) {
                (None, known) => known,
                (Some(Ok(one)), Ok(other)) => Ok(one.max(other)),
                (Some(Err(why)), _) | (_, Err(why)) => Err(why),
            };
            files.insert(path, known);
        }
        self.examined = files.into_iter().map(|(path, known)| Examined { path, known }).collect();
        self.examined.sort_by_key(|file| !is_edited(&file.path));
    }

    /// High only with proof for every file, nothing left out, and nothing doubtful.
    pub fn confidence(&self) -> Confidence {
        let known = |holds: fn(Proof) -> bool| {
            self.examined.iter().filter(|file| file.known.as_ref().is_ok_and(|proof| holds(*proof))).count()
        };
        let (all, proved, heard) = (self.examined.len(), known(Proof::holds), known(|_| true));
        let is_finished = self.pending == 0 && !self.timed_out && !self.is_unfinished;
        let is_whole = is_finished && self.left_out == 0 && self.doubts.is_empty();
        match () {
            () if self.is_idle => Confidence::Low,
            () if all > 0 && proved == all && is_whole => Confidence::High,
            () if proved > 0 => Confidence::Partial,
            () if all > 0 && heard == all => Confidence::Eventual,
            () if heard > 0 => Confidence::Partial,
            () => Confidence::Low,
        }
    }

    /// Proof for every file, and no error introduced anywhere. One introduced and one resolved is not safe; nor is a draft
    /// that changes nothing, because it says nothing of any edit.
    pub fn is_safe(&self) -> bool {
        self.confidence() == Confidence::High && self.errors_introduced().next().is_none()
    }

    /// An error was found with proof: whatever else there is, the edit is not safe.
    pub fn is_decided(&self) -> bool {
        self.errors_introduced().next().is_some()
    }

    pub fn errors_introduced(&self) -> impl Iterator<Item = &Problem> {
        self.introduced.iter().filter(|problem| problem.diagnostic.severity == Severity::Error)
    }

    /// Problems more than before: errors and warnings.
    pub fn net_delta(&self) -> i64 {
        let count = |problems: &[Problem]| i64::try_from(problems.len()).unwrap_or(i64::MAX);
        count(&self.introduced) - count(&self.resolved)
    }

    /// The files of which nothing is proved, and why.
    pub fn unproved(&self) -> impl Iterator<Item = (&PathBuf, String)> {
        self.examined.iter().filter_map(|file| match &file.known {
            Ok(proof) if proof.holds() => None,
            Ok(_) => Some((&file.path, "the server gave no sign that it was done".to_owned())),
            Err(why) => Some((&file.path, why.clone())),
        })
    }
}

#[cfg(test)]
mod tests {
    use bowline_code::{Position, Span};

    use super::*;

    fn evaluation(known: &[Result<Proof, &str>]) -> Evaluation {
        let examined = known.iter().enumerate().map(|(index, known)| Examined {
            path: PathBuf::from(format!("/{index}")),
            known: (*known).map_err(str::to_owned),
        });
        Evaluation { examined: examined.collect(), ..Evaluation::default() }
    }

    fn problem(severity: Severity) -> Problem {
        let at = Position::new(1, 1);
        let diagnostic = Diagnostic {
            span: Span::new(at, at),
            severity,
            code: None,
            source: None,
            message: "no".into(),
            related: Vec::new(),
        };
        Problem { path: "/0".into(), diagnostic }
    }

    #[test]
    fn only_proof_for_everything_is_high() {
        let high = evaluation(&[Ok(Proof::Pulled), Ok(Proof::Versioned), Ok(Proof::Compiled)]);
        assert_eq!(high.confidence(), Confidence::High);
        assert!(high.is_safe());
        for (doubtful, confidence) in [
            (evaluation(&[]), Confidence::Low),
            (Evaluation { is_idle: true, ..Evaluation::default() }, Confidence::Low),
            (Evaluation { is_idle: true, ..high.clone() }, Confidence::Low),
            (evaluation(&[Err("no server")]), Confidence::Low),
            (evaluation(&[Ok(Proof::Quiet)]), Confidence::Eventual),
            (evaluation(&[Ok(Proof::Pulled), Ok(Proof::Quiet)]), Confidence::Partial),
            (evaluation(&[Ok(Proof::Pulled), Err("late")]), Confidence::Partial),
            (Evaluation { left_out: 1, ..high.clone() }, Confidence::Partial),
            (Evaluation { pending: 1, ..high.clone() }, Confidence::Partial),
            (Evaluation { is_unfinished: true, ..high.clone() }, Confidence::Partial),
            (Evaluation { timed_out: true, ..high.clone() }, Confidence::Partial),
            (Evaluation { doubts: BTreeSet::from(["a link".into()]), ..high.clone() }, Confidence::Partial),
        ] {
            assert_eq!(doubtful.confidence(), confidence, "{doubtful:?}");
            assert!(!doubtful.is_safe());
        }
    }

    #[test]
    fn one_introduced_and_one_resolved_is_not_safe() {
        let mut evaluation = evaluation(&[Ok(Proof::Pulled)]);
        evaluation.introduced.push(problem(Severity::Error));
        evaluation.resolved.push(problem(Severity::Error));
        assert_eq!(evaluation.net_delta(), 0);
        assert!(!evaluation.is_safe());
        evaluation.introduced = vec![problem(Severity::Warning)];
        assert!(evaluation.is_safe(), "a warning is no error");
    }
}
