//! The second net: a shell that waits for our end and then kills every group we left.
//!
//! The death signal reaches a leader only, and only on Linux. The watchdog reads the groups from a pipe that nobody
//! but us holds open, so the kernel tells it about any end of ours. It needs no program but the shell.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;

use super::fork::command;

/// Only commands built into every shell. A line comes whole or not at all: it is shorter than what a pipe splits.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
groups=' '
while read -r verb group; do
    case $verb:$groups in
        add:*) groups="$groups$group " ;;
        remove:*" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

enum Watchdog {
    Asleep,
    /// The child is kept to be reaped if it ends before us.
    Awake(Child, ChildStdin),
    Absent,
}

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog::Asleep);

/// From now on the group ends with us.
pub(super) fn add(group: Pid) {
    tell("add", group);
}

/// The group has been killed, and its number is about to be free.
pub(super) fn remove(group: Pid) {
    tell("remove", group);
}

fn tell(verb: &str, group: Pid) {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*watchdog, Watchdog::Asleep) {
        *watchdog = wake().unwrap_or_else(|error| absent(&error));
    }
    if let Watchdog::Awake(child, pipe) = &mut *watchdog
        && let Err(error) = pipe.write_all(format!("{verb} {group}\n").as_bytes())
    {
        // It was killed. A second one would have to learn all groups again, and why should it fare better?
        let _ = child.try_wait();
        *watchdog = absent(&error);
    }
}

/// Its directory is `/` and its output goes nowhere: it must hold nothing that somebody waits for after our end.
fn wake() -> io::Result<Watchdog> {
    let mut child = command(OsStr::new("/bin/sh"), Path::new("/"))
        .args(["-c", SCRIPT, "watchdog"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let pipe = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    Ok(Watchdog::Awake(child, pipe))
}

/// Happens once: nobody leaves this state.
fn absent(error: &io::Error) -> Watchdog {
    tracing::warn!(%error, "no watchdog runs: if this process is killed, programs it started may stay behind");
    Watchdog::Absent
}

/// For the test that takes this net away.
#[cfg(test)]
pub(super) fn pid() -> Option<u32> {
    match &*WATCHDOG.lock().unwrap() {
        Watchdog::Awake(child, _) => Some(child.id()),
        Watchdog::Asleep | Watchdog::Absent => None,
    }
}
