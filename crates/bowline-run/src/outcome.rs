//! What came of a run.

use std::path::PathBuf;
use std::time::Duration;

use bowline_std::process::Ending;

use crate::Report;

#[derive(Debug)]
pub struct Outcome {
    /// Its paths are real where the files exist, and as printed where they do not.
    pub report: Report,
    /// How the last program ended that ran; `None` if it was ended by us.
    pub ending: Option<Ending>,
    pub timed_out: bool,
    pub duration: Duration,
    pub raw: Raw,
    /// Where everything is that was printed.
    pub log: Option<PathBuf>,
    /// Bytes at the end that were too many for the log.
    pub log_left_out: u64,
}

impl Outcome {
    /// Every program ended, and said that all is well.
    pub fn success(&self) -> bool {
        !self.timed_out && self.ending == Some(Ending::Code(0))
    }
}

/// What was printed: all of it, or its beginning and its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Raw {
    pub text: String,
    /// Bytes that are missing in the middle.
    pub left_out: usize,
}
