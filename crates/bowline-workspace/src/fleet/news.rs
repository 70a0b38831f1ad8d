//! What has changed on disk since each server was last told.
//!
//! The watcher says what changed, and its cookie proves that it has said everything. Where it cannot (there are more
//! directories than may be watched, its queue ran over, it is late), the files themselves are compared with what was
//! remembered of them: slower, and just as sure. What was found is written into a log, so that a server that is just
//! being started, or was busy dying, is told later what it missed.

use std::collections::{BTreeMap, VecDeque};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use bowline_lsp::FileEvent;
use ignore::WalkState;
use tokio::sync::OnceCell;

use crate::WorkspaceError;
use crate::stamp::{PROVES_NOTHING, changed_ns, kept_ns};
use crate::walk::{Sight, Walked, Walker};
use crate::watch::{Change, ChangeKind, Changes, Coverage, Flushed, Watch, WatchOptions};
use crate::workspace::Shared;

/// How long the watcher may take to go through the tree before the first server is started without it.
const LOOK_THROUGH: Duration = Duration::from_secs(3);
/// How long the proof may take. It usually takes a fraction of a millisecond.
const PROOF: Duration = Duration::from_millis(200);
/// Whoever has missed more than this is started anew instead of being told.
const MOST_EVENTS: usize = 20_000;

/// A file as it was when it was last looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) changed_ns: i64,
    pub(crate) size: u64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { changed_ns: kept_ns(changed_ns(metadata), SystemTime::now()), size: metadata.len() }
    }
}

/// Every file that servers may care about, so ordered that what is below a directory stands together.
type Files = BTreeMap<PathBuf, Stamp>;

/// What servers are to be told.
pub(crate) type Event = (PathBuf, FileEvent);

/// A place in the log.
pub(crate) type Place = u64;

/// The watcher, what it is compared with, and what came of it. Nothing is watched before the first server is needed.
#[derive(Default)]
pub(crate) struct News {
    watch: OnceCell<Option<Watch>>,
    log: Arc<Mutex<Log>>,
}

#[derive(Default)]
struct Log {
    files: Files,
    events: VecDeque<Event>,
    /// How many events stood before the first.
    dropped: u64,
    /// There may be files that are not among these: behind links, or unreadable.
    partial: bool,
    /// There are directories that could not be read.
    unreadable: bool,
}

impl News {
    fn log(&self) -> MutexGuard<'_, Log> {
        lock(&self.log)
    }

    /// Begins to watch, once, before a server reads its first file. Must run to its end.
    pub(crate) async fn begin(&self, shared: &Shared) {
        self.watch
            .get_or_init(|| async {
                let started =
                    Watch::start_seeing(Sight::Servers, shared.roots.all(), &shared.options, WatchOptions::default());
                let watch = match started {
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
                let walker = shared.of_servers.clone();
                if let Ok((files, walked)) = tokio::task::spawn_blocking(move || walk(&walker)).await {
                    let mut log = self.log();
                    log.files = files;
                    log.note(walked);
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

    /// Writes everything that has changed into the log. Must run to its end: what is taken from the watcher is only
    /// there once.
    pub(crate) async fn gather(&self, shared: &Shared) -> Result<(), WorkspaceError> {
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
            None => return Ok(()),
            Some(None) => Changes::Lost,
        };
        if known.is_empty() {
            return Ok(());
        }
        let (log, walker) = (Arc::clone(&self.log), shared.of_servers.clone());
        let writing = tokio::task::spawn_blocking(move || match known {
            Changes::Known(changes) => {
                let partial = changes.iter().any(|change| change.path.is_symlink());
                let mut log = lock(&log);
                log.partial |= partial;
                log.apply(changes);
            }
            Changes::Lost => {
                let (found, walked) = walk(&walker);
                let mut log = lock(&log);
                log.note(walked);
                log.compare(found);
            }
        });
        writing.await.map_err(|error| WorkspaceError::Internal(error.to_string()))
    }

    /// The end of the log.
    pub(crate) fn now(&self) -> Place {
        self.log().end()
    }

    /// Whether every file that changes will be told of. Nothing is, before the first look through the tree has ended.
    pub(crate) fn sees_all(&self) -> bool {
        let watch = self.watch.get().and_then(Option::as_ref);
        watch.is_some_and(|watch| matches!(watch.coverage(), Coverage::Complete { .. }))
            && !self.log().unreadable
    }

    /// Counts directories that have come and are not watched.
    pub(crate) fn passed_over(&self) -> u64 {
        self.watch.get().and_then(Option::as_ref).map_or(0, Watch::passed_over)
    }

    /// Whether no file changed since a place in the log that fits. `false`: that cannot be known any more.
    pub(crate) fn none_since(&self, place: Place, fits: impl Fn(&Path) -> bool) -> bool {
        let log = self.log();
        let from = place.checked_sub(log.dropped).and_then(|from| usize::try_from(from).ok());
        let events = from.map(|from| log.events.range(from.min(log.events.len())..));
        events.is_some_and(|mut events| !events.any(|(path, _)| fits(path)))
    }

    /// The path of every file.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.log().files.keys().cloned().collect()
    }

    /// Every file below a directory, in order. `None`: there may be others.
    pub(crate) fn files_below(&self, directory: &Path) -> Option<Vec<(PathBuf, Stamp)>> {
        let log = self.log();
        if log.partial {
            return None;
        }
        let from_here = log.files.range(directory.to_owned()..);
        let below = from_here.take_while(|(file, _)| file.starts_with(directory));
        Some(below.map(|(file, stamp)| (file.clone(), *stamp)).collect())
    }

    /// What stands in the log from a place on, and its end. `None`: it is too long ago.
    pub(crate) fn since(&self, place: Place) -> (Option<Vec<Event>>, Place) {
        let log = self.log();
        let from = place.checked_sub(log.dropped).and_then(|from| usize::try_from(from).ok());
        let events = from.map(|from| log.events.range(from.min(log.events.len())..).cloned().collect());
        (events, log.end())
    }
}

impl Log {
    fn end(&self) -> Place {
        self.dropped + self.events.len() as u64
    }

    fn note(&mut self, walked: Walked) {
        self.partial = walked.unreadable + walked.links > 0;
        self.unreadable = walked.unreadable > 0;
    }

    fn apply(&mut self, changes: Vec<Change>) {
        for Change { path, kind } in changes {
            if kind == ChangeKind::Deleted {
                self.remove(&path);
                continue;
            }
            let Ok(metadata) = path.symlink_metadata() else { continue };
            let before = self.files.insert(path.clone(), Stamp::of(&metadata));
            let event = if before.is_none() { FileEvent::Created } else { FileEvent::Changed };
            self.events.push_back((path, event));
        }
        self.trim();
    }

    /// A file is gone, or a directory, which is named once, whatever was in it.
    fn remove(&mut self, path: &Path) {
        if self.files.remove(path).is_some() {
            self.events.push_back((path.to_owned(), FileEvent::Deleted));
            return;
        }
        let from_here = self.files.range(path.to_owned()..).map(|(file, _)| file);
        let below: Vec<PathBuf> = from_here.take_while(|file| file.starts_with(path)).cloned().collect();
        for file in below {
            self.files.remove(&file);
            self.events.push_back((file, FileEvent::Deleted));
        }
    }

    fn compare(&mut self, found: Files) {
        for (path, stamp) in &found {
            match self.files.get(path) {
                None => self.events.push_back((path.clone(), FileEvent::Created)),
                Some(before) if before.changed_ns == PROVES_NOTHING || before != stamp => {
                    self.events.push_back((path.clone(), FileEvent::Changed));
                }
                Some(_) => {}
            }
        }
        let gone = self.files.keys().filter(|path| !found.contains_key(*path));
        self.events.extend(gone.map(|path| (path.clone(), FileEvent::Deleted)));
        self.files = found;
        self.trim();
    }

    fn trim(&mut self) {
        let surplus = self.events.len().saturating_sub(MOST_EVENTS);
        self.events.drain(..surplus);
        self.dropped += surplus as u64;
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every file under the roots that servers are told of, and what became of the walk. Blocks.
fn walk(walker: &Walker) -> (Files, Walked) {
    let files = Mutex::new(Files::new());
    let walked = walker.run(&|entry| {
        if let Ok(metadata) = entry.metadata() {
            let stamp = Stamp::of(&metadata);
            files.lock().unwrap_or_else(PoisonError::into_inner).insert(entry.path().to_owned(), stamp);
        }
        WalkState::Continue
    });
    (files.into_inner().unwrap_or_else(PoisonError::into_inner), walked)
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::*;

    fn told(log: &Log, fixture: &Fixture) -> String {
        let events = log.events.iter().map(|(path, event)| format!("{} {event:?}", path.display()));
        fixture.relative(&events.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn a_directory_that_is_gone_takes_its_files_along_and_no_others() {
        let fixture = Fixture::new("//- /a/one\n1\n//- /a/two\n2\n//- /ab\n3\n");
        let mut log = Log::default();
        let change = |name: &str, kind| Change { path: fixture.path(name), kind };
        log.apply(["a/one", "a/two", "ab"].map(|name| change(name, ChangeKind::Created)).to_vec());
        log.events.clear();
        log.apply(vec![change("a", ChangeKind::Deleted)]);
        assert_eq!(told(&log, &fixture), "/a/one Deleted\n/a/two Deleted");
    }

    #[test]
    fn who_missed_too_much_is_told_so() {
        let news = News::default();
        let start = news.now();
        let events =
            (0..MOST_EVENTS + 1).map(|number| (PathBuf::from(format!("/{number}")), FileEvent::Changed));
        news.log().events.extend(events);
        news.log().trim();
        assert_eq!(news.since(start).0, None);
        assert_eq!(news.since(start + 1).0.map(|events| events.len()), Some(MOST_EVENTS));
        assert_eq!(news.since(news.now()).0, Some(vec![]));
    }
}
