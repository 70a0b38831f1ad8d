//! Why a question about the workspace has no answer. Each message says what the caller can do.

use std::fmt;
use std::path::PathBuf;

use bowline_code::{OutOfText, Position};
use bowline_lsp::LspError;
use bowline_std::fs::ReadError;
use bowline_syntax::{Language, SyntaxError};

use crate::IndexStoreError;

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("`{}` is outside the workspace; name a file under {}", .path.display(), list(.roots))]
    OutsideRoots { path: PathBuf, roots: Vec<PathBuf> },
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is text, but no grammar reads it.
    #[error("no grammar for `{}`; languages with one: {}", .path.display(), known_languages())]
    UnknownLanguage { path: PathBuf },
    #[error("unknown language `{id}`; use one of: {}", known_languages())]
    UnknownLanguageId { id: String },
    #[error("cannot parse `{}`: {source}", .path.display())]
    Parse { path: PathBuf, source: SyntaxError },
    #[error("line {} column {} is not in `{}`: {}", .at.line, .at.column, .path.display(), Exists(*.exists))]
    BadPosition { path: PathBuf, at: Position, exists: OutOfText },
    #[error("no symbol around line {} column {} of `{}`; its outline shows where symbols are", .at.line, .at.column, .path.display())]
    NoSymbolAt { path: PathBuf, at: Position },
    #[error("no name at line {} column {} of `{}`; put the cursor on an identifier of `{}`", .at.line, .at.column, .path.display(), .line.trim())]
    NoNameAt {
        path: PathBuf,
        at: Position,
        /// What the line says.
        line: String,
    },
    #[error("cancelled")]
    Cancelled,
    #[error("it takes too long to read; ask about a smaller file, or a smaller part of the workspace")]
    TookTooLong,
    /// The work goes on; ask again.
    #[error("the workspace is still being read ({}); ask again in a moment", Progress(*.done, *.total))]
    NotReady { done: u64, total: Option<u64> },
    /// A language server failed, and nothing else can answer.
    #[error("{0}")]
    Server(#[from] LspError),
    /// A language server needs longer than the caller waits. It goes on; ask again.
    #[error("`{server}` {what}; ask again in a moment")]
    ServerLate { server: String, what: String },
    /// Only a language server could answer, and there is none.
    #[error("no language server for `{}`{}; `bowline doctor` says which could be used", .path.display(), .wanted.as_ref().map_or_else(String::new, |wanted| format!(": `{wanted}` is not installed")))]
    NoServer {
        path: PathBuf,
        /// The one that would be asked.
        wanted: Option<String>,
    },
    #[error("no server configured for language `{language}`; there are: {}", .known.join(", "))]
    NoServerFor { language: String, known: Vec<String> },
    #[error(
        "`{server}` decides itself which files of `{language}` it looks at; only pyright and typescript-language-server can be limited"
    )]
    ScopesItself { server: String, language: String },
    #[error(
        "`{server}` is not limited: {word} says which files it looks at, and bowline does not overrule that"
    )]
    OwnScope { server: String, word: String },
    #[error("cannot limit a language server to `{place}`: {reason}")]
    BadScope { place: String, reason: String },
    /// No server does it, or several do.
    #[error("{}", no_such_command(.command, .servers, .known))]
    NoSuchCommand {
        command: String,
        /// Those that could.
        servers: Vec<String>,
        /// What could be asked for instead.
        known: Vec<String>,
    },
    #[error("`{}` is not a directory", .path.display())]
    NotADirectory { path: PathBuf },
    #[error("there is no file of language `{language}` in `{}`", .path.display())]
    NoFileOf { language: String, path: PathBuf },
    #[error("cannot leave out `{glob}`: {reason}")]
    BadIgnore { glob: String, reason: String },
    /// Even the index in memory failed; only we can mend it.
    #[error("the index failed: {0}")]
    Store(#[from] IndexStoreError),
    #[error("reference cache is not available")]
    NoRecollection,
    #[error("{what} failed: {source}")]
    Recollection { what: &'static str, source: IndexStoreError },
    /// A program that was run for what it says failed.
    #[error(transparent)]
    Program(#[from] crate::ProgramError),
    /// What has changed cannot be told.
    #[error(transparent)]
    Changes(#[from] crate::ChangesError),
    /// A file could not be written.
    #[error(transparent)]
    Write(Box<bowline_write::WriteError>),
    #[error("this workspace has no place for a journal, and without one nothing is written")]
    NoWriter,
    /// Something could not be done with a draft.
    #[error(transparent)]
    Draft(Box<crate::DraftError>),
    #[error(transparent)]
    Replace(#[from] crate::ReplaceError),
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<bowline_write::WriteError> for WorkspaceError {
    fn from(error: bowline_write::WriteError) -> Self {
        Self::Write(Box::new(error))
    }
}

impl From<crate::DraftError> for WorkspaceError {
    fn from(error: crate::DraftError) -> Self {
        Self::Draft(Box::new(error))
    }
}

fn no_such_command(command: &str, servers: &[String], known: &[String]) -> String {
    if !servers.is_empty() {
        return format!(
            "several servers know `{command}`: {}; name a file of the one that is meant",
            servers.join(", ")
        );
    }
    match known {
        [] => format!("no server of this workspace takes commands, so none knows `{command}`"),
        known => format!("no server knows `{command}`; there are: {}", known.join(", ")),
    }
}

/// The languages that have a grammar, for messages.
fn known_languages() -> String {
    Language::ALL.map(Language::id).join(", ")
}

fn list(roots: &[PathBuf]) -> String {
    let roots: Vec<_> = roots.iter().map(|root| format!("`{}`", root.display())).collect();
    if roots.is_empty() { "a root (there is none)".to_owned() } else { roots.join(" or ") }
}

struct Exists(OutOfText);

impl fmt::Display for Exists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OutOfText::Line { last } => write!(f, "the last line is {last}"),
            OutOfText::Column { last } => write!(f, "the last column of that line is {last}"),
            OutOfText::Zero => f.write_str("lines and columns begin at 1"),
        }
    }
}

struct Progress(u64, Option<u64>);

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(total) => write!(f, "{} of {total} files", self.0),
            None => f.write_str("looking for files"),
        }
    }
}
