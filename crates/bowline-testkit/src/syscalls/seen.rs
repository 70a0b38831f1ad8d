//! What a program asks of the system while it runs: the files that it opens, the threads that it starts, and how often its
//! heap grows. These are counts, so they hold on any machine.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use libc::pid_t;

use super::filter::Filter;
use super::registers::Registers;
use super::{Call, ask, wait};

/// Longer paths are cut.
const MAX_PATH: usize = 4096;

/// The calls of a program's first thread. A thread that it starts is counted, and can open nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Every path that was to be opened, in order, whether it was there or not.
    pub opened: Vec<String>,
    pub threads: usize,
    /// How often it asked for more heap.
    pub growths: usize,
}

/// Runs a program to its end. Its pipes are the caller's business.
pub fn see(command: &mut Command) -> io::Result<Seen> {
    let stops = [libc::SYS_openat, libc::SYS_clone, libc::SYS_clone3, libc::SYS_brk];
    let filter = Filter::stopping_at(&stops);
    // SAFETY: between fork and exec only system calls are made, which take no memory from the heap.
    unsafe {
        command.pre_exec(move || ask(libc::PTRACE_TRACEME, 0, 0).and_then(|_| filter.install()));
    }
    let mut child = command.spawn()?;
    let pid = pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let seen = follow(pid);
    if seen.is_err() {
        let _ = child.kill();
    }
    seen
}

fn follow(pid: pid_t) -> io::Result<Seen> {
    wait(pid)?;
    let options = libc::PTRACE_O_TRACESECCOMP | libc::PTRACE_O_EXITKILL;
    ask(libc::PTRACE_SETOPTIONS, pid, options.into())?;
    let mut seen = Seen::default();
    let mut signal = 0;
    loop {
        ask(libc::PTRACE_CONT, pid, signal.into())?;
        let status = wait(pid)?;
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            return Ok(seen);
        }
        if status >> 8 != libc::SIGTRAP | (libc::PTRACE_EVENT_SECCOMP << 8) {
            signal = libc::WSTOPSIG(status);
            continue;
        }
        signal = 0;
        let Call { number, arguments } = Registers::read(pid)?.call();
        match number {
            libc::SYS_openat => seen.opened.push(text_at(pid, arguments[1])?),
            libc::SYS_brk => seen.growths += 1,
            _ => seen.threads += 1,
        }
    }
}

/// The text at an address of a stopped process.
fn text_at(pid: pid_t, address: u64) -> io::Result<String> {
    #[expect(clippy::disallowed_methods, reason = "no FIFO, but the memory of a child")]
    let memory = File::open(format!("/proc/{pid}/mem"))?;
    let mut bytes = Vec::new();
    while bytes.len() < MAX_PATH && !bytes.contains(&0) {
        // By small pieces: what lies behind the end of the text may not be there.
        let mut piece = [0; 16];
        let at = address + bytes.len() as u64;
        let room = usize::try_from(16 - at % 16).unwrap_or(1);
        memory.read_exact_at(&mut piece[..room], at)?;
        bytes.extend_from_slice(&piece[..room]);
    }
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
