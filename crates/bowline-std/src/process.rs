//! Programs that are started by us and end with us, whatever happens to us.
//!
//! Each leads a process group of its own, and the group is what is signalled, measured and killed. Two nets hold
//! when we are killed ourselves: on Linux the kernel kills each leader (`child`), and everywhere a watchdog kills
//! what is left of the groups (`watchdog`). Out of reach is only who leaves the group on purpose, as a daemon does.

mod child;
mod ending;
mod error;
mod find;
mod fork;
mod group;
mod parallelism;
mod script;
mod table;
#[cfg(test)]
mod tests;
mod watchdog;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rustix::process::Signal;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;

pub use ending::Ending;
pub use error::SpawnError;
pub use find::find_program;
pub use parallelism::parallelism;
pub use table::{alive, group_memory, group_ticks, start_ticks};

use fork::Pipes;
use group::Group;

/// A program to start. It sees these variables of the environment and no others.
#[derive(Clone)]
pub struct Program {
    /// A name without a separator is looked up on the `PATH` in `env`; a relative path starts at `dir`.
    pub path: PathBuf,
    pub args: Vec<OsString>,
    pub dir: PathBuf,
    /// Where a name stands twice, the last one counts.
    pub env: Vec<(OsString, OsString)>,
}

impl Program {
    /// Where names are looked up. Without a `PATH` it is what the C library would take.
    fn search_path(&self) -> &OsStr {
        let path = self.env.iter().rev().find(|(name, _)| name == "PATH");
        path.map_or(OsStr::new("/bin:/usr/bin"), |(_, value)| value)
    }
}

/// Without the values of the environment: tokens and passwords travel there.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("Program")
            .field("path", &self.path)
            .field("args", &self.args)
            .field("dir", &self.dir)
            .field("env", &names)
            .finish()
    }
}

/// A program that runs, with its pipes. They stay open for whoever holds them, also after the process has ended.
#[derive(Debug)]
pub struct Running {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
    pub process: Process,
}

/// Starts the program. When this returns, its code is running already. Needs a runtime with I/O.
///
/// If the future is dropped, the program is not started, or is killed.
pub async fn spawn(program: &Program) -> Result<Running, SpawnError> {
    let forked = fork::fork(program.clone(), Pipes::Apart).await?;
    let at = |source| SpawnError::from_io(&program.path, source);
    let stderr = forked.stderr.ok_or_else(|| at(std::io::ErrorKind::BrokenPipe.into()))?;
    Ok(Running {
        stdin: ChildStdin::from_std(forked.stdin).map_err(at)?,
        stdout: ChildStdout::from_std(forked.stdout).map_err(at)?,
        stderr: ChildStderr::from_std(stderr).map_err(at)?,
        process: forked.process,
    })
}

/// A program that runs, and everything that it prints, in the order in which it was printed.
#[derive(Debug)]
pub struct Joined {
    pub stdin: ChildStdin,
    pub output: ChildStdout,
    pub process: Process,
}

/// The same, with its standard output and its standard error in one.
pub async fn spawn_joined(program: &Program) -> Result<Joined, SpawnError> {
    let forked = fork::fork(program.clone(), Pipes::Joined).await?;
    let at = |source| SpawnError::from_io(&program.path, source);
    Ok(Joined {
        stdin: ChildStdin::from_std(forked.stdin).map_err(at)?,
        output: ChildStdout::from_std(forked.stdout).map_err(at)?,
        process: forked.process,
    })
}

/// One process and everything it started: its process group. Dropped, the whole group is killed at once; this
/// needs no runtime. When the leader ends by itself, the rest of its group is killed, too.
#[derive(Debug)]
pub struct Process {
    group: Arc<Group>,
    started: Instant,
    ending: watch::Receiver<Option<Ending>>,
}

impl Process {
    pub fn pid(&self) -> u32 {
        self.group.leader().as_raw_pid().cast_unsigned()
    }

    pub fn started(&self) -> Instant {
        self.started
    }

    /// Waits for the leader's end. Any number of callers may wait, and a wait may be given up at any time.
    pub async fn ended(&self) -> Ending {
        let mut ending = self.ending.clone();
        // The other side closes without a word only if its thread was torn down.
        ending.wait_for(Option::is_some).await.ok().and_then(|ending| *ending).unwrap_or(Ending::Unknown)
    }

    /// How the leader ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        *self.ending.borrow()
    }

    /// Asks the group to end (`SIGTERM`). It may refuse.
    pub fn terminate(&self) {
        self.group.signal(Signal::TERM);
    }

    /// Kills the group (`SIGKILL`).
    pub fn kill(&self) {
        self.group.signal(Signal::KILL);
    }

    /// Resident bytes of the group, where the system says. See [`group_memory`].
    pub fn memory(&self) -> Option<u64> {
        // The number may belong to others once the leader is gone.
        if self.ending().is_some() { None } else { group_memory(self.pid()) }
    }

    /// Ticks that the group has spent computing so far, where the system says. See [`group_ticks`].
    pub fn ticks(&self) -> Option<u64> {
        if self.ending().is_some() { None } else { group_ticks(self.pid()) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
