//! How long a caller waits, and how far the work it waits for has come.

use std::future;
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::WorkspaceError;

/// A caller who has more time than this waits for servers that still have to start.
const LONG: Duration = Duration::from_secs(30);

/// Hears how much is done, of how much where that is known, and of what.
pub type Report<'a> = dyn Fn(u64, Option<u64>, &str) + Sync + 'a;

/// How long a caller waits. The default waits for ever, and tells nobody.
#[derive(Clone, Default)]
pub struct Patience<'a> {
    pub cancellation: CancellationToken,
    pub deadline: Option<Instant>,
    /// Who hears how far it is. Must return at once.
    pub progress: Option<&'a Report<'a>>,
    /// What changed on disk after this moment need not be known to the answer. `None`: what changed after each single
    /// question was put.
    pub as_of: Option<Instant>,
}

/// Files done, and how many there are.
pub(crate) type Done = (u64, Option<u64>);

/// How far one piece of work has come; written by the threads that do it, seen by those who wait.
#[derive(Debug, Clone)]
pub(crate) struct Meter(watch::Sender<Done>);

impl Meter {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new((0, None)))
    }

    pub(crate) fn begin(&self, total: Option<u64>) {
        self.0.send_replace((0, total));
    }

    pub(crate) fn step(&self) {
        self.0.send_modify(|(done, _)| *done += 1);
    }

    pub(crate) fn now(&self) -> Done {
        *self.0.borrow()
    }
}

impl Patience<'_> {
    /// The same for several questions of one answer: what was on disk when the first was put is known to all of them.
    /// Not for a caller who writes in between.
    #[must_use]
    pub(crate) fn as_of_now(&self) -> Self {
        Self { as_of: self.as_of.or_else(|| Some(Instant::now())), ..self.clone() }
    }

    /// The same with at most this much time from now on.
    #[must_use]
    pub(crate) fn within(&self, time: Duration) -> Self {
        let most = Instant::now() + time;
        Self { deadline: Some(self.deadline.map_or(most, |due| due.min(most))), ..self.clone() }
    }

    /// The same with a part of the time that is left.
    #[must_use]
    pub(crate) fn part(&self, of: f32) -> Self {
        let left = |due: Instant| due.saturating_duration_since(Instant::now());
        self.deadline.map_or_else(|| self.clone(), |due| self.within(left(due).mul_f32(of)))
    }

    /// Whether there is time to wait for a server to start, rather than answer without it.
    pub(crate) fn is_long(&self) -> bool {
        self.deadline.is_none_or(|due| due.saturating_duration_since(Instant::now()) > LONG)
    }

    /// Waits for the work, or for the end of patience.
    pub(crate) async fn wait<T>(
        &self,
        meter: &Meter,
        work: impl Future<Output = Result<T, WorkspaceError>>,
    ) -> Result<T, WorkspaceError> {
        let mut work = pin!(work);
        let mut due = pin!(until(self.deadline));
        let mut steps = meter.0.subscribe();
        loop {
            tokio::select! {
                biased;
                () = self.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
                answer = &mut work => return answer,
                () = &mut due => {
                    let (done, total) = meter.now();
                    return Err(WorkspaceError::NotReady { done, total });
                }
                Ok(()) = steps.changed() => {
                    let (done, total) = *steps.borrow_and_update();
                    if let Some(report) = self.progress {
                        report(done, total, "reading the workspace");
                    }
                }
            }
        }
    }
}

/// Waits for a moment, or for ever.
pub(crate) async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => future::pending().await,
    }
}
