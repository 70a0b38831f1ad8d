//! Why a store could not answer, or not take what it was given.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database is held by another process; try again, or work without it")]
    Busy,
    /// The file is set aside as soon as this is found out, so that the next opening begins anew.
    #[error("the database is damaged ({0}); it is made again at the next start")]
    Damaged(String),
    /// The file is left where it is.
    #[error(
        "`{}` is damaged, or another version's ({reason}), and what it holds is nowhere else; whoever moves it away decides to \
         forget that",
        .path.display()
    )]
    Lost { path: PathBuf, reason: String },
    #[error("cannot use `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the database failed: {0}")]
    Sqlite(rusqlite::Error),
    #[error("cannot remember a place in `{}`: {reason}", .file.display())]
    BadPlace { file: PathBuf, reason: &'static str },
    #[error("cannot write the export: {0}")]
    Write(io::Error),
    #[error("cannot read what is to be imported: {0}")]
    Read(io::Error),
    #[error(
        "this is no exported cache, or it was damaged on the way ({0}); get it anew from whoever made it"
    )]
    NotACache(String),
    #[error("a newer version made this cache (format {found}, we know {known}); update this program")]
    Newer { found: i64, known: i64 },
    #[error("an older version made this cache (format {found}, we know {known}); export it with this one")]
    Older { found: i64, known: i64 },
    #[error("this is too large to be an exported cache ({0}); ask whoever made it what it is")]
    TooLarge(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error.to_string()),
            _ => match error {
                // A column of the wrong type, a kind without a number: nobody but us writes here.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..) => Self::Damaged(error.to_string()),
                other => Self::Sqlite(other),
            },
        }
    }
}
