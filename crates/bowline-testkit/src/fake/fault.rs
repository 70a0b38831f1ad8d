//! What a server can do wrong, by the names under which scripts and the program's command line know it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One way of misbehaving. Unless it says otherwise, the handshake goes well first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Fault {
    /// Reads, and never answers, `initialize` included.
    Mute,
    /// Answers `initialize` after `initialize_delay_ms`.
    SlowInitialize,
    /// Sends nothing after the answer to `initialize`.
    Silent,
    /// Says why on stderr and exits with 1 at the first `didOpen`.
    DieOnOpen,
    /// Exits with 1 once it has answered so many requests, `initialize` not counted.
    DieAfter(u32),
    /// Exits with 1 when this request comes, without an answer.
    DieOn(String),
    /// `DieOnOpen` in its first life only.
    DieOnce,
    /// Prints how it is used on stdout and stderr, and exits with 2 at once.
    Usage,
    /// Writes 50 MB to stderr before it answers `initialize`.
    StderrFlood,
    /// Sends 200 000 `window/logMessage` after `initialized`.
    LogFlood,
    /// Publishes 100 000 diagnostics at once for each opened document.
    DiagnosticsFlood,
    /// States a length that is two bytes too small in every frame.
    WrongLength,
    /// Writes one line of JSON per message and no header, from the beginning.
    NoHeader,
    /// States a length of 99999999999 in every frame.
    HugeLength,
    /// Writes half of a frame and then nothing more.
    HalfFrame,
    /// Sends a frame whose body is not JSON after each `didOpen`, and goes on.
    NotJson,
    /// Writes lines of text before the first frame.
    RubbishFirst,
    /// Answers under ids that nobody asked with.
    WrongIds,
    /// Sends each answer twice, that to `initialize` included.
    DoubleAnswers,
    /// Collects four requests, or those of 100 ms, and answers the last first.
    OutOfOrder,
    /// Asks the client everything that a server may ask, and one thing that it may not.
    Asks,
    /// Ignores `shutdown`, `exit`, the end of its input and SIGTERM, and has a child that does the same.
    Stubborn,
    /// After each change publishes the diagnostics of the version before once more, behind the new ones.
    StalePush,
    /// Answers the first pull of each document with `ServerCancelled`.
    CancelledPull,
    /// Answers the first request with `ContentModified`.
    ContentModified,
    /// Answers null where lists are due.
    NullAnswers,
    /// Answers in the shapes that the protocol permits and nobody expects.
    OddAnswers,
    /// Puts malformed elements between the references.
    BadElements,
    /// Keeps 10 MB more with each request.
    Leak,
}

impl Fault {
    /// Every fault that has no parameter, with its name.
    pub const PLAIN: [(&'static str, Self); 27] = [
        ("mute", Self::Mute),
        ("slow-initialize", Self::SlowInitialize),
        ("silent", Self::Silent),
        ("die-on-open", Self::DieOnOpen),
        ("die-once", Self::DieOnce),
        ("usage", Self::Usage),
        ("stderr-flood", Self::StderrFlood),
        ("log-flood", Self::LogFlood),
        ("diagnostics-flood", Self::DiagnosticsFlood),
        ("wrong-length", Self::WrongLength),
        ("no-header", Self::NoHeader),
        ("huge-length", Self::HugeLength),
        ("half-frame", Self::HalfFrame),
        ("not-json", Self::NotJson),
        ("rubbish-first", Self::RubbishFirst),
        ("wrong-ids", Self::WrongIds),
        ("double-answers", Self::DoubleAnswers),
        ("out-of-order", Self::OutOfOrder),
        ("asks", Self::Asks),
        ("stubborn", Self::Stubborn),
        ("stale-push", Self::StalePush),
        ("cancelled-pull", Self::CancelledPull),
        ("content-modified", Self::ContentModified),
        ("null-answers", Self::NullAnswers),
        ("odd-answers", Self::OddAnswers),
        ("bad-elements", Self::BadElements),
        ("leak", Self::Leak),
    ];
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let unknown = || format!("no such fault: `{name}`");
        if let Some(count) = name.strip_prefix("die-after:") {
            return count.parse().map(Self::DieAfter).map_err(|_| unknown());
        }
        if let Some(method) = name.strip_prefix("die-on:") {
            return Ok(Self::DieOn(method.to_owned()));
        }
        Self::PLAIN
            .into_iter()
            .find_map(|(plain, fault)| (plain == name).then_some(fault))
            .ok_or_else(unknown)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DieAfter(count) => write!(f, "die-after:{count}"),
            Self::DieOn(method) => write!(f, "die-on:{method}"),
            plain => {
                let name = Self::PLAIN.iter().find_map(|(name, fault)| (fault == plain).then_some(*name));
                f.write_str(name.unwrap_or("unnamed"))
            }
        }
    }
}

impl TryFrom<String> for Fault {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_comes_back_from_its_name() {
        for (name, fault) in Fault::PLAIN {
            assert_eq!(fault.to_string(), name);
            assert_eq!(name.parse(), Ok(fault));
        }
        for name in ["die-after:3", "die-on:textDocument/hover"] {
            assert_eq!(name.parse::<Fault>().unwrap().to_string(), name);
        }
        assert_eq!("die-after:x".parse::<Fault>(), Err("no such fault: `die-after:x`".to_owned()));
    }
}
