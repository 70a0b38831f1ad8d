//! How long a caller waits, and how far the work it waits for has come.

use std::future;
use std::pin::pin;
use std::time::Instant;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::WorkspaceError;

/// Hears how much is done, of how much where that is known, and of what.
pub type Report<'a> = dyn Fn(u64, Option<u64>, &str) + Sync + 'a;

/// How long a caller waits. The default waits for ever, and tells nobody.
#[derive(Clone, Default)]
pub struct Patience<'a> {
    pub cancellation: CancellationToken,
    pub deadline: Option<Instant>,
    /// Who hears how far it is. Must return at once.
    pub progress: Option<&'a Report<'a>>,
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
