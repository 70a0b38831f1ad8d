//! How a process ended.

use std::fmt;

use rustix::process::Signal;

/// How a process ended. Reads as the rest of a sentence: "exited with code 1", "was killed by signal 9 (SIGKILL)".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Code(i32),
    Signal(i32),
    /// Somebody else took the answer: who starts us may have told the system to forget children (`SIGCHLD`).
    Unknown,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(number) => {
                write!(f, "was killed by signal {number}")?;
                NAMES
                    .iter()
                    .find(|(signal, _)| signal.as_raw() == number)
                    .map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
            }
            Self::Unknown => f.write_str("ended in a way the system did not tell"),
        }
    }
}

/// Those by which processes end. The numbers differ between systems.
const NAMES: [(Signal, &str); 16] = [
    (Signal::HUP, "SIGHUP"),
    (Signal::INT, "SIGINT"),
    (Signal::QUIT, "SIGQUIT"),
    (Signal::ILL, "SIGILL"),
    (Signal::TRAP, "SIGTRAP"),
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::KILL, "SIGKILL"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::PIPE, "SIGPIPE"),
    (Signal::ALARM, "SIGALRM"),
    (Signal::TERM, "SIGTERM"),
    (Signal::XCPU, "SIGXCPU"),
    (Signal::XFSZ, "SIGXFSZ"),
    (Signal::SYS, "SIGSYS"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_the_rest_of_a_sentence() {
        assert_eq!(Ending::Code(1).to_string(), "exited with code 1");
        assert_eq!(Ending::Signal(9).to_string(), "was killed by signal 9 (SIGKILL)");
        assert_eq!(Ending::Signal(64).to_string(), "was killed by signal 64");
        assert_eq!(Ending::Unknown.to_string(), "ended in a way the system did not tell");
    }
}
