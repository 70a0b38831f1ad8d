//! A process group from its birth to the end of its leader.

use std::io;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use tokio::sync::watch;

use super::{Ending, Process, watchdog};

/// The number is ours until the leader is reaped: up to then no other process and no other group can get it. So
/// nobody signals without the lock, and who reaps holds it.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    life: Mutex<Life>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Ours,
    Reaped,
}

impl Group {
    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    pub(super) fn signal(&self, signal: Signal) {
        if *self.life() == Life::Ours {
            self.send(signal);
        }
    }

    /// It can only fail because there is nobody left, or somebody who took another user's rights.
    fn send(&self, signal: Signal) {
        let _ = kill_process_group(self.leader, signal);
    }

    /// Waits until the leader has ended, and leaves nothing of its group behind.
    ///
    /// The leader stays a zombie while the rest is killed and the watchdog told, so the number means this group to
    /// the last moment. Only where the system reaps by itself (see [`Ending::Unknown`]) does a group without members
    /// lose it a moment earlier.
    fn see_off(&self) -> Ending {
        let seen = wait(self.leader, WaitIdOptions::NOWAIT);
        let mut life = self.life();
        self.send(Signal::KILL);
        watchdog::remove(self.leader);
        let _ = wait(self.leader, WaitIdOptions::empty());
        *life = Life::Reaped;
        seen.ok().flatten().map_or(Ending::Unknown, |status| ending(&status))
    }

    fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes over a child that leads a group: it is watched from now on, and reaped when it ends.
///
/// A thread waits for it and not a task: there is no portable way to be told of an end without being given it, and
/// a thread also reaps when the runtime is busy, or gone.
pub(super) fn adopt(child: Child) -> io::Result<(Process, Child)> {
    let leader = Pid::from_child(&child);
    watchdog::add(leader);
    let group = Arc::new(Group { leader, life: Mutex::new(Life::Ours) });
    let (sender, ending) = watch::channel(None);
    let reaper = {
        let group = Arc::clone(&group);
        move || sender.send_replace(Some(group.see_off()))
    };
    if let Err(error) = std::thread::Builder::new().name(format!("reap {leader}")).spawn(reaper) {
        group.signal(Signal::KILL);
        group.see_off();
        return Err(error);
    }
    Ok((Process { group, started: Instant::now(), ending }, child))
}

fn wait(leader: Pid, how: WaitIdOptions) -> Result<Option<WaitIdStatus>, Errno> {
    retry_on_intr(|| waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | how))
}

fn ending(status: &WaitIdStatus) -> Ending {
    let code = status.exit_status().map(Ending::Code);
    code.or(status.terminating_signal().map(Ending::Signal)).unwrap_or(Ending::Unknown)
}
