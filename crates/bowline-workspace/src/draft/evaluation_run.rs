//! An evaluation under way: what it has found so far, and how long it may take.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::evaluate::Extent;
use super::server_evaluation::{Findings, ServerTask, errors_introduced};
use super::{Examined, Files};
use crate::fleet::Assigned;
use crate::patience::until;
use crate::{Patience, WorkspaceError};

/// Before and after were not looked at in the same project.
pub(super) const CHANGED_MEANWHILE: &str = "files of the project were changed while the draft was evaluated";

/// An evaluation under way, and what it has found so far.
pub(super) struct Run {
    cancellation: CancellationToken,
    began: Instant,
    /// A server that is not ready by then is asked all the same.
    half_time: Instant,
    /// When it is given up. Whoever asks again moves it.
    limit: watch::Sender<Instant>,
    extent: Extent,
    collected: Mutex<Collected>,
    /// Files that were compared, and how many there are to compare.
    progress: watch::Sender<(u64, u64)>,
}

/// What was found out about a draft, by server and compiler.
#[derive(Default, Clone)]
pub(super) struct Collected {
    /// For each stage of the draft, what each of them said.
    pub(super) stages: Vec<Vec<Findings>>,
    /// Files that no server or compiler could be asked about.
    pub(super) unserved: Vec<Examined>,
    pub(super) doubts: BTreeSet<String>,
    /// What the verdict does not speak of.
    pub(super) limits: BTreeSet<String>,
    /// Asking again later would tell more.
    pub(super) timed_out: bool,
    pub(super) left_out: usize,
    pub(super) asked: Vec<Asked>,
}

/// Who was asked about a draft, and up to which place in the log of changes the files were known then.
#[derive(Clone)]
pub(super) enum Asked {
    Server(Assigned, u64),
    Compiler(u64),
}

impl Run {
    pub(super) fn new(stages: usize, extent: Extent, limit: Instant) -> Self {
        let began = Instant::now();
        Self {
            cancellation: CancellationToken::new(),
            began,
            half_time: began + limit.saturating_duration_since(began) / 2,
            limit: watch::Sender::new(limit),
            extent,
            collected: Mutex::new(Collected { stages: vec![Vec::new(); stages], ..Collected::default() }),
            progress: watch::Sender::new((0, 0)),
        }
    }

    pub(super) fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    pub(super) fn began(&self) -> Instant {
        self.began
    }

    pub(super) fn half_time(&self) -> Instant {
        self.half_time
    }

    /// Gives it time until then, at least.
    pub(super) fn extend(&self, until: Instant) {
        self.limit.send_if_modified(|limit| {
            let is_later = until > *limit;
            *limit = until.max(*limit);
            is_later
        });
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        Instant::now() >= *self.limit.borrow()
    }

    /// Waits until its time is over, however often that is moved meanwhile.
    pub(super) async fn out_of_time(&self) {
        let mut limit = self.limit.subscribe();
        loop {
            let due = *limit.borrow_and_update();
            tokio::select! {
                () = until(Some(due)) => return,
                _ = limit.changed() => {}
            }
        }
    }

    /// Whether a complete list of problems is wanted, and not only the verdict.
    pub(super) fn wants_everything(&self) -> bool {
        self.extent == Extent::Everything
    }

    /// Without an end: the time of the whole is watched in one place (`evaluations.rs`), since it can be moved while
    /// something is waited for.
    pub(super) fn patience(&self) -> Patience<'static> {
        Patience { cancellation: self.cancellation.clone(), ..Patience::default() }
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<(u64, u64)> {
        self.progress.subscribe()
    }

    pub(super) fn collected(&self) -> MutexGuard<'_, Collected> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts down that something is not known. What was found besides still holds, so that only a caller who has left ends
    /// the whole.
    pub(super) fn doubt(&self, what: &str, error: WorkspaceError) -> Result<(), WorkspaceError> {
        if matches!(error, WorkspaceError::Cancelled) {
            return Err(error);
        }
        let mut collected = self.collected();
        collected.timed_out |= matches!(error, WorkspaceError::NotReady { .. });
        collected.doubts.insert(format!("{what}: {error}"));
        Ok(())
    }

    /// A place for what one of them says of a stage.
    pub(super) fn slot(&self, stage: usize) -> (usize, usize) {
        let mut collected = self.collected();
        collected.stages[stage].push(Findings::default());
        (stage, collected.stages[stage].len() - 1)
    }

    pub(super) fn update<T>(
        &self,
        (stage, slot): (usize, usize),
        with: impl FnOnce(&mut Findings) -> T,
    ) -> T {
        with(&mut self.collected().stages[stage][slot])
    }

    pub(super) fn look<T>(&self, (stage, slot): (usize, usize), with: impl FnOnce(&Findings) -> T) -> T {
        with(&self.collected().stages[stage][slot])
    }

    /// Tells how many files were compared.
    pub(super) fn report(&self) {
        let (mut done, mut left) = (0, 0);
        for findings in self.collected().stages.iter().flatten() {
            done += findings.after.len() as u64;
            left += findings.planned.len() as u64;
        }
        self.progress.send_replace((done, done + left));
    }

    /// The names of all declarations that were found to have changed.
    pub(super) fn changed_names(&self, stage: usize) -> BTreeSet<String> {
        let collected = self.collected();
        collected.stages[stage].iter().flat_map(|findings| findings.changed_names.iter().cloned()).collect()
    }

    pub(super) fn is_decided(&self, stage: usize, files: &Files) -> bool {
        let collected = self.collected();
        let introduces = |findings: &Findings| {
            findings
                .after
                .keys()
                .any(|path| errors_introduced(path, files, findings).is_some_and(|it| it > 0))
        };
        !self.wants_everything() && collected.stages[stage].iter().any(introduces)
    }
}

impl Collected {
    /// Whether time ran out before everything was known.
    pub(super) fn is_late(&self) -> bool {
        self.timed_out || self.stages.iter().flatten().any(|findings| findings.timed_out)
    }

    /// Nothing is known of the files of a task.
    pub(super) fn record_failure(&mut self, task: &ServerTask<'_>, error: &WorkspaceError) {
        self.timed_out |= matches!(error, WorkspaceError::ServerLate { .. });
        let paths: BTreeSet<&PathBuf> = task.own.iter().chain(&task.reached.files).collect();
        for path in paths {
            self.unserved.push(Examined { path: path.clone(), known: Err(error.to_string()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn run(limit: Instant) -> Run {
        Run::new(1, Extent::Reached, limit)
    }

    #[test]
    fn what_the_index_cannot_tell_is_a_doubt_and_only_leaving_ends_it() {
        let run = run(Instant::now());
        assert!(run.doubt("unknown", WorkspaceError::Internal("broken".to_owned())).is_ok());
        let doubts: Vec<String> = run.collected().doubts.iter().cloned().collect();
        assert_eq!(doubts, ["unknown: internal error: broken"]);
        assert!(!run.collected().is_late());
        assert!(run.doubt("unknown", WorkspaceError::NotReady { done: 1, total: None }).is_ok());
        assert!(run.collected().is_late());
        assert!(matches!(run.doubt("unknown", WorkspaceError::Cancelled), Err(WorkspaceError::Cancelled)));
    }

    #[tokio::test]
    async fn a_limit_that_is_moved_while_it_is_waited_for_is_the_one_that_counts() {
        let run = run(Instant::now() + Duration::from_millis(50));
        let until = Instant::now() + Duration::from_millis(300);
        let moving = async { run.extend(until) };
        tokio::join!(run.out_of_time(), moving);
        assert!(Instant::now() >= until && run.is_out_of_time());
    }
}
