//! Why something was not written, or not taken back.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::hash::{ContentHash, shown};
use crate::receipt::Conflict;

/// Why something was not written, or not taken back. Unless the variant says otherwise, every file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("`{}` does not lie within the project's roots", .0.display())]
    OutsideRoots(PathBuf),
    #[error("`{}` belongs to bowline itself", .0.display())]
    OwnState(PathBuf),
    #[error("`{}` is not a plain absolute path: `.`, `..`, doubled slashes and bytes that are not UTF-8 are refused", .0.display())]
    NotPlain(PathBuf),
    #[error("a link, or something that is no directory, is on the way to `{}`", .0.display())]
    Link(PathBuf),
    #[error("`{}` was moved or replaced while it was written to", .0.display())]
    Moved(PathBuf),
    #[error("`{}` is {kind}, not a file", .path.display())]
    NotAFile { path: PathBuf, kind: &'static str },
    #[error("`{}` has {size} bytes; files above {max} bytes are not written", .path.display())]
    TooLarge { path: PathBuf, size: u64, max: u64 },
    #[error("the change is too large: {what}; the limit is {max}")]
    PlanTooLarge { what: String, max: u64 },
    #[error("`{}` is not what it was: expected {}, found {}", .path.display(), shown(*.expected), shown(*.found))]
    Changed { path: PathBuf, expected: Option<ContentHash>, found: Option<ContentHash> },
    #[error("`{}` has {links} names (hard links), and the others may lie anywhere", .path.display())]
    HardLinked { path: PathBuf, links: u64 },
    #[error("`{}` is read-only", .0.display())]
    ReadOnly(PathBuf),
    #[error("`{}` is named more than once", .0.display())]
    Duplicate(PathBuf),
    #[error("`{}` would be both a file and a directory", .0.display())]
    FileAndDirectory(PathBuf),
    #[error("`{}` was not cleared for writing", .0.display())]
    NotCleared(PathBuf),
    #[error("there is nothing to write")]
    NothingToWrite,
    #[error("the owner of `{}` cannot be kept: {source}", .path.display())]
    OwnerNotKept { path: PathBuf, source: io::Error },
    #[error("the attribute `{attribute}` of `{}` cannot be kept: {source}", .path.display())]
    AttributeNotKept { path: PathBuf, attribute: String, source: io::Error },
    #[error("no space left to write `{}` ({doing}): {source}", .path.display())]
    NoSpace { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("permission denied: `{}` ({doing}): {source}", .path.display())]
    Denied { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("cannot write `{}` ({doing}): {source}", .path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("another bowline is writing; it was waited for {} s", .0.as_secs())]
    Busy(Duration),
    #[error("`{}` is not a directory of this user alone", .0.display())]
    StateNotPrivate(PathBuf),
    #[error("`{}` is part of the unfinished change `{id}`: {reason}", .path.display())]
    UnfinishedBefore { path: PathBuf, id: String, reason: String },
    #[error("there is no receipt `{0}`; the oldest are dropped first")]
    NoReceipt(String),
    #[error("`{id}` was taken back already: `{by}` did that, and can be taken back itself")]
    UndoneBefore { id: String, by: String },
    #[error("what `{0}` replaced is no longer kept; it cannot be taken back")]
    NotKept(String),
    #[error("a record cannot be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
    /// Nobody can say whether it would outlive a power cut. The next write or recovery decides: all old or all new.
    #[error("it is not certain that `{id}` was written: {source}; the next recovery brings it to an end")]
    Undecided { id: String, source: Box<WriteError> },
    /// Taking back failed as well. The journal stays, and the next write or recovery tries again.
    #[error("{source}; and not everything could be put back yet: {left}")]
    NotPutBack { source: Box<WriteError>, left: Box<WriteError> },
    /// Somebody else wrote to these files in the same moment. They were left as they are; all others are as before.
    #[error("{source}; `{}` was changed by somebody else in the same moment and left alone", .conflicts[0].path.display())]
    Overtaken { source: Box<WriteError>, conflicts: Vec<Conflict> },
}

impl WriteError {
    /// What went wrong with a file, by what the system says.
    pub(crate) fn io(path: &Path, doing: &'static str, source: impl Into<io::Error>) -> Self {
        use io::ErrorKind::{
            FileTooLarge, NotADirectory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let (path, source) = (path.to_owned(), source.into());
        if source.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
            return Self::Link(path);
        }
        match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::NoSpace { path, doing, source },
            PermissionDenied | ReadOnlyFilesystem => Self::Denied { path, doing, source },
            NotADirectory => Self::Link(path),
            _ => Self::Io { path, doing, source },
        }
    }
}

/// Gives an error of the system the file and the deed it belongs to.
pub(crate) trait At<T> {
    fn at(self, path: &Path, doing: &'static str) -> Result<T, WriteError>;
}

impl<T, E: Into<io::Error>> At<T> for Result<T, E> {
    fn at(self, path: &Path, doing: &'static str) -> Result<T, WriteError> {
        self.map_err(|error| WriteError::io(path, doing, error))
    }
}
