//! Why something could not be done with a draft. Each message says what the caller can do.

use std::path::{Path, PathBuf};

use super::{DraftState, Refused};

#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    #[error("session {id} cannot be {done} in state {}; {}", .state.as_str(), .state.way_out())]
    WrongState {
        id: String,
        state: DraftState,
        /// What was to be done.
        done: &'static str,
    },
    #[error(
        "session {id} cannot be {done} while it is being written; wait until commit_session has answered"
    )]
    BeingWritten { id: String, done: &'static str },
    #[error("there is no session {id}; create one (create_simulation_session)")]
    Unknown { id: String },
    #[error("there are {most} sessions already; destroy one that is no longer needed (destroy_session)")]
    TooMany { most: usize },
    #[error("the session holds {bytes} bytes of text; more than {most} are not kept")]
    TooLarge { bytes: usize, most: usize },
    /// Somebody else wrote to a file that the draft was made from.
    #[error("`{}` has changed on disk since the draft was made (was {}, is {}); nothing was written", .path.display(), hash(*.was), hash(*.is))]
    Changed {
        path: PathBuf,
        was: Option<[u8; 32]>,
        is: Option<[u8; 32]>,
        /// What somebody else did to it, as a unified diff.
        diff: String,
    },
    #[error("`{}` is not in `{}`, which the session is about", .path.display(), .root.display())]
    OutsideDraft { path: PathBuf, root: PathBuf },
    #[error("old_text not found in `{}`{}", .path.display(), .nearest.as_ref().map_or_else(String::new, |line| format!("; the nearest line is {line}")))]
    NoSuchText { path: PathBuf, nearest: Option<String> },
    #[error("old_text stands {times} times in `{}` (lines {}); give more of the text around it", .path.display(), .lines)]
    TextNotUnique { path: PathBuf, times: usize, lines: String },
    #[error("nothing would change: everything is so already")]
    NothingChanges,
    #[error("old_text is empty; it must be text that stands in the file once")]
    EmptyText,
    #[error("symbol `{symbol}` not found in `{}`{}", .path.display(), listed(.known))]
    NoSuchSymbol { path: PathBuf, symbol: String, known: Vec<String> },
    #[error("`{symbol}` is {times} symbols of `{}`; say which: {places}", .path.display())]
    SymbolNotUnique { path: PathBuf, symbol: String, times: usize, places: String },
    #[error("`{symbol}` in `{}` is left as it is: {why}", .path.display())]
    Symbol { path: PathBuf, symbol: String, why: Refused },
    #[error("the workspace edit cannot be read: {reason}")]
    BadEdit { reason: String },
    #[error("edits of `{}` overlap; the order in which they are meant is not known", .path.display())]
    Overlap { path: PathBuf },
    #[error("`{}` exists already", .path.display())]
    Exists { path: PathBuf },
    #[error("no `{wanted}` at that place; the server offers: {}", if .offered.is_empty() { "nothing".to_owned() } else { .offered.join("; ") })]
    NoSuchAction { wanted: String, offered: Vec<String> },
    #[error("`{server}` sees a part of the project only, so that would not be whole: {why}")]
    SeesAPart { server: String, why: String },
    #[error(
        "`{title}` is a command that the server would run itself; it gives no edit that could be drafted"
    )]
    OnlyACommand { title: String },
    #[error("that would break the syntax of `{}`: line {line}; nothing was written", .path.display())]
    Unreadable { path: PathBuf, line: u32 },
    #[error("`{title}` cannot be done here: {reason}")]
    Disabled { title: String, reason: String },
    #[error("`{title}` has neither an edit nor a command")]
    Empty { title: String },
}

fn hash(hash: Option<[u8; 32]>) -> String {
    let Some(hash) = hash else { return "no file".to_owned() };
    hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn listed(known: &[String]) -> String {
    const MOST: usize = 12;
    if known.is_empty() {
        return String::new();
    }
    let more = known.len().saturating_sub(MOST);
    let some = known.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("; there are: {some}, and {more} more") } else { format!("; there are: {some}") }
}

impl DraftError {
    /// The file that it is about.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Changed { path, .. }
            | Self::OutsideDraft { path, .. }
            | Self::NoSuchText { path, .. }
            | Self::TextNotUnique { path, .. }
            | Self::NoSuchSymbol { path, .. }
            | Self::SymbolNotUnique { path, .. }
            | Self::Symbol { path, .. }
            | Self::Overlap { path }
            | Self::Unreadable { path, .. }
            | Self::Exists { path } => Some(path),
            _ => None,
        }
    }
}
