//! What has changed on disk since the servers were last told.
//!
//! The watcher says what changed, and its cookie proves that it has said everything. Where it cannot (there are more
//! directories than may be watched, its queue ran over, it is late), the files themselves are compared with what was
//! remembered of them: slower, and just as sure.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bowline_lsp::FileEvent;
use ignore::WalkState;
use tokio::sync::OnceCell;

use crate::stamp::{PROVES_NOTHING, changed_ns, kept_ns};
use crate::walk::Walker;
use crate::watch::{Change, ChangeKind, Changes, Coverage, Flushed, Watch, WatchOptions};
use crate::{Options, WorkspaceError};

/// How long the watcher may take to go through the tree before the first server is started without it.
const LOOK_THROUGH: Duration = Duration::from_secs(3);
/// How long the proof may take. It usually takes a fraction of a millisecond.
const PROOF: Duration = Duration::from_millis(200);

/// A file as it was when servers were last told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    changed_ns: i64,
    size: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { changed_ns: kept_ns(changed_ns(metadata), SystemTime::now()), size: metadata.len() }
    }
}

/// Every file that servers may care about.
pub(crate) type Files = HashMap<PathBuf, Stamp>;

/// What servers are to be told.
pub(crate) type Event = (PathBuf, FileEvent);

/// The watcher and what it is compared with. Nothing is watched before the first server is needed.
#[derive(Default)]
pub(crate) struct News {
    watch: OnceCell<Option<Watch>>,
    files: Mutex<Files>,
}

impl News {
    /// Begins to watch, once, before a server reads its first file.
    pub(crate) async fn begin(&self, roots: &[PathBuf], options: &Options, walker: &Walker) {
        self.watch
            .get_or_init(|| async {
                let watch = match Watch::start(roots, options, WatchOptions::default()) {
                    Ok(watch) => Some(watch),
                    Err(error) => {
                        tracing::warn!(%error, "files are not watched; they are compared before each question");
                        None
                    }
                };
                if let Some(watch) = &watch {
                    let _ = tokio::time::timeout(LOOK_THROUGH, watch.looked_through()).await;
                    // What changed before is in what is now remembered.
                    watch.take_changes();
                    if let Coverage::Partial { watched, reason } = watch.coverage() {
                        tracing::warn!(watched, ?reason, "not every directory is watched; files are compared before each question");
                    }
                }
                let walker = walker.clone();
                if let Ok(files) = tokio::task::spawn_blocking(move || walk(&walker)).await {
                    *self.files.lock().unwrap_or_else(PoisonError::into_inner) = files;
                }
                watch
            })
            .await;
    }

    /// Waits until something has changed and a moment has passed since. Never, where nothing is watched.
    pub(crate) async fn changed(&self) {
        match self.watch.get() {
            Some(Some(watch)) => watch.changed().await,
            _ => std::future::pending().await,
        }
    }

    /// Everything that has changed since the last time.
    pub(crate) async fn take(&self, walker: &Walker) -> Result<Vec<Event>, WorkspaceError> {
        let known = match self.watch.get() {
            Some(Some(watch)) => match watch.flush(PROOF).await {
                Flushed::Proved => watch.take_changes(),
                Flushed::Unproved(_) => {
                    // The comparison finds them too, and whoever waits for changes is not woken by them again.
                    watch.take_changes();
                    Changes::Lost
                }
            },
            // Nobody was told anything yet.
            None => return Ok(Vec::new()),
            Some(None) => Changes::Lost,
        };
        match known {
            Changes::Known(changes) if changes.is_empty() => Ok(Vec::new()),
            Changes::Known(changes) => Ok(self.apply(changes)),
            Changes::Lost => {
                let walker = walker.clone();
                let found = tokio::task::spawn_blocking(move || walk(&walker)).await;
                let found = found.map_err(|error| WorkspaceError::Internal(error.to_string()))?;
                Ok(self.compare(found))
            }
        }
    }

    fn apply(&self, changes: Vec<Change>) -> Vec<Event> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events = Vec::new();
        for Change { path, kind } in changes {
            if kind == ChangeKind::Deleted {
                // A directory is named once, whatever was in it.
                let below: Vec<PathBuf> =
                    files.keys().filter(|file| file.starts_with(&path)).cloned().collect();
                for file in below {
                    files.remove(&file);
                    events.push((file, FileEvent::Deleted));
                }
                continue;
            }
            let Ok(metadata) = path.symlink_metadata() else { continue };
            let before = files.insert(path.clone(), Stamp::of(&metadata));
            let event = if before.is_none() { FileEvent::Created } else { FileEvent::Changed };
            events.push((path, event));
        }
        events
    }

    fn compare(&self, found: HashMap<PathBuf, Stamp>) -> Vec<Event> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events = Vec::new();
        for (path, stamp) in &found {
            match files.get(path) {
                None => events.push((path.clone(), FileEvent::Created)),
                Some(before) if before.changed_ns == PROVES_NOTHING || before != stamp => {
                    events.push((path.clone(), FileEvent::Changed));
                }
                Some(_) => {}
            }
        }
        let gone = files.keys().filter(|path| !found.contains_key(*path));
        events.extend(gone.map(|path| (path.clone(), FileEvent::Deleted)));
        *files = found;
        events.sort_by(|left, right| left.0.cmp(&right.0));
        events
    }
}

/// Every file under the roots that is not ignored. Blocks.
fn walk(walker: &Walker) -> Files {
    let files = Mutex::new(Files::new());
    walker.run(&|entry| {
        if let Ok(metadata) = entry.metadata() {
            let stamp = Stamp::of(&metadata);
            files.lock().unwrap_or_else(PoisonError::into_inner).insert(entry.path().to_owned(), stamp);
        }
        WalkState::Continue
    });
    files.into_inner().unwrap_or_else(PoisonError::into_inner)
}
