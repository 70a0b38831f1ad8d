//! The index of all roots: refreshed before every answer, by one job that all callers share.
//!
//! A refresh that was already looking around when a caller came may have passed the file that the caller
//! has just changed. So nobody is served by a refresh that began before he asked: at most one runs, and all who
//! come meanwhile share the next.

mod proof;
mod refresh;
mod report;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

use bowline_std::clock::Clock;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

pub(crate) use proof::{Mark, are_watchable, rules_outside};
pub use report::{IndexReport, Skipped};

use crate::index::proof::Proven;
use crate::index::refresh::{Refresh, Unfinished};
use crate::patience::Meter;
use crate::walk::Walker;
use crate::{IndexStore, IndexStoreError, MemoryStore, Options, Patience, WorkspaceError};

pub(crate) struct Index {
    inner: Arc<Inner>,
    /// The job ends with the workspace.
    _stop: DropGuard,
}

struct Inner {
    options: Options,
    walker: Walker,
    clock: Arc<dyn Clock>,
    store: RwLock<Kept>,
    jobs: Mutex<Jobs>,
    /// The number of the last refresh that ended.
    ended: watch::Sender<u64>,
    hopeless: Mutex<HashSet<[u8; 32]>>,
    /// Directories that the last walk went through and the watcher passes over.
    unwatched: AtomicU64,
    proven: Proven,
    held: AtomicU64,
    meter: Meter,
    stop: CancellationToken,
}

/// Where the rows are.
#[derive(Clone)]
struct Kept {
    store: Arc<dyn IndexStore>,
    /// It is ours and in memory: there is nothing left to fall back on.
    last_resort: bool,
}

/// Refreshes are numbered from 1.
#[derive(Default)]
struct Jobs {
    running: bool,
    started: u64,
    wanted: u64,
    last: Option<Result<Arc<IndexReport>, String>>,
}

impl Index {
    pub(crate) fn new(
        options: Options,
        walker: Walker,
        clock: Arc<dyn Clock>,
        store: Option<Box<dyn IndexStore>>,
    ) -> Self {
        let kept = match store {
            Some(store) => Kept { store: Arc::from(store), last_resort: false },
            None => Kept::in_memory(),
        };
        let stop = CancellationToken::new();
        let inner = Inner {
            options,
            walker,
            clock,
            store: RwLock::new(kept),
            jobs: Mutex::default(),
            ended: watch::Sender::new(0),
            hopeless: Mutex::default(),
            unwatched: AtomicU64::new(0),
            proven: Proven::default(),
            held: AtomicU64::new(0),
            meter: Meter::new(),
            stop: stop.clone(),
        };
        Self { inner: Arc::new(inner), _stop: stop.drop_guard() }
    }

    /// Waits until everything that changed before this call is known.
    pub(crate) async fn fresh(&self, patience: &Patience<'_>) -> Result<Arc<IndexReport>, WorkspaceError> {
        let mut ended = self.inner.ended.subscribe();
        let number = Inner::want_refresh(&self.inner)?;
        let done = async {
            // The sender lives as long as we do.
            let _ = ended.wait_for(|ended| *ended >= number).await;
            match self.inner.jobs().last.clone() {
                Some(Ok(report)) => Ok(report),
                Some(Err(reason)) => Err(WorkspaceError::Internal(reason)),
                None => Err(WorkspaceError::Cancelled),
            }
        };
        patience.wait(&self.inner.meter, done).await
    }

    /// The last report, if nothing that the index depends on has changed since. `is_unchanged` says whether no file of
    /// the index changed since a place in the log of changes.
    pub(crate) fn still(&self, now: &Mark, is_unchanged: impl Fn(u64) -> bool) -> Option<Arc<IndexReport>> {
        self.inner.proven.still(now, is_unchanged)
    }

    /// Notes that a refresh has begun after this moment, where that can prove something later.
    pub(crate) fn mark(&self, mark: Option<Mark>, report: &Arc<IndexReport>) {
        let is_all_seen = self.inner.unwatched.load(Ordering::Relaxed) == 0 && report.skipped.unreadable == 0;
        let proves = mark.filter(|mark| is_all_seen && mark.proves());
        self.inner.proven.set(proves.map(|mark| (mark, Arc::clone(report))));
    }

    /// Lets a refresh wait before it reads the next file, for as long as this is held: somebody is in a hurry.
    pub(crate) fn hold(&self) -> Held {
        self.inner.held.fetch_add(1, Ordering::Relaxed);
        Held(Arc::clone(&self.inner))
    }

    /// The last refresh that ended, if one has.
    pub(crate) fn last_report(&self) -> Option<Arc<IndexReport>> {
        self.inner.jobs().last.clone()?.ok()
    }

    pub(crate) fn store(&self) -> Arc<dyn IndexStore> {
        self.inner.kept().store
    }

    /// Goes on in memory after the store failed. An error means that memory itself is what failed.
    pub(crate) fn give_up_store(
        &self,
        failed: &Arc<dyn IndexStore>,
        error: IndexStoreError,
    ) -> Result<(), WorkspaceError> {
        self.inner.give_up_store(failed, error).map_err(WorkspaceError::Store)
    }
}

/// A refresh reads nothing while there is one of these.
pub(crate) struct Held(Arc<Inner>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.held.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Kept {
    fn in_memory() -> Self {
        Self { store: Arc::new(MemoryStore::default()), last_resort: true }
    }
}

impl Inner {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> Kept {
        self.store.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn give_up_store(
        &self,
        failed: &Arc<dyn IndexStore>,
        error: IndexStoreError,
    ) -> Result<(), IndexStoreError> {
        let mut kept = self.store.write().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&kept.store, failed) {
            return Ok(()); // Somebody else was faster.
        }
        if kept.last_resort {
            return Err(error);
        }
        tracing::warn!(%error, "the index is kept in memory from here on: its store failed");
        *kept = Kept::in_memory();
        self.proven.set(None);
        Ok(())
    }

    /// The number of a refresh that has not begun yet.
    fn want_refresh(this: &Arc<Self>) -> Result<u64, WorkspaceError> {
        let mut jobs = this.jobs();
        let number = jobs.started + 1;
        jobs.wanted = number;
        if !jobs.running {
            let inner = Arc::clone(this);
            // A thread of its own and not the runtime's: a runtime that shuts down waits for its threads.
            thread::Builder::new()
                .name("bowline-index".into())
                .spawn(move || inner.drive())
                .map_err(|error| WorkspaceError::Internal(format!("cannot start a thread: {error}")))?;
            jobs.running = true;
        }
        Ok(number)
    }

    /// Refreshes until nobody wants it any more.
    fn drive(&self) {
        loop {
            let number = {
                let mut jobs = self.jobs();
                if jobs.wanted <= jobs.started {
                    jobs.running = false;
                    return;
                }
                jobs.started += 1;
                jobs.started
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| self.refresh()))
                .unwrap_or_else(|_| Err("the indexing thread panicked".into()));
            self.jobs().last = Some(outcome.map(Arc::new));
            self.ended.send_replace(number);
        }
    }

    fn refresh(&self) -> Result<IndexReport, String> {
        loop {
            let kept = self.kept();
            let refresh = Refresh {
                options: &self.options,
                walker: &self.walker,
                clock: &*self.clock,
                store: &*kept.store,
                hopeless: &self.hopeless,
                unwatched: &self.unwatched,
                held: &self.held,
                meter: &self.meter,
                stop: &self.stop,
            };
            match refresh.run() {
                Ok(report) => return Ok(report),
                Err(Unfinished::Stopped) => return Err("the workspace was closed".into()),
                Err(Unfinished::Store(error)) => {
                    self.give_up_store(&kept.store, error).map_err(|error| error.to_string())?;
                }
            }
        }
    }
}
