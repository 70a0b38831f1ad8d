//! A child whose system calls are counted, and which is killed or failed at one of them: how tests show that a write
//! survives an end at any instant. It needs neither `strace` nor privileges, only that the system lets a process
//! trace its own children.
//!
//! Counting begins when the child calls [`begin`] and ends with [`end`], so that loading a program and reporting its
//! result are not part of it. Only the child's first thread is seen.
#![expect(unsafe_code, reason = "ptrace has no safe face")]

mod filter;
mod numbers;
mod registers;
mod seen;

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use libc::{c_int, c_long, pid_t};

use filter::Filter;
use registers::Registers;

pub use seen::{Seen, see};

/// What happens to the child at which of its counted calls; the first is number one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    Never,
    KillBefore(usize),
    KillAfter(usize),
    /// This one call fails.
    Fail(usize, i32),
    /// This one call fails, and the child is killed before another, counted from there.
    FailThenKill(usize, i32, usize),
    /// This call and all after it fail, as on a disk that is gone.
    FailFrom(usize, i32),
}

/// One system call as it begins.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    pub number: c_long,
    pub arguments: [u64; 6],
}

/// How it went.
#[derive(Debug)]
pub struct Ended {
    /// None if a signal ended it.
    pub code: Option<i32>,
    /// How many calls were counted.
    pub calls: usize,
    /// Whether the interruption came to pass.
    pub interrupted: bool,
    /// What the child wrote to its standard output.
    pub said: String,
}

/// The child's mark: counting begins.
pub fn begin() {
    std::thread::yield_now();
}

/// The child's mark: counting ends.
pub fn end() {
    std::thread::yield_now();
}

/// Which calls count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Those that may change what is on disk. To be ended before any other is to be ended before the next of these.
    Changing,
    /// Those, and the calls that look at what is on disk: any of them may fail.
    Touching,
}

impl Counted {
    fn numbers(self) -> &'static [c_long] {
        match self {
            Self::Changing => &numbers::CHANGING,
            Self::Touching => &numbers::TOUCHING,
        }
    }

    fn counts(self, call: &Call) -> bool {
        let creating = call.arguments[2] & libc::O_CREAT as u64 != 0;
        match self {
            Self::Changing if call.number == libc::SYS_openat => creating,
            _ => self.numbers().contains(&call.number),
        }
    }
}

/// Calls of this number that fail in any case, and with what.
pub type Refusal = (c_long, fn(&Call) -> Option<i32>);

/// Runs the child to its end. A call that is refused does not count.
pub fn run(
    mut command: Command,
    counted: Counted,
    interruption: Interruption,
    refused: &[Refusal],
) -> io::Result<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut stops = [counted.numbers(), &[libc::SYS_sched_yield]].concat();
    stops.extend(refused.iter().map(|(number, _)| number));
    let filter = Filter::stopping_at(&stops);
    // SAFETY: between fork and exec only system calls are made, which take no memory from the heap.
    unsafe {
        command.pre_exec(move || ask(libc::PTRACE_TRACEME, 0, 0).and_then(|_| filter.install()));
    }
    let mut child = command.spawn()?;
    let traced = trace(&child, counted, interruption, refused);
    if traced.is_err() {
        let _ = child.kill();
    }
    let mut said = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut said)?;
    }
    let (code, calls, interrupted) = traced?;
    Ok(Ended { code, calls, interrupted, said })
}

fn trace(
    child: &Child,
    counted: Counted,
    interruption: Interruption,
    refused: &[Refusal],
) -> io::Result<(Option<i32>, usize, bool)> {
    let pid = pid_t::try_from(child.id()).map_err(io::Error::other)?;
    wait(pid)?;
    let options = libc::PTRACE_O_TRACESECCOMP | libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL;
    ask(libc::PTRACE_SETOPTIONS, pid, options.into())?;
    let (mut calls, mut interrupted, mut marks) = (0, false, 0);
    let mut signal = 0;
    loop {
        ask(libc::PTRACE_CONT, pid, signal.into())?;
        let status = wait(pid)?;
        if libc::WIFEXITED(status) {
            return Ok((Some(libc::WEXITSTATUS(status)), calls, interrupted));
        }
        if libc::WIFSIGNALED(status) {
            return Ok((None, calls, interrupted));
        }
        if status >> 8 != libc::SIGTRAP | (libc::PTRACE_EVENT_SECCOMP << 8) {
            signal = libc::WSTOPSIG(status);
            continue;
        }
        signal = 0;
        let registers = Registers::read(pid)?;
        let call = registers.call();
        if call.number == libc::SYS_sched_yield {
            marks += 1;
            continue;
        }
        if marks != 1 {
            continue;
        }
        let refusal = refused.iter().find(|(number, _)| *number == call.number);
        if let Some(error) = refusal.and_then(|(_, with)| with(&call)) {
            registers.fail(pid, error)?;
            continue;
        }
        if !counted.counts(&call) {
            continue;
        }
        calls += 1;
        match interruption {
            Interruption::KillBefore(at) if at == calls => {
                // A call without a number does nothing, whatever the signal meets first.
                registers.fail(pid, libc::EINTR)?;
                return kill(pid).map(|()| (None, calls, true));
            }
            Interruption::KillAfter(at) if at == calls => {
                ask(libc::PTRACE_SYSCALL, pid, 0)?;
                wait(pid)?;
                return kill(pid).map(|()| (None, calls, true));
            }
            Interruption::FailThenKill(at, _, then) if at + then == calls => {
                registers.fail(pid, libc::EINTR)?;
                return kill(pid).map(|()| (None, calls, true));
            }
            Interruption::FailThenKill(at, error, _) if at == calls => registers.fail(pid, error)?,
            Interruption::Fail(at, error) if at == calls => {
                interrupted = true;
                registers.fail(pid, error)?;
            }
            Interruption::FailFrom(at, error) if at <= calls => {
                interrupted = true;
                registers.fail(pid, error)?;
            }
            _ => {}
        }
    }
}

/// Returns when it is dead.
fn kill(pid: pid_t) -> io::Result<()> {
    // SAFETY: a number and a signal; the child was not waited for, so the number is still its own.
    result(unsafe { libc::kill(pid, libc::SIGKILL) }.into())?;
    while !libc::WIFSIGNALED(wait(pid)?) {}
    Ok(())
}

fn wait(pid: pid_t) -> io::Result<c_int> {
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    let waited = unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
    result(waited.into()).map(|_| status)
}

fn ask(request: libc::c_uint, pid: pid_t, data: c_long) -> io::Result<c_long> {
    // SAFETY: these requests take a number, no memory.
    let answer = unsafe { libc::ptrace(request, pid, std::ptr::null_mut::<libc::c_void>(), data) };
    result(answer)
        .map_err(|error| io::Error::new(error.kind(), format!("ptrace is not possible here: {error}")))
}

fn result(answer: c_long) -> io::Result<c_long> {
    if answer == -1 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}
