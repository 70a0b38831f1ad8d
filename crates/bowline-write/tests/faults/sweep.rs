//! One run after the other, each interrupted one call later, until a run comes to its end untouched.

use std::fmt;
use std::ops::AddAssign;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use bowline_testkit::syscalls::{self, Counted, Ended, Interruption, Refusal};

use crate::scene::{Scene, State};

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) kills: usize,
    pub(crate) failures: usize,
    pub(crate) all_old: usize,
    pub(crate) all_new: usize,
}

impl Counts {
    pub(crate) fn count(&mut self, state: State) {
        match state {
            State::AllOld => self.all_old += 1,
            State::AllNew => self.all_new += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.kills += more.kills;
        self.failures += more.failures;
        self.all_old += more.all_old;
        self.all_new += more.all_new;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, failures, all_old, all_new } = self;
        write!(
            f,
            "{kills} kills and {failures} failed calls, {all_old} times all old, {all_new} times all new"
        )
    }
}

/// What the system does not know.
pub(crate) type System = &'static [Refusal];

pub(crate) const THIS: System = &[];

/// A file system that knows neither exchange nor "only if free", on a kernel without `openat2`.
pub(crate) const OLD: System = &[
    (libc::SYS_openat2, |_| Some(libc::ENOSYS)),
    (libc::SYS_renameat2, |call| (call.arguments[4] != 0).then_some(libc::EINVAL)),
];

/// This very program, as the child that does one thing.
pub(crate) fn run(deed: &str, dir: &Path, interruption: Interruption, system: System) -> Ended {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(deed).arg(dir);
    // To look at something never needs space.
    let counted = match interruption {
        Interruption::Fail(_, error) | Interruption::FailFrom(_, error) if error != libc::ENOSPC => {
            Counted::Touching
        }
        _ => Counted::Changing,
    };
    match syscalls::run(command, counted, interruption, system) {
        Ok(ended) => ended,
        Err(error) => panic!("the child cannot be traced, so nothing was shown: {error}"),
    }
}

/// Calls `one` with 1, 2, 3 and so on, by two threads, until it says that nothing was interrupted.
pub(crate) fn sweep(one: impl Fn(&Scene, usize) -> Option<Counts> + Sync) -> Counts {
    let next = AtomicUsize::new(1);
    let work = || {
        let (scene, mut counts) = (Scene::new(), Counts::default());
        while let Some(more) = one(&scene, next.fetch_add(1, Ordering::Relaxed)) {
            counts += more;
        }
        counts
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let mut counts = Counts::default();
        for thread in threads {
            counts += thread.join().unwrap();
        }
        counts
    })
}
