//! Why a language server has no answer. Each message names the server and says what went wrong in one sentence.

use std::fmt;
use std::time::Duration;

use bowline_std::process::{Ending, SpawnError};

/// Cheap to copy: one end of a server fails many requests.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{server}` {fault}")]
pub struct LspError {
    /// The server, by name.
    pub server: String,
    pub fault: Fault,
}

/// What went wrong with a server.
#[derive(Debug, Clone)]
pub enum Fault {
    /// There is no such program here.
    NotInstalled,
    /// Its program is there, and cannot be started.
    CannotStart(String),
    /// It ended, and these were its last words on standard error.
    Ended {
        ending: Option<Ending>,
        before: Before,
        words: String,
    },
    /// What it sent makes no sense as a stream of messages.
    Broken {
        how: String,
        words: String,
    },
    /// It does not read what is sent to it.
    Deaf,
    /// It uses more memory than it may.
    TooMuchMemory {
        used: u64,
        most: u64,
    },
    NoAnswer {
        method: &'static str,
        after: Duration,
    },
    /// It said no.
    Refused {
        method: &'static str,
        code: i64,
        message: String,
    },
    /// Its answer is of no kind that the protocol knows.
    Strange {
        method: &'static str,
        reason: String,
    },
    /// It cannot do this at all, and says so itself.
    Unsupported {
        what: &'static str,
    },
    /// It failed too often, and is not started again by itself.
    GaveUp {
        times: usize,
        last: Box<Fault>,
    },
    /// It was stopped on purpose.
    Stopped,
}

/// How far a server had come when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// It never answered the handshake.
    Handshake,
    Work,
}

impl Fault {
    pub(crate) fn of(self, server: &str) -> LspError {
        LspError { server: server.to_owned(), fault: self }
    }

    /// Asking once more may help, because the server is started again.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Ended { .. }
                | Self::Broken { .. }
                | Self::Deaf
                | Self::TooMuchMemory { .. }
                | Self::NoAnswer { .. }
        )
    }
}

impl From<&SpawnError> for Fault {
    fn from(error: &SpawnError) -> Self {
        Self::CannotStart(error.to_string())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => {
                f.write_str("is not installed: there is no such program on the search path")
            }
            Self::CannotStart(why) => write!(f, "cannot be started: {why}"),
            Self::Ended { ending, before, words } => {
                match ending {
                    Some(ending) => write!(f, "{ending}")?,
                    None => f.write_str("closed the connection")?,
                }
                if *before == Before::Work {
                    return last_words(f, words);
                }
                f.write_str(" before it answered the handshake")?;
                match up_to_usage(words) {
                    Some(words) => {
                        f.write_str(
                            " and printed its usage: these arguments do not start a language server",
                        )?;
                        last_words(f, &words)
                    }
                    None => last_words(f, words),
                }
            }
            Self::Broken { how, words } => {
                write!(f, "broke the protocol: {how}")?;
                last_words(f, words)
            }
            Self::Deaf => f.write_str("does not read what is sent to it"),
            Self::TooMuchMemory { used, most } => {
                write!(f, "used {} MiB of memory; its limit is {} MiB", used >> 20, most >> 20)
            }
            Self::NoAnswer { method, after } => {
                write!(f, "gave no answer to `{method}` in {:.1} s", after.as_secs_f32())
            }
            Self::Refused { method, code, message } => {
                write!(f, "refused `{method}`: {message} (code {code})")
            }
            Self::Strange { method, reason } => write!(f, "answered `{method}` with nonsense: {reason}"),
            Self::Unsupported { what } => write!(f, "does not offer {what}"),
            Self::GaveUp { times, last } => {
                write!(
                    f,
                    "failed {times} times in three minutes and is not started again by itself; the last time it {last}"
                )
            }
            Self::Stopped => f.write_str("was stopped"),
        }
    }
}

/// What a program said up to the line that shows its usage: the complaint before it is what matters, the list of
/// options behind it is not.
fn up_to_usage(words: &str) -> Option<String> {
    let lines: Vec<&str> = words.lines().collect();
    let usage = lines.iter().position(|line| line.to_lowercase().contains("usage"))?;
    Some(lines[..=usage].join("\n"))
}

fn last_words(f: &mut fmt::Formatter<'_>, words: &str) -> fmt::Result {
    match words.trim() {
        "" => Ok(()),
        words => write!(f, "; it said: {words}"),
    }
}
