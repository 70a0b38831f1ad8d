//! How much is watched, and what that proves.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// No directory of the tree is left out, but for the ignored.
    Complete { watched: usize },
    /// Some changes will not be seen: whoever must know compares the files themselves.
    Partial { watched: usize, reason: Gap },
}

/// Why some changes are not seen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gap {
    /// At the start, and again when something was missed or an ignore file has changed. It passes.
    #[error("the tree is still being looked through")]
    Looking,
    #[error("more than {most} directories; raise `max_directories`, or ignore more of them")]
    TooMany { most: usize },
    #[error("the system has no more watches to give; raise `fs.inotify.max_user_watches`")]
    SystemLimit,
    #[error("`{}` cannot be watched: {reason}", .path.display())]
    Unwatchable { path: PathBuf, reason: String },
    /// It is tried again from time to time.
    #[error("nothing can be watched: {reason}")]
    NoWatcher { reason: String },
    #[error("the watcher has ended")]
    Ended,
}

impl Gap {
    /// Nothing at all is seen now, so there is nothing to wait for.
    pub(super) fn is_blind(&self) -> bool {
        matches!(self, Self::Looking | Self::NoWatcher { .. } | Self::Ended)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flushed {
    /// Everything that happened before the question is among the changes that can be taken.
    Proved,
    Unproved(Unproved),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    #[error(transparent)]
    Partial(#[from] Gap),
    #[error("the watcher did not answer in time")]
    Late,
    #[error("no file to ask by can be made: {reason}")]
    NoCookie { reason: String },
}
