//! What goes on in the background: one life after the other, each from its start to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::core::{Core, Phase, Run};
use super::history::Next;
use crate::documents::Documents;
use crate::life::Life;
use crate::{Fault, LspError};

/// How often memory and idleness are looked at, at most.
const ROUND: Duration = Duration::from_secs(2);

/// Why a life ended.
enum End {
    /// Nobody needs it, or it is to end.
    Rest,
    /// It runs with folders that are no longer those of the workspace.
    Outdated,
    Failed(Fault),
}

impl Core {
    /// Lives until it rests or fails for good, and says which.
    pub(super) async fn run(&self, run: &Run) -> Phase {
        loop {
            let fault = match self.live(run).await {
                End::Rest => return Phase::Resting,
                End::Outdated => {
                    self.set(Phase::Starting { since: Instant::now() });
                    continue;
                }
                End::Failed(fault) => fault,
            };
            if !matches!(fault, Fault::NotInstalled) {
                tracing::warn!("{}", fault.clone().of(self.name()));
            }
            let next = self.history().failed(fault.clone(), self.spec.limits.pause, Instant::now());
            let pause = match next {
                Next::Again { after } => after,
                Next::Never(fault) => {
                    // They may be what it fails over.
                    *self.left() = Documents::default();
                    return Phase::GivenUp { error: fault.of(self.name()), since: Instant::now() };
                }
            };
            self.set(Phase::Waiting { until: Instant::now() + pause, after: fault });
            tokio::select! {
                biased;
                () = run.halt.cancelled() => return self.rest(run),
                () = tokio::time::sleep(pause) => self.set(Phase::Starting { since: Instant::now() }),
            }
        }
    }

    fn rest(&self, run: &Run) -> Phase {
        if !run.goes_on() {
            *self.left() = Documents::default();
        }
        Phase::Resting
    }

    /// One life, from start to end.
    async fn live(&self, run: &Run) -> End {
        let started = tokio::select! {
            biased;
            // Dropped in its middle, a start leaves nothing.
            () = run.halt.cancelled() => {
                self.rest(run);
                return End::Rest;
            }
            started = self.start() => started,
        };
        let life = match started {
            Ok(life) => life,
            Err(LspError { fault, .. }) => {
                self.lock().start_failed(fault.clone().of(self.name()));
                return End::Failed(fault);
            }
        };
        self.set(Phase::Living(Arc::clone(&life)));
        let end = self.attend(&life, run).await;
        life.kill();
        *self.left() = life.take_documents();
        if matches!(end, End::Rest) {
            self.rest(run);
        }
        end
    }

    /// Watches over a life until it ends, one way or another.
    async fn attend(&self, life: &Arc<Life>, run: &Run) -> End {
        // Whoever set them while it was being started could not tell it.
        if !life.set_folders(&self.folders()) || !life.set_scope(self.scope().as_ref()).await {
            self.end(life).await;
            return End::Outdated;
        }
        let mut rounds = tokio::time::interval(self.round());
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let end = life.end();
        tokio::pin!(end);
        loop {
            tokio::select! {
                biased;
                fault = &mut end => return End::Failed(fault),
                () = run.halt.cancelled() => {
                    self.end(life).await;
                    return End::Rest;
                }
                _ = rounds.tick() => {
                    if self.retire(life) {
                        tracing::info!(server = self.name(), "stopped, because nobody has asked it for long");
                        life.stop().await;
                        return End::Rest;
                    }
                    self.weigh(life);
                }
            }
        }
    }

    async fn end(&self, life: &Arc<Life>) {
        self.set(Phase::Ending(Arc::clone(life)));
        life.stop().await;
    }

    /// Short enough for a short time of rest.
    fn round(&self) -> Duration {
        let shortest = self.spec.limits.idle.map_or(ROUND, |idle| (idle / 4).min(ROUND));
        shortest.max(Duration::from_millis(20))
    }

    /// Takes a life that nobody uses out of use: whoever comes now waits for the next one.
    fn retire(&self, life: &Arc<Life>) -> bool {
        // Whoever gets a life touches it under this lock.
        let mut state = self.lock();
        let is_idle = self.spec.limits.idle.is_some_and(|idle| life.unused_for() > idle);
        if is_idle {
            state.phase = Phase::Ending(Arc::clone(life));
            drop(state);
            self.tell_of_change();
        }
        is_idle
    }

    fn weigh(&self, life: &Life) {
        if let Some(most) = self.spec.limits.memory
            && let Some(used) = life.memory()
            && used > most
        {
            life.end_for_memory(used, most);
        }
    }
}
