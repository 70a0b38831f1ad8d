//! Nothing that a server says is older than the disk: before each question the server is told what has changed.
//!
//! Open documents are compared with their files, by time and size, and by their text where those prove nothing.
//! Files that are not open are known through the watcher, whose cookie proves that nothing is still on the way.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bowline_lsp::{FileEvent, Life, LspError, Server, Sheet};
use bowline_std::fs::{ReadError, read_text_straight};
use bowline_syntax::Language;

use super::news::Event;
use super::{Fleet, Ship};

use crate::stamp::{changed_ns, kept_ns};
use crate::workspace::Shared;
use crate::{Workspace, WorkspaceError};

/// So many changed files are shown to a server at once.
const MOST_SHOWN: usize = 32;
/// A server that was told of more reads them within this time.
const READING: Duration = Duration::from_secs(3);

/// What is known of the files that servers have open.
#[derive(Debug, Default)]
pub(crate) struct Freshness {
    seen: Mutex<HashMap<PathBuf, Seen>>,
    /// Taken by whoever tells servers of changes, so that nobody asks before all of them are told.
    pub(crate) telling: tokio::sync::Mutex<()>,
    /// When the last telling began that came to its end.
    told: Mutex<Option<Instant>>,
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

    /// Whether everything that had changed at a moment has been told.
    fn is_told(&self, as_of: Instant) -> bool {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|began| began >= as_of)
    }

    fn note_told(&self, began: Instant) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(began);
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
}

impl Workspace {
    /// A living server, after the files that it will read are being watched.
    pub(crate) async fn alive(&self, server: &Arc<Server>) -> Result<Arc<Life>, LspError> {
        self.fleet.alive(&self.shared, server).await
    }

    /// Tells a server everything that has changed on disk.
    pub(crate) async fn catch_up(&self, life: &Arc<Life>) -> Result<(), WorkspaceError> {
        self.fleet.tell_news(&self.shared).await?;
        let (fleet, life) = (Arc::clone(&self.fleet), Arc::clone(life));
        let most = self.shared.options.max_named_file_bytes;
        blocking(move || resync(&fleet.freshness, &life, most)).await
    }

    /// Tells a server everything that has changed on disk, and reads the file that is asked about.
    pub(crate) async fn bring_up_to_date(
        &self,
        life: &Arc<Life>,
        asked: &Path,
    ) -> Result<Arc<str>, WorkspaceError> {
        self.bring_up_to_date_as_of(life, asked, Instant::now()).await
    }

    /// The same for what had changed at a moment. The documents that are open are compared with the disk in any case.
    pub(crate) async fn bring_up_to_date_as_of(
        &self,
        life: &Arc<Life>,
        asked: &Path,
        as_of: Instant,
    ) -> Result<Arc<str>, WorkspaceError> {
        self.fleet.tell_news_as_of(&self.shared, as_of).await?;
        let (fleet, life, asked) = (Arc::clone(&self.fleet), Arc::clone(life), asked.to_owned());
        let most = self.shared.options.max_named_file_bytes;
        blocking(move || {
            resync(&fleet.freshness, &life, most);
            fleet.freshness.read(&asked, most)
        })
        .await?
        .map_err(WorkspaceError::from)
    }
}

impl Fleet {
    async fn alive(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        server: &Arc<Server>,
    ) -> Result<Arc<Life>, LspError> {
        if let Some(life) = server.current() {
            return Ok(life);
        }
        if !server.is_at_work() && server.program().is_ok() {
            // Not in the caller's hands: one who leaves would undo what others wait for.
            let (fleet, shared, server) = (Arc::clone(self), Arc::clone(shared), Arc::clone(server));
            let _ = tokio::spawn(async move { fleet.launch(&shared, &server).await }).await;
        }
        server.life().await
    }

    /// Starts a server, after the files that it will read are being watched.
    async fn launch(self: &Arc<Self>, shared: &Arc<Shared>, server: &Arc<Server>) {
        self.watch_files(shared).await;
        let _turn = self.launching.lock().await;
        if server.is_at_work() {
            return;
        }
        self.make_room().await;
        // What has changed before it starts it will read by itself; of everything after it is told.
        if let Err(error) = self.news.gather(shared).await {
            tracing::debug!(%error, "changes were not gathered");
        }
        if let Some(ship) = self.ships().iter().find(|ship| Arc::ptr_eq(&ship.server, server)) {
            ship.told.store(self.news.now(), Ordering::Relaxed);
        }
        server.start();
    }

    /// Begins to watch, if nobody has.
    pub(crate) async fn watch_files(self: &Arc<Self>, shared: &Arc<Shared>) {
        let (fleet, all) = (Arc::clone(self), Arc::clone(shared));
        let _ = tokio::spawn(async move { fleet.news.begin(&all).await }).await;
        self.spread_news(shared);
    }

    /// Begins to watch in the background, for those who will ask next.
    pub(crate) fn watch_in_background(self: &Arc<Self>, shared: &Arc<Shared>) {
        if !self.watching.swap(true, Ordering::Relaxed) {
            let (fleet, shared) = (Arc::clone(self), Arc::clone(shared));
            tokio::spawn(async move { fleet.watch_files(&shared).await });
        }
    }

    /// Whether every file that the index reads is watched, but for directories that are passed over by their names.
    pub(crate) fn watches_all(&self, shared: &Shared) -> bool {
        !shared.options.follow_links && self.news.sees_all()
    }

    /// How many directories have come that are not watched.
    pub(crate) fn passed_over(&self) -> u64 {
        self.news.passed_over()
    }

    /// The end of the log of changes.
    pub(crate) fn news_end(&self) -> u64 {
        self.news.now()
    }

    /// Whether no file changed since a place in the log that the index depends on.
    pub(crate) fn index_is_as_at(&self, place: u64) -> bool {
        let counts = |path: &Path| {
            path.to_str().is_none()
                || Language::of_path(path).is_some()
                || path.file_name().is_some_and(crate::watch::are_rules)
        };
        self.news.none_since(place, counts)
    }

    /// Starts a server in the background, for those who will ask next.
    pub(crate) fn warm_up(self: &Arc<Self>, shared: &Arc<Shared>, server: Arc<Server>) {
        let (fleet, shared) = (Arc::clone(self), Arc::clone(shared));
        tokio::spawn(async move { fleet.alive(&shared, &server).await.map(drop) });
    }

    /// Tells every living server what has changed. When this returns, everything that had changed before it was called
    /// has been told. Once begun it runs to its end, whoever waits for it.
    pub(crate) async fn tell_news(self: &Arc<Self>, shared: &Arc<Shared>) -> Result<(), WorkspaceError> {
        self.tell_news_as_of(shared, Instant::now()).await
    }

    /// The same for what had changed at a moment, which may have been told meanwhile.
    pub(crate) async fn tell_news_as_of(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        as_of: Instant,
    ) -> Result<(), WorkspaceError> {
        if self.freshness.is_told(as_of) {
            return Ok(());
        }
        let (fleet, shared) = (Arc::clone(self), Arc::clone(shared));
        let telling = tokio::spawn(async move {
            let _turn = fleet.freshness.telling.lock().await;
            // By the one who had the turn before, if it began late enough.
            if fleet.freshness.is_told(as_of) {
                return Ok(());
            }
            let began = Instant::now();
            fleet.news.gather(&shared).await?;
            for ship in fleet.ships() {
                fleet.tell(&ship, &shared).await?;
            }
            fleet.freshness.note_told(began);
            Ok(())
        });
        telling.await.map_err(|error| WorkspaceError::Internal(error.to_string()))?
    }

    /// Tells one server what it has not been told yet. One that is not there yet is told when it is.
    async fn tell(self: &Arc<Self>, ship: &Ship, shared: &Shared) -> Result<(), WorkspaceError> {
        let Some(life) = ship.server.current() else {
            return Ok(());
        };
        let (events, end) = self.news.since(ship.told.load(Ordering::Relaxed));
        let Some(events) = events else {
            // It has missed too much to be told.
            ship.server.stop().await;
            return Ok(());
        };
        if !events.is_empty() {
            let (fleet, told, most) =
                (Arc::clone(self), Arc::clone(&life), shared.options.max_named_file_bytes);
            let shown = blocking(move || {
                told.files_changed(&events);
                show_changed(&fleet.freshness, &told, &events, most)
            })
            .await?;
            if !shown && life.hears_of_files() {
                // It reads them again in its own time, and nothing says when it has.
                life.is_reading_for(READING);
            } else if !shown {
                // Only a new one would ever know.
                ship.server.stop().await;
            }
        }
        ship.told.store(end, Ordering::Relaxed);
        Ok(())
    }

    /// Tells servers of changes also while nobody asks, so that they are ready when somebody does.
    fn spread_news(self: &Arc<Self>, shared: &Arc<Shared>) {
        if self.spreading.swap(true, Ordering::Relaxed) {
            return;
        }
        let (fleet, shared) = (Arc::downgrade(self), Arc::clone(shared));
        tokio::spawn(async move {
            while let Some(fleet) = fleet.upgrade() {
                // Looked at again now and then, or the fleet could never be dropped.
                if tokio::time::timeout(Duration::from_secs(1), fleet.news.changed()).await.is_ok()
                    && let Err(error) = fleet.tell_news(&shared).await
                {
                    tracing::debug!(%error, "servers were not told of changes");
                }
            }
        });
    }
}

/// Shows a server the files of its languages that have changed, as if they were being edited. It sees their texts at
/// once then; what it is merely told of it reads again in its own time, and answers from the old text until then.
/// `false`: there are too many.
fn show_changed(freshness: &Freshness, life: &Life, events: &[Event], most: u64) -> bool {
    let changed = events.iter().filter(|(_, event)| *event != FileEvent::Deleted);
    let ours: Vec<(&PathBuf, String)> = changed
        .filter(|(path, _)| life.works_on(path))
        .filter_map(|(path, _)| Some((path, life.language_of(path)?)))
        .take(MOST_SHOWN + 1)
        .collect();
    // A branch was changed, not a file: let it read them again.
    if ours.len() > MOST_SHOWN {
        return false;
    }
    for (path, language) in ours {
        if let Ok(text) = freshness.read(path, most) {
            life.show(&Sheet { path: path.clone(), language, text });
        }
    }
    true
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, WorkspaceError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| WorkspaceError::Internal(error.to_string()))
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
                // It may only have become too large, or no text: then the server has to look for itself.
                let is_there = shown.path.symlink_metadata().is_ok();
                let event = if is_there { FileEvent::Changed } else { FileEvent::Deleted };
                life.files_changed(&[(shown.path, event)]);
            }
        }
    }
}
