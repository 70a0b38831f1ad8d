//! Evaluating a draft: its states, and the comparison of what was heard before and after.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::compare::compare;
use super::evaluation_run::Collected;
use super::server_evaluation::{Findings, Known};
use super::{Draft, DraftError, DraftState, Drafted, Edit, Evaluation, Examined, Files, Problem, Proof};
use crate::{Patience, Workspace, WorkspaceError};

/// Which files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The edited files, and those that the edit can reach until an error is found.
    Reached,
    /// All of those, and whatever else the servers have something to say about.
    Everything,
}

impl Workspace {
    /// How long a caller waits for an evaluation, where it does not say so itself.
    pub fn draft_wait(&self) -> Duration {
        Duration::from_secs(self.shared.options.draft_wait_seconds)
    }

    /// What a draft does to the problems of every file that it can reach. Nothing of the project is changed, and no
    /// server sees anything of it when this has ended, however it ended.
    pub async fn evaluate_draft(
        self: &Arc<Self>,
        draft: &Draft,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Evaluation, WorkspaceError> {
        let stage = {
            let held = draft.held();
            draft.may(&held, "evaluated", DraftState::can_be_evaluated)?;
            (held.version, held.files.clone())
        };
        let mut evaluations = self.evaluate_stages(draft, vec![stage], extent, patience).await?;
        evaluations.pop().ok_or_else(|| WorkspaceError::Internal("no stage was evaluated".into()))
    }

    /// Edits a draft step by step, and says what each step does, compared with what is on disk. An edit that cannot be
    /// made undoes none before it, but ends the chain.
    pub async fn evaluate_chain(
        self: &Arc<Self>,
        draft: &Draft,
        edits: Vec<Edit>,
        patience: &Patience<'_>,
    ) -> Result<Vec<Evaluation>, WorkspaceError> {
        let mut stages = Vec::with_capacity(edits.len());
        for edit in edits {
            self.edit_draft(draft, edit, patience).await?;
            let held = draft.held();
            stages.push((held.version, held.files.clone()));
        }
        self.evaluate_stages(draft, stages, Extent::Reached, patience).await
    }

    async fn evaluate_stages(
        self: &Arc<Self>,
        draft: &Draft,
        stages: Vec<(u64, Files)>,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Vec<Evaluation>, WorkspaceError> {
        let last = stages.last().map(|(version, _)| *version);
        let stages: Vec<Files> = stages.into_iter().map(|(_, files)| files).collect();
        let mut turn = Turn::begin(draft)?;
        self.check_unchanged(draft, patience).await?;
        let outcome = self.evaluate_or_join(draft, stages.clone(), extent, patience).await?;
        let evaluations = stages.iter().enumerate().map(|(index, stage)| {
            let mut evaluation = assemble(&outcome.collected, index, stage);
            evaluation.is_unfinished = outcome.is_unfinished;
            evaluation.timed_out |= outcome.is_unfinished && !evaluation.is_decided();
            evaluation.duration = outcome.took;
            evaluation
        });
        let evaluations: Vec<Evaluation> = evaluations.collect();
        turn.done = true;
        draft.held().verdict = last.zip(evaluations.last().map(Evaluation::is_safe));
        Ok(evaluations)
    }

    /// A draft of files that have changed since is a draft of something else.
    pub(super) async fn check_unchanged(
        &self,
        draft: &Draft,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        let files = draft.held().files.clone();
        let unchanged = self.blocking(patience, move |work| work.compare_with_disk(&files)).await;
        if let Err(WorkspaceError::Draft(error)) = &unchanged
            && matches!(**error, DraftError::Changed { .. })
        {
            draft.held().state = DraftState::Dirty;
        }
        unchanged
    }
}

/// A draft while it is evaluated. However that ends, it can be evaluated again.
struct Turn<'a> {
    draft: &'a Draft,
    done: bool,
}

impl<'a> Turn<'a> {
    fn begin(draft: &'a Draft) -> Result<Self, DraftError> {
        let mut held = draft.held();
        draft.may(&held, "evaluated", DraftState::can_be_evaluated)?;
        held.state = DraftState::Evaluating;
        Ok(Self { draft, done: false })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut held = self.draft.held();
        // It may have been destroyed or discarded meanwhile, or found to be of files that have changed.
        if held.state == DraftState::Evaluating {
            held.state = if self.done { DraftState::Evaluated } else { DraftState::Mutated };
        }
    }
}

/// Compares what was found of the files on disk with what was found of one stage.
fn assemble(collected: &Collected, stage: usize, files: &Files) -> Evaluation {
    let mut evaluation = Evaluation { left_out: collected.left_out, ..Evaluation::default() };
    evaluation.is_idle = !files.values().any(Drafted::is_changed);
    evaluation.doubts.extend(collected.doubts.iter().cloned());
    evaluation.limits.extend(collected.limits.iter().cloned());
    evaluation.examined.extend(collected.unserved.iter().cloned());
    evaluation.timed_out = collected.timed_out;
    let mut uncompared: Vec<PathBuf> = Vec::new();
    for findings in collected.stages.get(stage).into_iter().flatten() {
        evaluation.timed_out |= findings.timed_out;
        evaluation.doubts.extend(findings.doubts.iter().cloned());
        evaluation.left_out += findings.left_out;
        evaluation.pending += findings.planned.len();
        for (path, after) in &findings.after {
            let is_uncompared = !findings.before.contains_key(path) && has_errors(after);
            if is_uncompared && files.get(path).is_none_or(|file| file.before.is_some()) {
                uncompared.push(path.clone());
                continue;
            }
            let known = weigh(path, files.get(path), findings, after, &mut evaluation);
            evaluation.examined.push(Examined { path: path.clone(), known });
        }
    }
    // An error found elsewhere ended it before these were compared with what they were.
    if evaluation.is_decided() {
        evaluation.pending += uncompared.len();
    } else {
        let known = || Err("what it was before is not known yet".to_owned());
        evaluation.examined.extend(uncompared.into_iter().map(|path| Examined { path, known: known() }));
    }
    // Those that were not looked at are known by no proof.
    let heard: BTreeSet<PathBuf> = evaluation.examined.iter().map(|file| file.path.clone()).collect();
    for (path, file) in files.iter().filter(|(_, file)| file.is_changed()) {
        if !heard.contains(path) && file.after.is_some() {
            let known = Err("no answer came in time".to_owned());
            evaluation.examined.push(Examined { path: path.clone(), known });
        }
    }
    evaluation.settle(|path| files.contains_key(path));
    evaluation
}

fn has_errors(known: &Known) -> bool {
    known
        .as_ref()
        .is_ok_and(|(found, _)| found.iter().any(|found| found.severity == bowline_code::Severity::Error))
}

/// Adds what came and went in one file, and says how surely.
fn weigh(
    path: &PathBuf,
    file: Option<&Drafted>,
    findings: &Findings,
    after: &Known,
    evaluation: &mut Evaluation,
) -> Result<Proof, String> {
    let empty = Ok((Vec::new(), Proof::Compiled));
    // A file that was not there, or is there no more, has no problems.
    let is_new = file.is_some_and(|file| file.before.is_none());
    let is_gone = file.is_some_and(|file| file.after.is_none());
    let after = if is_gone { &empty } else { after };
    let (new, is) = after.as_ref().map_err(Clone::clone)?;
    let before = if is_new { Some(&empty) } else { findings.before.get(path) };
    let Some(before) = before else {
        // What it was is not asked where nothing is wrong with what it becomes.
        return Ok(*is);
    };
    let (old, was) = before.as_ref().map_err(Clone::clone)?;
    let texts = file.and_then(|file| Some((file.before.as_deref()?, file.after.as_deref()?)));
    let difference = compare(texts, old, new);
    let problem = |diagnostic| Problem { path: path.clone(), diagnostic };
    evaluation.introduced.extend(difference.introduced.into_iter().map(problem));
    evaluation.resolved.extend(difference.resolved.into_iter().map(problem));
    Ok((*was).max(*is))
}
