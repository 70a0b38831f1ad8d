//! What the watcher's thread and those who ask it share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::WatchOptions;
use super::change::{ChangeKind, Changes, Pending};
use super::cookies::Cookies;
use super::coverage::Gap;

pub(super) struct Shared {
    pub(super) options: WatchOptions,
    pub(super) cookies: Cookies,
    pub(super) stop: CancellationToken,
    state: watch::Sender<State>,
    watched: AtomicUsize,
    passed_over: AtomicU64,
}

pub(super) struct State {
    pub(super) pending: Pending,
    pub(super) gap: Option<Gap>,
    /// The number of the last cookie that came through.
    pub(super) seen: u64,
}

impl Shared {
    pub(super) fn new(options: WatchOptions, cookies: Cookies) -> Self {
        let state = State { pending: Pending::default(), gap: Some(Gap::Looking), seen: 0 };
        Self {
            options,
            cookies,
            stop: CancellationToken::new(),
            state: watch::Sender::new(state),
            watched: AtomicUsize::new(0),
            passed_over: AtomicU64::new(0),
        }
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    pub(super) fn gap(&self) -> Option<Gap> {
        self.state.borrow().gap.clone()
    }

    pub(super) fn watched(&self) -> usize {
        self.watched.load(Ordering::Relaxed)
    }

    pub(super) fn passed_over(&self) -> u64 {
        self.passed_over.load(Ordering::Acquire)
    }

    /// A directory has come, or a repository has, that is not watched. Before the cookie that proves it.
    pub(super) fn pass_over(&self) {
        self.passed_over.fetch_add(1, Ordering::Release);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    pub(super) fn take(&self) -> Changes {
        let mut taken = Changes::Known(Vec::new());
        self.state.send_if_modified(|state| {
            taken = state.pending.take();
            false
        });
        taken
    }

    pub(super) fn tell(&self, path: PathBuf, kind: ChangeKind) {
        self.add(|pending| pending.add(path, kind));
    }

    pub(super) fn arrived(&self, directory: &Path) {
        self.add(|pending| pending.arrived(directory.to_owned()));
    }

    pub(super) fn replaced(&self, directory: &Path) {
        self.add(|pending| pending.replaced(directory.to_owned()));
    }

    pub(super) fn lose(&self) {
        self.add(Pending::lose);
    }

    pub(super) fn saw(&self, cookie: u64) {
        self.state.send_modify(|state| state.seen = state.seen.max(cookie));
    }

    pub(super) fn set_gap(&self, gap: Option<Gap>) {
        self.state.send_modify(|state| state.gap = gap);
    }

    pub(super) fn set_watched(&self, watched: usize) {
        self.watched.store(watched, Ordering::Relaxed);
    }

    /// Only the first change wakes somebody: when to tell of the others is asked again when it is time.
    fn add(&self, add: impl FnOnce(&mut Pending)) {
        self.state.send_if_modified(|state| {
            let was_empty = state.pending.is_empty();
            add(&mut state.pending);
            was_empty && !state.pending.is_empty()
        });
    }
}
