//! Why something could not be written down.

use std::io;
use std::path::PathBuf;

/// Why something could not be written down.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error("the audit trail `{}` cannot be opened: {source}", .path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("the audit trail `{}` is not a file", .path.display())]
    NotAFile { path: PathBuf },
    #[error("the audit trail `{}` cannot be written: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the audit trail `{}` took only {written} of {length} bytes of a record", .path.display())]
    Torn { path: PathBuf, written: usize, length: usize },
    #[error("the audit trail `{}` cannot be made durable: {source}", .path.display())]
    Sync { path: PathBuf, source: io::Error },
    #[error("a record cannot be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
    #[error("the audit trail's writer has ended")]
    WriterGone,
}
