//! Why a program did not start: each in one sentence, with what mends it.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::find::is_executable;

#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("no program `{}` was found; install it or correct its path", .path.display())]
    NotFound { path: PathBuf },
    #[error("`{}` is not an executable file; allow it with `chmod +x` or name another program", .path.display())]
    NotExecutable { path: PathBuf },
    #[error(
        "`{}` is a script for `{}`, which was not found; install that, or correct the script's first line or \
         the `PATH`",
        .path.display(),
        visible(.interpreter)
    )]
    MissingInterpreter { path: PathBuf, interpreter: PathBuf },
    #[error(
        "`{}` cannot run on this system; install the build for this system and processor, or give it a `#!` \
         line if it is a script",
        .path.display()
    )]
    WrongFormat { path: PathBuf },
    #[error(
        "`{}` cannot start in `{}`, which is no directory that can be entered; create it or name another",
        .path.display(),
        .dir.display()
    )]
    Directory { path: PathBuf, dir: PathBuf },
    #[error(
        "`{}` cannot start because there are too many processes or open files; end some programs or raise the \
         limits (`ulimit -u`, `ulimit -n`)",
        .path.display()
    )]
    TooMany { path: PathBuf },
    #[error("cannot start `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl SpawnError {
    /// What the system said, where the file is not the question.
    pub(super) fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match Errno::from_io_error(&source) {
            Some(Errno::AGAIN | Errno::MFILE | Errno::NFILE) => Self::TooMany { path },
            _ => Self::Io { path, source },
        }
    }

    /// What the system said when it was to run this file. The directory and the interpreter of a script have been
    /// looked at before.
    pub(super) fn from_exec(file: &Path, source: io::Error) -> Self {
        let path = file.to_owned();
        match Errno::from_io_error(&source) {
            Some(Errno::NOEXEC) => Self::WrongFormat { path },
            // The file is there, so its loader is not: it was linked for another C library or distribution.
            Some(Errno::NOENT) if file.exists() => Self::WrongFormat { path },
            Some(Errno::NOENT | Errno::NOTDIR) => Self::NotFound { path },
            Some(Errno::ACCESS) if !is_executable(file) => Self::NotExecutable { path },
            _ => Self::from_io(file, source),
        }
    }
}

/// A script with Windows line ends asks for an interpreter that ends in a carriage return.
fn visible(path: &Path) -> String {
    let show = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.to_string_lossy().chars().map(show).collect()
}
