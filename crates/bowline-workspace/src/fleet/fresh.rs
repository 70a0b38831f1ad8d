//! Nothing that a server says is older than the disk: before each question the server is told what has changed.
//!
//! Open documents are compared with their files, by time and size, and by their text where those prove nothing.
//! Files that are not open are known through the watcher, whose cookie proves that nothing is still on the way.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bowline_lsp::{Life, Sheet};
use bowline_std::fs::{ReadError, read_text_straight};

use crate::stamp::{changed_ns, kept_ns};
use crate::{Workspace, WorkspaceError};

/// What is known of the files that servers have open.
#[derive(Debug, Default)]
pub(crate) struct Freshness {
    seen: Mutex<HashMap<PathBuf, Seen>>,
    /// Taken by whoever tells servers of changes, so that nobody asks before all of them are told.
    pub(crate) telling: tokio::sync::Mutex<()>,
}

/// What a file looked like when its text was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    changed_ns: i64,
    size: u64,
}

/// What became of a document since it was shown.
pub(crate) enum Became {
    Same,
    Other(Arc<str>),
    Gone,
}

impl Freshness {
    fn seen(&self) -> MutexGuard<'_, HashMap<PathBuf, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the file of an open document. Blocks.
    pub(crate) fn look(&self, path: &Path, max_bytes: u64) -> Became {
        let Ok(metadata) = path.symlink_metadata() else {
            self.seen().remove(path);
            return Became::Gone;
        };
        let now = Seen { changed_ns: changed_ns(&metadata), size: metadata.len() };
        if self.seen().get(path) == Some(&now) {
            return Became::Same;
        }
        match self.read(path, max_bytes) {
            Ok(text) => Became::Other(text),
            // Too large now, or no longer text: the server must not go on with what it was.
            Err(_) => Became::Gone,
        }
    }

    /// Reads the text of a file by its real path, and remembers what it looked like. Blocks.
    pub(crate) fn read(&self, path: &Path, max_bytes: u64) -> Result<Arc<str>, ReadError> {
        let looked_at = SystemTime::now();
        // Before the text: whatever changes in between is seen next time.
        let metadata = path.symlink_metadata().ok();
        let (text, _) = read_text_straight(path, max_bytes)?;
        if let Some(metadata) = metadata {
            let seen = Seen { changed_ns: kept_ns(changed_ns(&metadata), looked_at), size: metadata.len() };
            self.seen().insert(path.to_owned(), seen);
        }
        Ok(text.into())
    }

    pub(crate) fn forget(&self, path: &Path) {
        self.seen().remove(path);
    }
}

impl Workspace {
    /// Tells a server everything that has changed on disk, and reads the file that is asked about.
    pub(crate) async fn bring_up_to_date(&self, life: &Arc<Life>, asked: &Path) -> Result<Arc<str>, WorkspaceError> {
        let (fleet, life, asked) = (Arc::clone(&self.fleet), Arc::clone(life), asked.to_owned());
        let most = self.shared.options.max_named_file_bytes;
        let looking = tokio::task::spawn_blocking(move || {
            resync(&fleet.freshness, &life, most);
            fleet.freshness.read(&asked, most)
        });
        match looking.await {
            Ok(text) => Ok(text?),
            Err(error) => Err(WorkspaceError::Internal(error.to_string())),
        }
    }
}

/// Brings every open document of a server up to date. Blocks while it looks at files.
fn resync(freshness: &Freshness, life: &Life, max_bytes: u64) {
    for shown in life.open_documents() {
        match freshness.look(&shown.path, max_bytes) {
            Became::Same => {}
            Became::Other(text) => {
                life.show(&Sheet { path: shown.path, language: shown.language, text });
            }
            Became::Gone => {
                life.close(&shown.path);
                life.files_changed(&[(shown.path, bowline_lsp::FileEvent::Deleted)]);
            }
        }
    }
}
