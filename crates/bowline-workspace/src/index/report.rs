//! What one refresh did, counted.

use bowline_std::fs::ReadError;

/// What one refresh of the index did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// Files in the index.
    pub files: u64,
    /// Of these, parsed this time: new or changed.
    pub parsed: u64,
    /// Known by their stamp; not even opened.
    pub unchanged: u64,
    /// Opened because their stamp proved nothing, and found to be as they were.
    pub compared: u64,
    /// Gone since the last time.
    pub removed: u64,
    /// Files of a known language that were left out, by reason.
    pub skipped: Skipped,
    /// Files beyond the most that are indexed.
    pub over_limit: u64,
}

/// Files that were left out, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    pub too_large: u64,
    pub binary: u64,
    pub not_utf8: u64,
    /// Files and directories that could not be looked at.
    pub unreadable: u64,
    /// The grammar gave up on them.
    pub unparsable: u64,
}

impl IndexReport {
    /// Whether every file of a known language is known. Binary files are none, whatever they are called.
    pub fn is_complete(&self) -> bool {
        let Skipped { too_large, binary: _, not_utf8, unreadable, unparsable } = self.skipped;
        self.over_limit + too_large + not_utf8 + unreadable + unparsable == 0
    }
}

impl Skipped {
    pub(crate) fn count(&mut self, why: &Why) {
        match why {
            Why::Read(ReadError::TooLarge { .. }) => self.too_large += 1,
            Why::Read(ReadError::Binary(_)) => self.binary += 1,
            Why::Read(ReadError::NotUtf8 { .. }) => self.not_utf8 += 1,
            // Removed between being seen and being read.
            Why::Read(ReadError::NotFound(_)) => {}
            Why::Read(ReadError::Denied(_) | ReadError::NotAFile { .. } | ReadError::Io { .. }) => {
                self.unreadable += 1;
            }
            Why::Grammar => self.unparsable += 1,
        }
    }
}

/// Why one file is left out.
#[derive(Debug)]
pub(crate) enum Why {
    Read(ReadError),
    Grammar,
}
