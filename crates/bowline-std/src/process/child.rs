//! What the child does between its fork and the first instruction of the program.
#![expect(
    unsafe_code,
    reason = "only code that runs in the child can ask for its death signal and for a plain exec"
)]

use std::collections::BTreeMap;
use std::ffi::{CString, NulError, OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr;

use rustix::process::Pid;

use super::Program;

/// The program as the system takes it. All of it is made before the fork: the child must not allocate.
pub(super) struct Image {
    file: CString,
    args: Strings,
    env: Strings,
}

impl Image {
    pub(super) fn of(program: &Program, file: &Path) -> Result<Self, NulError> {
        let args =
            std::iter::once(program.path.as_os_str()).chain(program.args.iter().map(OsString::as_os_str));
        let last_ones: BTreeMap<_, _> = program.env.iter().map(|(name, value)| (name, value)).collect();
        let env = last_ones
            .into_iter()
            .map(|(name, value)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()));
        Ok(Self {
            file: c_string(file.as_os_str())?,
            args: Strings::of(args.map(c_string))?,
            env: Strings::of(env)?,
        })
    }

    /// Returns only if it fails.
    ///
    /// std would end with `execvp`, which hands a file in no known format to `/bin/sh`: a server built for another
    /// processor would seem to start.
    fn exec(&self) -> io::Error {
        // SAFETY: the file is a C string, and both arrays hold pointers to C strings, end with a null pointer and
        // live as long as `self`.
        unsafe { libc::execve(self.file.as_ptr(), self.args.pointers.as_ptr(), self.env.pointers.as_ptr()) };
        io::Error::last_os_error()
    }
}

/// Makes the child of this command the program. Nothing that the command says about arguments and environment counts.
pub(super) fn become_program(command: &mut Command, image: Image) {
    let parent = rustix::process::getpid();
    let in_the_child = move || {
        die_with(parent)?;
        Err(image.exec())
    };
    // SAFETY: the closure runs in a child of a process with threads, where only async-signal-safe calls are allowed.
    // It makes three system calls (`prctl`, `getppid`, `execve`), takes no lock and allocates nothing: an
    // `io::Error` of the system's is a number.
    unsafe { command.pre_exec(in_the_child) };
}

/// Asks the kernel to kill us when the thread that forked us ends, which is when its process ends.
#[cfg(target_os = "linux")]
fn die_with(parent: Pid) -> io::Result<()> {
    // Where a sandbox forbids it, the watchdog is left.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    // The parent may have ended before we asked.
    if rustix::process::getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_: Pid) -> io::Result<()> {
    Ok(())
}

fn c_string(text: &OsStr) -> Result<CString, NulError> {
    CString::new(text.as_bytes())
}

/// Strings with the array of pointers to them that the system wants.
struct Strings {
    pointers: Vec<*const libc::c_char>,
    _owned: Vec<CString>,
}

impl Strings {
    fn of(strings: impl Iterator<Item = Result<CString, NulError>>) -> Result<Self, NulError> {
        let owned = strings.collect::<Result<Vec<_>, _>>()?;
        let pointers = owned.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
        Ok(Self { pointers, _owned: owned })
    }
}

// SAFETY: the pointers lead to the strings beside them, which nobody changes.
unsafe impl Send for Strings {}
// SAFETY: as above.
unsafe impl Sync for Strings {}
