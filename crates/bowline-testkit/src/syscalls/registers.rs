//! Where each kind of machine has a system call's number, arguments and answer.

use std::io;
use std::mem::MaybeUninit;

use libc::{c_long, c_void, iovec, pid_t, user_regs_struct};

use super::{Call, result};

/// The general registers, as the kernel's `elf.h` numbers the sets.
const GENERAL: usize = 1;

#[derive(Clone, Copy)]
pub(super) struct Registers(user_regs_struct);

impl Registers {
    pub(super) fn read(pid: pid_t) -> io::Result<Self> {
        let mut registers = MaybeUninit::<user_regs_struct>::zeroed();
        set(
            libc::PTRACE_GETREGSET,
            pid,
            GENERAL,
            registers.as_mut_ptr().cast(),
            size_of::<user_regs_struct>(),
        )?;
        // SAFETY: plain numbers, zeroed before the kernel wrote them.
        Ok(Self(unsafe { registers.assume_init() }))
    }

    fn write(&self, pid: pid_t) -> io::Result<()> {
        let from = (&raw const self.0).cast_mut().cast();
        set(libc::PTRACE_SETREGSET, pid, GENERAL, from, size_of::<user_regs_struct>())
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn call(&self) -> Call {
        let of = &self.0;
        let arguments = [of.rdi, of.rsi, of.rdx, of.r10, of.r8, of.r9];
        Call { number: of.orig_rax.cast_signed(), arguments }
    }

    /// The call about to begin is not made, and seems to have failed with this error.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn fail(mut self, pid: pid_t, error: i32) -> io::Result<()> {
        self.0.orig_rax = u64::MAX;
        self.0.rax = i64::from(-error).cast_unsigned();
        self.write(pid)
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn call(&self) -> Call {
        let of = &self.0.regs;
        let arguments = [of[0], of[1], of[2], of[3], of[4], of[5]];
        Call { number: of[8].cast_signed(), arguments }
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn fail(mut self, pid: pid_t, error: i32) -> io::Result<()> {
        self.0.regs[0] = i64::from(-error).cast_unsigned();
        self.write(pid)?;
        // `NT_ARM_SYSTEM_CALL`: the number that counts is not among the registers.
        let mut none: libc::c_int = -1;
        set(libc::PTRACE_SETREGSET, pid, 0x404, (&raw mut none).cast(), size_of::<libc::c_int>())
    }
}

fn set(request: libc::c_uint, pid: pid_t, which: usize, at: *mut c_void, length: usize) -> io::Result<()> {
    let mut place = iovec { iov_base: at, iov_len: length };
    // SAFETY: `place` names memory of this length that lives until the call returns.
    let answer: c_long = unsafe { libc::ptrace(request, pid, which, &raw mut place) };
    result(answer).map(drop)
}
