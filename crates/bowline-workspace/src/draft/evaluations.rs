//! Evaluations under way. One that takes longer than its caller waits goes on by itself, and whoever asks about the same
//! draft again finds it where it is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::Files;
use super::evaluate::Extent;
use super::evaluation_plan::{Collected, Run};
use crate::patience::until;
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of evaluations that go on, or wait to be picked up, without a caller.
const MAX_KEPT: usize = 8;

/// The evaluations of a workspace that have no caller at the moment, and those that have.
#[derive(Default)]
pub(crate) struct Evaluations(Mutex<Vec<Arc<Evaluating>>>);

/// One evaluation.
pub(super) struct Evaluating {
    stages: Vec<Files>,
    extent: Extent,
    run: Run,
    callers: AtomicUsize,
    has_ended: watch::Sender<bool>,
    /// Why it failed, for the first who asks.
    failure: Mutex<Option<WorkspaceError>>,
}

/// What a caller gets: all of it, or as much as there is when its time is over.
pub(super) struct Outcome {
    pub(super) collected: Collected,
    /// It goes on.
    pub(super) is_unfinished: bool,
    pub(super) took: Duration,
}

impl Evaluations {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Evaluating>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, evaluating: &Arc<Evaluating>) {
        self.lock().retain(|kept| !Arc::ptr_eq(kept, evaluating));
    }

    /// Makes room: the oldest without a caller is given up.
    fn keep(&self, evaluating: Arc<Evaluating>) {
        let mut all = self.lock();
        let is_idle = |kept: &Arc<Evaluating>| kept.callers.load(Ordering::Relaxed) == 0;
        while all.iter().filter(|kept| is_idle(kept)).count() >= MAX_KEPT {
            let Some(oldest) = all.iter().position(is_idle) else { break };
            all.remove(oldest).run.cancellation().cancel();
        }
        all.push(evaluating);
    }
}

/// Somebody waits for an evaluation. One that is left before its time ends with its last caller.
struct Caller<'a> {
    workspace: &'a Workspace,
    evaluating: Arc<Evaluating>,
    goes_on: bool,
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        let is_last = self.evaluating.callers.fetch_sub(1, Ordering::Relaxed) == 1;
        if is_last && !self.goes_on {
            self.evaluating.run.cancellation().cancel();
            self.workspace.evaluations.remove(&self.evaluating);
        }
    }
}

impl Workspace {
    /// Evaluates the stages of a draft, or joins the evaluation that is under way.
    pub(super) async fn evaluate_or_join(
        self: &Arc<Self>,
        stages: Vec<Files>,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Outcome, WorkspaceError> {
        let asked = Instant::now();
        let evaluating = match self.under_way(&stages, extent, patience).await? {
            Some(evaluating) => evaluating,
            None => self.start_evaluation(stages, extent, patience),
        };
        evaluating.callers.fetch_add(1, Ordering::Relaxed);
        let mut caller = Caller { workspace: self, evaluating: Arc::clone(&evaluating), goes_on: false };
        let mut ended = evaluating.has_ended.subscribe();
        let mut progress = evaluating.run.subscribe();
        loop {
            if *ended.borrow_and_update() {
                if let Some(failure) =
                    evaluating.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
                {
                    return Err(failure);
                }
                let collected = evaluating.run.collected().clone();
                let took =
                    if collected.timed_out { asked.elapsed() } else { evaluating.run.began().elapsed() };
                return Ok(Outcome { collected, is_unfinished: false, took: took.min(asked.elapsed()) });
            }
            tokio::select! {
                biased;
                () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
                _ = ended.changed() => {}
                Ok(()) = progress.changed() => {
                    let (done, total) = *progress.borrow_and_update();
                    if let Some(report) = patience.progress {
                        report(done, Some(total), "comparing files");
                    }
                }
                () = until(patience.deadline) => {
                    caller.goes_on = true;
                    let collected = evaluating.run.collected().clone();
                    return Ok(Outcome { collected, is_unfinished: true, took: asked.elapsed() });
                }
            }
        }
    }

    /// The evaluation of the same draft that goes on, or that has ended since and still holds.
    async fn under_way(
        &self,
        stages: &[Files],
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Option<Arc<Evaluating>>, WorkspaceError> {
        let same = |kept: &&Arc<Evaluating>| kept.stages == stages && kept.extent == extent;
        let Some(found) = self.evaluations.lock().iter().find(same).cloned() else { return Ok(None) };
        if !*found.has_ended.borrow() {
            return Ok(Some(found));
        }
        // It is picked up once, and only if nothing has changed since.
        self.evaluations.remove(&found);
        let collected = found.run.collected().clone();
        if collected.timed_out || collected.asked.is_empty() {
            return Ok(None);
        }
        for (assigned, told) in &collected.asked {
            let Some(life) = assigned.server.current() else { return Ok(None) };
            self.catch_up(&life).await?;
            if patience.cancellation.is_cancelled() {
                return Err(WorkspaceError::Cancelled);
            }
            if self.fleet.told(&assigned.server) != *told {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    fn start_evaluation(
        self: &Arc<Self>,
        stages: Vec<Files>,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Arc<Evaluating> {
        let limit = Instant::now().checked_add(Duration::from_secs(self.shared.options.max_draft_seconds));
        let deadline = limit.max(patience.deadline);
        let evaluating = Arc::new(Evaluating {
            run: Run::new(stages.len(), extent, deadline),
            stages,
            extent,
            callers: AtomicUsize::new(0),
            has_ended: watch::Sender::new(false),
            failure: Mutex::default(),
        });
        self.evaluations.keep(Arc::clone(&evaluating));
        // It must not keep the workspace alive: whoever drops that drops all servers.
        let (workspace, running) = (Arc::downgrade(self), Arc::clone(&evaluating));
        tokio::spawn(async move {
            let Some(workspace) = workspace.upgrade() else { return };
            let stop = running.run.cancellation().clone();
            let collecting = std::panic::AssertUnwindSafe(workspace.collect(&running.stages, &running.run));
            let collecting = futures_util::FutureExt::catch_unwind(collecting);
            let ended = tokio::select! {
                biased;
                () = stop.cancelled() => Err(WorkspaceError::Cancelled),
                ended = collecting => match ended {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(WorkspaceError::NotReady { .. })) => {
                        running.run.collected().timed_out = true;
                        Ok(())
                    }
                    Ok(Err(error)) => Err(error),
                    Err(_) => Err(WorkspaceError::Internal("the evaluation of a draft panicked".to_owned())),
                },
            };
            let was_left = running.callers.load(Ordering::Relaxed) == 0;
            if !was_left || ended.is_err() {
                workspace.evaluations.remove(&running);
            }
            *running.failure.lock().unwrap_or_else(PoisonError::into_inner) = ended.err();
            running.has_ended.send_replace(true);
        });
        evaluating
    }
}
