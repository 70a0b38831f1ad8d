//! The state of a server, and how it changes: everything that its handle and its background share.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::history::History;
use crate::documents::Documents;
use crate::life::Life;
use crate::{Fault, LspError, Scope, ServerSpec};

/// A program that was not there is looked for again after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

pub(super) struct Core {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) root: PathBuf,
    /// What its process sees of the environment.
    pub(super) environment: Arc<[(OsString, OsString)]>,
    state: Mutex<State>,
    pub(super) changed: watch::Sender<u64>,
    folders: Mutex<Vec<PathBuf>>,
    /// What it is to be limited to.
    scope: Mutex<Option<Scope>>,
    history: Mutex<History>,
    /// What was open in the last life, for the next one.
    left: Mutex<Documents>,
    /// Ends with the handle.
    pub(super) dropped: CancellationToken,
}

pub(super) struct State {
    pub(super) phase: Phase,
    /// What goes on in the background, in every phase but `Resting` and `GivenUp`.
    run: Option<Arc<Run>>,
    /// Counts the starts that were tried.
    starts: u64,
    /// The last start that failed.
    failed: Option<(u64, LspError)>,
    /// Counts how often it was stopped on purpose.
    stops: u64,
}

pub(super) enum Phase {
    /// Nobody has needed it yet, or for a long time.
    Resting,
    Starting {
        since: Instant,
    },
    Living(Arc<Life>),
    /// It is being ended, and nobody gets it any more.
    Ending(Arc<Life>),
    /// It failed, and is started again at this time.
    Waiting {
        until: Instant,
        after: Fault,
    },
    GivenUp {
        error: LspError,
        since: Instant,
    },
}

/// Lives one after the other, until it rests.
pub(super) struct Run {
    /// Asks it to come to its end.
    pub(super) halt: CancellationToken,
    goes_on: AtomicBool,
}

/// Why a run is halted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    ToRest,
    /// The next run has the same documents, and who waits goes on waiting.
    ToGoOn,
}

/// What somebody waits for.
pub(super) struct Awaited {
    /// The first start that could give it.
    start: u64,
    stops: u64,
}

pub(super) enum Step {
    There(Arc<Life>),
    Soon,
    Never(LspError),
}

impl Core {
    pub(super) fn new(
        spec: Arc<ServerSpec>,
        root: PathBuf,
        environment: Arc<[(OsString, OsString)]>,
    ) -> Self {
        let state = State { phase: Phase::Resting, run: None, starts: 0, failed: None, stops: 0 };
        Self {
            folders: Mutex::new(vec![root.clone()]),
            scope: Mutex::default(),
            spec,
            root,
            environment,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            history: Mutex::default(),
            left: Mutex::default(),
            dropped: CancellationToken::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.spec.name
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn left(&self) -> MutexGuard<'_, Documents> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_folders(&self, folders: Vec<PathBuf>) {
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders;
    }

    pub(super) fn scope(&self) -> Option<Scope> {
        self.scope.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_scope(&self, scope: Option<Scope>) {
        *self.scope.lock().unwrap_or_else(PoisonError::into_inner) = scope;
    }

    /// Those who wait look at the state anew.
    pub(super) fn tell_of_change(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    pub(super) fn set(&self, phase: Phase) {
        self.lock().enter(phase);
        self.tell_of_change();
    }

    /// How it stands for somebody who needs it. Started, if it rests.
    pub(super) fn step(self: &Arc<Self>, awaited: &mut Option<Awaited>) -> Step {
        let mut state = self.lock();
        if let Some(life) = state.life().filter(|life| !life.is_over()) {
            // Under the lock: from now on it is not idle.
            life.touch();
            return Step::There(Arc::clone(life));
        }
        let awaited = awaited.get_or_insert_with(|| state.awaited());
        if let Phase::GivenUp { error, since } = &state.phase {
            let missing = matches!(error.fault, Fault::CannotStart(_) | Fault::NotInstalled);
            let may_be_there_now = missing && since.elapsed() > LOOK_AGAIN;
            if !may_be_there_now {
                return Step::Never(error.clone());
            }
        }
        if state.stops != awaited.stops {
            return Step::Never(Fault::Stopped.of(self.name()));
        }
        if let Some((start, error)) = &state.failed
            && *start >= awaited.start
        {
            return Step::Never(error.clone());
        }
        if state.run.is_none() {
            self.begin(&mut state);
        }
        Step::Soon
    }

    fn begin(self: &Arc<Self>, state: &mut State) {
        let run = Arc::new(Run { halt: CancellationToken::new(), goes_on: AtomicBool::new(false) });
        state.run = Some(Arc::clone(&run));
        state.enter(Phase::Starting { since: Instant::now() });
        let core = Arc::clone(self);
        tokio::spawn(async move {
            // Also if it panics: whoever waits must not wait for ever.
            let running = Running { core: &core, run: &run };
            tokio::select! {
                biased;
                () = core.dropped.cancelled() => {}
                phase = core.run(&run) => running.core.come_to_rest(running.run, phase),
            }
        });
        self.tell_of_change();
    }

    fn come_to_rest(&self, run: &Arc<Run>, phase: Phase) {
        let mut state = self.lock();
        if state.run.as_ref().is_some_and(|current| Arc::ptr_eq(current, run)) {
            state.run = None;
            state.enter(phase);
            drop(state);
            self.tell_of_change();
        }
    }

    /// Ends what goes on, in whatever phase it is, and waits for that.
    pub(super) async fn halt(&self, why: Halt) {
        let mut changes = self.changed.subscribe();
        let run = {
            let mut state = self.lock();
            if why == Halt::ToRest {
                state.stops += 1;
            }
            state.run.clone()
        };
        let Some(run) = run else {
            return;
        };
        if why == Halt::ToGoOn {
            run.goes_on.store(true, Ordering::Relaxed);
        }
        run.halt.cancel();
        self.tell_of_change();
        loop {
            changes.borrow_and_update();
            // Others may need it again at once: theirs is another run.
            if self.lock().run.as_ref().is_none_or(|current| !Arc::ptr_eq(current, &run)) {
                return;
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Forgets how often it failed.
    pub(super) fn forgive(&self) {
        *self.history() = History::default();
        let mut state = self.lock();
        if matches!(state.phase, Phase::GivenUp { .. }) {
            state.enter(Phase::Resting);
            drop(state);
            self.tell_of_change();
        }
    }

    /// Ends everything at once, without a runtime.
    pub(super) fn abandon(&self) {
        self.dropped.cancel();
        if let Phase::Living(life) | Phase::Ending(life) = &self.lock().phase {
            life.abandon();
        }
    }
}

impl State {
    /// The life that whoever needs it gets, if it is not over.
    pub(super) fn life(&self) -> Option<&Arc<Life>> {
        match &self.phase {
            Phase::Living(life) => Some(life),
            _ => None,
        }
    }

    fn enter(&mut self, phase: Phase) {
        if matches!(phase, Phase::Starting { .. }) {
            self.starts += 1;
        }
        self.phase = phase;
    }

    /// The start that goes on has failed.
    pub(super) fn start_failed(&mut self, error: LspError) {
        self.failed = Some((self.starts, error));
    }

    fn awaited(&self) -> Awaited {
        let is_starting = matches!(self.phase, Phase::Starting { .. });
        Awaited { start: self.starts + u64::from(!is_starting), stops: self.stops }
    }
}

impl Run {
    pub(super) fn goes_on(&self) -> bool {
        self.goes_on.load(Ordering::Relaxed)
    }
}

struct Running<'a> {
    core: &'a Core,
    run: &'a Arc<Run>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.core.come_to_rest(self.run, Phase::Resting);
    }
}
