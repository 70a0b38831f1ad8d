//! Evaluations under way. One that takes longer than its caller waits goes on by itself, and whoever asks about the same
//! draft again finds it where it is. It ends with its draft, with the servers, and with the workspace.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::evaluate::Extent;
use super::evaluation_run::{Asked, Collected, Run};
use super::{Draft, DraftState, Files};
use crate::patience::until;
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of evaluations that go on, or wait to be picked up, without a caller.
const MAX_KEPT: usize = 8;
/// How often an evaluation looks whether its workspace is still used.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// The longest limit there is: moments beyond it may not exist.
const MAX_SECONDS: u64 = 365 * 24 * 3600;
/// How long the servers wait for evaluations that were cancelled.
const LONGEST_END: Duration = Duration::from_secs(2);

/// The evaluations of a workspace that have no caller at the moment, and those that have.
#[derive(Default)]
pub(crate) struct Evaluations {
    kept: Mutex<Vec<Arc<Evaluating>>>,
    /// How many run. Each of them holds the workspace.
    running: AtomicUsize,
}

/// One evaluation.
pub(super) struct Evaluating {
    stages: Vec<Files>,
    extent: Extent,
    run: Run,
    /// Changed only while the list of evaluations is locked: one that has a caller is not given up.
    callers: AtomicUsize,
    /// The ids of the drafts that it is about. With the last of them it ends.
    drafts: Mutex<BTreeSet<Arc<str>>>,
    /// `None` while it runs. Every caller is told why it failed.
    ended: watch::Sender<Option<Ended>>,
}

type Ended = Result<(), Arc<WorkspaceError>>;

/// What a caller gets: all of it, or as much as there is when its time is over.
pub(super) struct Outcome {
    pub(super) collected: Collected,
    /// It goes on.
    pub(super) is_unfinished: bool,
    pub(super) took: Duration,
}

impl Evaluations {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Evaluating>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends an evaluation. It is kept only if everybody has left who waited for it: they will ask again. This and
    /// `Caller::leave` hold the list, so that no caller is told that it goes on after it was removed.
    fn end(&self, evaluating: &Arc<Evaluating>, ended: Result<(), WorkspaceError>) {
        let mut all = self.lock();
        let is_left = evaluating.callers.load(Ordering::Relaxed) == 0;
        if !is_left || ended.is_err() || evaluating.run.collected().is_late() {
            all.retain(|kept| !Arc::ptr_eq(kept, evaluating));
        }
        evaluating.ended.send_replace(Some(ended.map_err(Arc::new)));
    }

    /// Gives up an evaluation whose time is over: nobody can join it any more. `false`: somebody has just done so.
    fn give_up_late(&self, evaluating: &Arc<Evaluating>) -> bool {
        let mut all = self.lock();
        let is_over = evaluating.run.is_out_of_time();
        if is_over {
            evaluating.run.collected().timed_out = true;
            all.retain(|kept| !Arc::ptr_eq(kept, evaluating));
        }
        is_over
    }

    /// Joins an evaluation of the same texts, which is given time until then if it still runs.
    fn join(&self, draft: &Arc<str>, stages: &[Files], extent: Extent, limit: Instant) -> Option<Caller<'_>> {
        let all = self.lock();
        let same = |kept: &&Arc<Evaluating>| kept.stages == stages && kept.extent == extent;
        let found = all.iter().filter(same).find(|kept| kept.add(draft))?;
        found.callers.fetch_add(1, Ordering::Relaxed);
        found.run.extend(limit);
        Some(Caller { evaluations: self, evaluating: Arc::clone(found), has_left: false })
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

impl Evaluating {
    fn new(stages: Vec<Files>, extent: Extent, draft: &Arc<str>, limit: Instant) -> Self {
        Self {
            run: Run::new(stages.len(), extent, limit),
            stages,
            extent,
            callers: AtomicUsize::new(1),
            drafts: Mutex::new(BTreeSet::from([Arc::clone(draft)])),
            ended: watch::Sender::new(None),
        }
    }

    fn drafts(&self) -> MutexGuard<'_, BTreeSet<Arc<str>>> {
        self.drafts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a draft. `false`: it was given up.
    fn add(&self, draft: &Arc<str>) -> bool {
        let mut drafts = self.drafts();
        if self.run.cancellation().is_cancelled() {
            return false;
        }
        drafts.insert(Arc::clone(draft));
        true
    }

    /// A draft is not to be evaluated any more. The last one ends it.
    fn drop_draft(&self, draft: &Draft) {
        let mut drafts = self.drafts();
        drafts.remove(&draft.id);
        if drafts.is_empty() {
            self.run.cancellation().cancel();
        }
    }
}

impl Draft {
    /// Remembers which evaluation is about this draft. An earlier one is about something that it was before.
    fn set_evaluating(&self, evaluating: &Arc<Evaluating>) {
        let mut held = self.held();
        let before = std::mem::replace(&mut held.evaluating, Arc::downgrade(evaluating));
        // It was dropped while the evaluation was looked for.
        let is_gone = matches!(held.state, DraftState::Discarded | DraftState::Destroyed);
        drop(held);
        if let Some(before) = before.upgrade().filter(|before| !Arc::ptr_eq(before, evaluating)) {
            before.drop_draft(self);
        }
        if is_gone {
            evaluating.drop_draft(self);
        }
    }

    /// Ends the evaluation that is about this draft alone.
    pub(super) fn stop_evaluating(&self) {
        let evaluating = std::mem::take(&mut self.held().evaluating);
        if let Some(evaluating) = evaluating.upgrade() {
            evaluating.drop_draft(self);
        }
    }
}

/// A caller that waits for an evaluation. One that is left before its time ends with its last caller.
struct Caller<'a> {
    evaluations: &'a Evaluations,
    evaluating: Arc<Evaluating>,
    has_left: bool,
}

impl Caller<'_> {
    /// Leaves it to itself. `false`: it has just ended.
    fn leave(&mut self) -> bool {
        let _all = self.evaluations.lock();
        self.has_left = self.evaluating.ended.borrow().is_none();
        if self.has_left {
            self.evaluating.callers.fetch_sub(1, Ordering::Relaxed);
        }
        self.has_left
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        if self.has_left {
            return;
        }
        let mut all = self.evaluations.lock();
        if self.evaluating.callers.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.evaluating.run.cancellation().cancel();
            all.retain(|kept| !Arc::ptr_eq(kept, &self.evaluating));
        }
    }
}

/// An evaluation that runs, and the workspace that it holds meanwhile.
struct Running(Arc<Workspace>);

impl Running {
    fn begin(workspace: &Arc<Workspace>) -> Self {
        // In this order, or another evaluation could take itself for the last that holds it.
        let held = Arc::clone(workspace);
        held.evaluations.running.fetch_add(1, Ordering::Relaxed);
        Self(held)
    }

    /// Waits until evaluations alone hold the workspace: whoever drops that drops all servers.
    async fn is_alone(&self) {
        loop {
            tokio::time::sleep(LOOK_AGAIN).await;
            if Arc::strong_count(&self.0) <= self.0.evaluations.running.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.evaluations.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workspace {
    /// Evaluates the stages of a draft, or joins the evaluation that is under way.
    pub(super) async fn evaluate_or_join(
        self: &Arc<Self>,
        draft: &Draft,
        stages: Vec<Files>,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Outcome, WorkspaceError> {
        let asked = Instant::now();
        let mut caller = match self.under_way(draft, &stages, extent, patience).await? {
            Some(caller) => caller,
            None => self.start_evaluation(draft, stages, extent, patience),
        };
        let evaluating = Arc::clone(&caller.evaluating);
        draft.set_evaluating(&evaluating);
        let mut ended = evaluating.ended.subscribe();
        let mut progress = evaluating.run.subscribe();
        loop {
            let has_ended = ended.borrow_and_update().clone();
            if let Some(how) = has_ended {
                how.map_err(|error| repeated(&error))?;
                let collected = evaluating.run.collected().clone();
                let took =
                    if collected.is_late() { asked.elapsed() } else { evaluating.run.began().elapsed() };
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
                    if !caller.leave() {
                        continue;
                    }
                    let collected = evaluating.run.collected().clone();
                    return Ok(Outcome { collected, is_unfinished: true, took: asked.elapsed() });
                }
            }
        }
    }

    /// The evaluation of the same draft that goes on, or that has ended since and still holds.
    async fn under_way(
        &self,
        draft: &Draft,
        stages: &[Files],
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Result<Option<Caller<'_>>, WorkspaceError> {
        let limit = self.limit_of_evaluation(patience);
        let Some(caller) = self.evaluations.join(&draft.id, stages, extent, limit) else { return Ok(None) };
        let ended = caller.evaluating.ended.borrow().clone();
        match ended {
            None => Ok(Some(caller)),
            Some(Ok(())) if self.still_holds(&caller.evaluating, patience).await? => Ok(Some(caller)),
            Some(_) => Ok(None),
        }
    }

    /// Whether an evaluation that has ended would end the same now: nothing has changed on disk since.
    async fn still_holds(
        &self,
        evaluating: &Evaluating,
        patience: &Patience<'_>,
    ) -> Result<bool, WorkspaceError> {
        let collected = evaluating.run.collected().clone();
        if collected.is_late() || collected.asked.is_empty() {
            return Ok(false);
        }
        for asked in &collected.asked {
            let is_same = match asked {
                Asked::Server(assigned, told) => {
                    let Some(life) = assigned.server.current() else { return Ok(false) };
                    self.catch_up(&life).await?;
                    self.fleet.told(&assigned.server) == *told
                }
                Asked::Compiler(place) => self.place_in_log().await? == *place,
            };
            if patience.cancellation.is_cancelled() {
                return Err(WorkspaceError::Cancelled);
            }
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// When an evaluation is given up that is asked for now: not before the caller is.
    fn limit_of_evaluation(&self, patience: &Patience<'_>) -> Instant {
        let seconds = self.shared.options.max_draft_seconds.min(MAX_SECONDS);
        let limit = Instant::now() + Duration::from_secs(seconds);
        patience.deadline.map_or(limit, |deadline| deadline.max(limit))
    }

    fn start_evaluation(
        self: &Arc<Self>,
        draft: &Draft,
        stages: Vec<Files>,
        extent: Extent,
        patience: &Patience<'_>,
    ) -> Caller<'_> {
        let limit = self.limit_of_evaluation(patience);
        let evaluating = Arc::new(Evaluating::new(stages, extent, &draft.id, limit));
        self.evaluations.keep(Arc::clone(&evaluating));
        let (held, running) = (Running::begin(self), Arc::clone(&evaluating));
        tokio::spawn(async move {
            // It has let go of its server before anybody hears that it has ended.
            let ended = held.0.collect_in_time(&held, &running).await;
            held.0.evaluations.end(&running, ended);
        });
        Caller { evaluations: &self.evaluations, evaluating, has_left: false }
    }

    /// Collects until everything is known, nobody wants to know it, or the time is over.
    async fn collect_in_time(
        &self,
        held: &Running,
        evaluating: &Arc<Evaluating>,
    ) -> Result<(), WorkspaceError> {
        let run = &evaluating.run;
        let collecting = std::panic::AssertUnwindSafe(self.collect(&evaluating.stages, run));
        let mut collecting = std::pin::pin!(futures_util::FutureExt::catch_unwind(collecting));
        loop {
            tokio::select! {
                biased;
                () = run.cancellation().cancelled() => return Err(WorkspaceError::Cancelled),
                () = held.is_alone() => return Err(WorkspaceError::Cancelled),
                ended = &mut collecting => {
                    return match ended {
                        Ok(Err(WorkspaceError::NotReady { .. })) => {
                            run.collected().timed_out = true;
                            Ok(())
                        }
                        Ok(ended) => ended,
                        Err(_) => {
                            Err(WorkspaceError::Internal("the evaluation of a draft panicked".to_owned()))
                        }
                    };
                }
                () = run.out_of_time() => {
                    if self.evaluations.give_up_late(evaluating) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Ends all evaluations, and waits until they have let go of their servers: none of them starts one again.
    pub(crate) async fn stop_evaluations(&self) {
        let all = std::mem::take(&mut *self.evaluations.lock());
        all.iter().for_each(|evaluating| evaluating.run.cancellation().cancel());
        for evaluating in all {
            let mut ended = evaluating.ended.subscribe();
            let _ = tokio::time::timeout(LONGEST_END, ended.wait_for(Option::is_some)).await;
        }
    }
}

/// The same error for another caller. Most errors exist only once; of those the text is told.
fn repeated(error: &WorkspaceError) -> WorkspaceError {
    match error {
        WorkspaceError::Cancelled => WorkspaceError::Cancelled,
        WorkspaceError::Server(error) => WorkspaceError::Server(error.clone()),
        WorkspaceError::ServerLate { server, what } => {
            WorkspaceError::ServerLate { server: server.clone(), what: what.clone() }
        }
        WorkspaceError::Internal(text) => WorkspaceError::Internal(text.clone()),
        error => WorkspaceError::Internal(format!("the evaluation of the draft failed: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluations of nothing, one of which has a caller.
    fn one(evaluations: &Evaluations, limit: Instant) -> Caller<'_> {
        let evaluating = Arc::new(Evaluating::new(Vec::new(), Extent::Reached, &"draft".into(), limit));
        evaluations.keep(Arc::clone(&evaluating));
        Caller { evaluations, evaluating, has_left: false }
    }

    fn join(evaluations: &Evaluations, limit: Instant) -> Option<Caller<'_>> {
        evaluations.join(&"another".into(), &[], Extent::Reached, limit)
    }

    #[test]
    fn whoever_is_told_that_it_goes_on_finds_it_again() {
        let (evaluations, now) = (Evaluations::default(), Instant::now());
        let mut left = one(&evaluations, now);
        assert!(left.leave());
        evaluations.end(&left.evaluating, Ok(()));
        drop(left);
        let found = join(&evaluations, now).unwrap();
        assert_eq!(found.evaluating.ended.borrow().as_ref().map(Result::is_ok), Some(true));
    }

    #[test]
    fn nobody_is_told_that_it_goes_on_when_it_has_ended() {
        let (evaluations, now) = (Evaluations::default(), Instant::now());
        let mut late = one(&evaluations, now);
        evaluations.end(&late.evaluating, Ok(()));
        assert!(!late.leave(), "it gets what was found");
        drop(late);
        assert!(join(&evaluations, now).is_none());
    }

    #[test]
    fn whoever_asks_again_gives_it_more_time() {
        let (evaluations, now) = (Evaluations::default(), Instant::now());
        let mut left = one(&evaluations, now);
        assert!(left.leave() && left.evaluating.run.is_out_of_time());
        let joined = join(&evaluations, now + LOOK_AGAIN * 60).unwrap();
        assert!(!evaluations.give_up_late(&joined.evaluating));
        // An earlier limit does not shorten it.
        let other = join(&evaluations, now).unwrap();
        assert!(!other.evaluating.run.is_out_of_time());
    }

    #[test]
    fn what_ended_late_is_not_handed_out() {
        let (evaluations, now) = (Evaluations::default(), Instant::now());
        let mut left = one(&evaluations, now);
        assert!(left.leave());
        assert!(evaluations.give_up_late(&left.evaluating));
        evaluations.end(&left.evaluating, Ok(()));
        assert!(join(&evaluations, now).is_none());
    }
}
