//! Between the calls and the writer's thread: a bounded queue that makes callers wait rather than lose a record.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::AuditError;
use crate::record::Record;

/// How sure the writer makes that a record stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It survives the process.
    Written,
    /// It survives the machine.
    Synced,
}

/// A place in the queue.
pub(crate) type Slot = OwnedSemaphorePermit;

/// One record on its way to the disk.
pub(crate) struct Work {
    pub(crate) record: Record,
    pub(crate) durability: Durability,
    /// Hears how it went, where somebody waits for that.
    pub(crate) reply: Option<oneshot::Sender<Result<(), AuditError>>>,
    /// Given back when the record is written. A dropped call has none, as it cannot wait: the queue grows beyond its
    /// bound by at most the number of open calls.
    pub(crate) slot: Option<Slot>,
}

pub(crate) enum Job {
    Write(Box<Work>),
    /// Answered when everything before it has been written.
    Flush(oneshot::Sender<()>),
}

impl Job {
    /// Whether somebody waits for it, or it must be on disk soon.
    fn is_urgent(&self) -> bool {
        match self {
            Self::Write(work) => work.reply.is_some() || work.durability == Durability::Synced,
            Self::Flush(_) => true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    /// What is waiting is still written, and what comes before that is done.
    Ending,
    /// The thread writes its last record, and takes nothing more.
    Closed,
    /// The thread is no more, or never was.
    Gone,
}

/// How long the thread collects records before it writes again, if nobody waits for one: waking it for each would cost
/// a reader's call more than the record itself.
const PAUSE: Duration = Duration::from_millis(1);

/// What the thread does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It works, or looks for work by itself before long.
    No,
    /// It has to be woken.
    Asleep,
}

struct State {
    jobs: VecDeque<Job>,
    stage: Stage,
    rest: Rest,
    /// Somebody waits for one of the jobs, or for a place.
    urgent: bool,
}

pub(crate) struct Queue {
    state: Mutex<State>,
    /// There is something to do for the thread.
    ready: Condvar,
    /// The thread has ended.
    gone: Condvar,
    slots: Arc<Semaphore>,
}

impl Queue {
    pub(crate) fn new(slots: usize) -> Self {
        let slots = slots.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            state: Mutex::new(State {
                jobs: VecDeque::new(),
                stage: Stage::Open,
                rest: Rest::No,
                urgent: false,
            }),
            ready: Condvar::new(),
            gone: Condvar::new(),
            slots: Arc::new(Semaphore::new(slots)),
        }
    }

    /// Waits for a place. Nothing where there is no writer any more.
    pub(crate) async fn slot(&self) -> Option<Slot> {
        let slots = Arc::clone(&self.slots);
        if slots.available_permits() == 0 {
            self.hurry(&mut self.lock());
        }
        slots.acquire_owned().await.ok()
    }

    /// Never waits. Whether there is still a writer to take it.
    #[must_use]
    pub(crate) fn push(&self, job: Job) -> bool {
        let mut state = self.lock();
        if matches!(state.stage, Stage::Closed | Stage::Gone) {
            return false;
        }
        let urgent = job.is_urgent();
        state.jobs.push_back(job);
        if urgent {
            self.hurry(&mut state);
        } else if state.rest == Rest::Asleep {
            self.ready.notify_one();
        }
        true
    }

    /// Somebody waits: the thread is not to collect any longer.
    fn hurry(&self, state: &mut State) {
        state.urgent = true;
        self.ready.notify_one();
    }

    /// For the writer's thread: the next job, or nothing when all is done.
    pub(crate) fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        if state.jobs.is_empty() {
            state.urgent = false;
            state = self.wait_for_more(state);
        }
        let job = state.jobs.pop_front();
        if job.is_none() {
            // Under the same lock: nothing can slip in between the last job and the end.
            state.stage = Stage::Closed;
        }
        job
    }

    /// What came meanwhile is there when the pause is over. If nothing came, the next one wakes us.
    fn wait_for_more<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let pausing = |state: &mut State| !state.urgent && state.stage == Stage::Open;
        let paused = self.ready.wait_timeout_while(state, PAUSE, pausing);
        let mut state = paused.unwrap_or_else(PoisonError::into_inner).0;
        state.rest = Rest::Asleep;
        let idle = |state: &mut State| state.jobs.is_empty() && state.stage == Stage::Open;
        let waited = self.ready.wait_while(state, idle);
        state = waited.unwrap_or_else(PoisonError::into_inner);
        state.rest = Rest::No;
        state
    }

    /// Nothing more will come.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        if state.stage == Stage::Open {
            state.stage = Stage::Ending;
        }
        self.ready.notify_one();
    }

    /// Waits until the thread has ended, and says whether it did.
    pub(crate) fn wait_until_gone(&self, patience: Duration) -> bool {
        let running = |state: &mut State| state.stage != Stage::Gone;
        let waited = self.gone.wait_timeout_while(self.lock(), patience, running);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// For the writer's thread, as its last act: whoever still waits is let go.
    pub(crate) fn leave(&self) {
        self.slots.close();
        let left = {
            let mut state = self.lock();
            state.stage = Stage::Gone;
            self.gone.notify_all();
            std::mem::take(&mut state.jobs)
        };
        // Outside the lock: dropping a reply wakes whoever waits for it.
        drop(left);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
