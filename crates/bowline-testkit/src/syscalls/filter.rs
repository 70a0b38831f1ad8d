//! Which calls the kernel is to stop at. Stopping at all of them would take ten times as long.

use std::io;

use libc::{c_long, sock_filter, sock_fprog};

use super::result;

const LOAD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// A program for the kernel: stop at these, let pass all others.
pub(super) struct Filter(Vec<sock_filter>);

impl Filter {
    pub(super) fn stopping_at(calls: &[c_long]) -> Self {
        let step = |code, k, jt| sock_filter { code, jt, jf: 0, k };
        // The number is the first word of what the kernel shows.
        let mut program = vec![step(LOAD_WORD, 0, 0)];
        for call in calls {
            // To the next instruction if it is this one, past it otherwise.
            let number = u32::try_from(*call).unwrap_or(u32::MAX);
            program.push(sock_filter { code: JUMP_IF_EQUAL, jt: 0, jf: 1, k: number });
            program.push(step(RETURN, libc::SECCOMP_RET_TRACE, 0));
        }
        program.push(step(RETURN, libc::SECCOMP_RET_ALLOW, 0));
        Self(program)
    }

    /// For this process and its children, for good. Called in the child, before it becomes another program.
    pub(super) fn install(&self) -> io::Result<()> {
        let len = u16::try_from(self.0.len()).map_err(io::Error::other)?;
        let program = sock_fprog { len, filter: self.0.as_ptr().cast_mut() };
        // SAFETY: numbers only.
        result(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())?;
        // SAFETY: the program lives until the call returns, and the kernel copies it.
        let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
        result(set.into()).map(drop)
    }
}
