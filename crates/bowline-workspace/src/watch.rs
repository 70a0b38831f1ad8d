//! Changes on disk, as they happen. Language servers must be told of them, and before a question is put to one it must
//! be certain that all changes made before it are known.
//!
//! - What is watched is what the index would read, one directory at a time and no more of them than allowed. Where that
//!   is not everything, [`Watch::coverage`] says so, and whoever must know compares the files himself.
//! - Changes are collected, one per path, until somebody takes them: a task in the background that waits for
//!   [`Watch::changed`], or a question that first asks for [`Watch::flush`].
//! - [`Changes::Lost`] means that all files may have changed. It is also the first thing there is to take: nobody saw
//!   what changed before everything was watched.
//!
//! Links are not followed. What is not seen: what is written to a file by another of its names, outside of what is
//! watched, and what another machine writes to a shared disk.

mod change;
mod coverage;
mod options;

mod lookout;

mod cookies;
mod inbox;
mod rules;
mod shared;
mod source;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub use change::{Change, ChangeKind, Changes};
pub use coverage::{Coverage, Flushed, Gap, Unproved};
pub use options::WatchOptions;

use self::cookies::Cookies;
use self::inbox::{Message, Slot, inbox};
use self::lookout::Lookout;
use self::rules::Rules;
pub(crate) use self::rules::are_rules;
use self::shared::Shared;
use crate::walk::Sight;
use crate::{Options, WorkspaceError};

/// Watches the roots until it is dropped.
pub struct Watch {
    shared: Arc<Shared>,
    slot: Slot,
}

impl Watch {
    /// Begins to watch these directories, given by their real paths. The tree is gone through in the background.
    /// `ignoring` is what the index was given, so that both leave out the same.
    pub fn start(
        roots: &[PathBuf],
        ignoring: &Options,
        options: WatchOptions,
    ) -> Result<Self, WorkspaceError> {
        Self::start_with(roots, ignoring, Sight::Index, options, Cookies::new(None))
    }

    /// The same with other eyes.
    pub(crate) fn start_seeing(
        sight: Sight,
        roots: &[PathBuf],
        ignoring: &Options,
        options: WatchOptions,
    ) -> Result<Self, WorkspaceError> {
        Self::start_with(roots, ignoring, sight, options, Cookies::new(None))
    }

    fn start_with(
        roots: &[PathBuf],
        ignoring: &Options,
        sight: Sight,
        options: WatchOptions,
        cookies: Cookies,
    ) -> Result<Self, WorkspaceError> {
        let rules = Rules::new(roots, ignoring, sight)?;
        let shared = Arc::new(Shared::new(options, cookies));
        let (slot, inbox) = inbox();
        let lookout = Lookout::new(roots.to_owned(), rules, Arc::clone(&shared), slot.clone(), inbox);
        let end = End(Arc::clone(&shared));
        thread::Builder::new()
            .name("bowline-watch".into())
            .spawn(move || {
                let _end = end;
                lookout.run();
            })
            .map_err(|error| WorkspaceError::Internal(format!("cannot start a thread: {error}")))?;
        Ok(Self { shared, slot })
    }

    pub fn coverage(&self) -> Coverage {
        let watched = self.watched();
        match self.shared.gap() {
            None => Coverage::Complete { watched },
            Some(reason) => Coverage::Partial { watched, reason },
        }
    }

    /// How many directories are watched.
    pub fn watched(&self) -> usize {
        self.shared.watched()
    }

    /// Counts directories that came while it watched and are not watched, and repositories that came or went: who
    /// reads more than is watched looks for himself when this has changed.
    pub(crate) fn passed_over(&self) -> u64 {
        self.shared.passed_over()
    }

    /// Waits until the tree has been gone through, as far as it can be.
    pub async fn looked_through(&self) {
        // The sender lives as long as we do.
        let _ = self.shared.subscribe().wait_for(|state| state.gap != Some(Gap::Looking)).await;
    }

    /// Waits until there are changes, and then until there are no more for a moment.
    pub async fn changed(&self) {
        let mut state = self.shared.subscribe();
        loop {
            let found = state.wait_for(|state| !state.pending.is_empty()).await;
            let due = found.ok().and_then(|state| state.pending.due(&self.shared.options));
            match due {
                Some(due) if due > Instant::now() => tokio::time::sleep_until(due.into()).await,
                Some(_) => return,
                // Taken by somebody else meanwhile.
                None => {}
            }
        }
    }

    /// What has changed since changes were last taken. Whoever takes them is the only one who gets them.
    pub fn take_changes(&self) -> Changes {
        self.shared.take()
    }

    /// Waits until all changes that were made before this call can be taken, but no longer than `within`.
    pub async fn flush(&self, within: Duration) -> Flushed {
        match tokio::time::timeout(within, self.prove()).await {
            Ok(Ok(())) => Flushed::Proved,
            Ok(Err(why)) => Flushed::Unproved(why),
            Err(_) => Flushed::Unproved(Unproved::Late),
        }
    }

    async fn prove(&self) -> Result<(), Unproved> {
        if let Some(gap) = self.shared.gap().filter(Gap::is_blind) {
            return Err(gap.into());
        }
        let shared = Arc::clone(&self.shared);
        let made = tokio::task::spawn_blocking(move || shared.cookies.next()).await;
        let cookie = made.map_err(|error| error.to_string()).and_then(|made| made.map_err(|e| e.to_string()));
        let cookie = cookie.map_err(|reason| {
            self.slot.send(Message::NewCookie);
            Unproved::NoCookie { reason }
        })?;
        let mut state = self.shared.subscribe();
        let seen =
            state.wait_for(|state| state.seen >= cookie || state.gap.as_ref().is_some_and(Gap::is_blind));
        match seen.await {
            Ok(state) => state.gap.clone().map_or(Ok(()), |gap| Err(gap.into())),
            Err(_) => Err(Gap::Ended.into()),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.stop.cancel();
        self.slot.send(Message::Stop);
    }
}

/// However the thread ends, those who wait for it hear of it.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.lose();
        self.0.set_gap(Some(Gap::Ended));
    }
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::inbox::{Sign, What};
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn start(fixture: &Fixture, cookies: Cookies) -> Watch {
        let roots = [fixture.root().to_owned()];
        Watch::start_with(&roots, &Options::default(), Sight::Index, WatchOptions::default(), cookies)
            .unwrap()
    }

    async fn watching(fixture: &Fixture) -> Watch {
        let watch = start(fixture, Cookies::new(None));
        watch.looked_through().await;
        assert_eq!(watch.take_changes(), Changes::Lost);
        watch
    }

    async fn told(fixture: &Fixture, watch: &Watch) -> String {
        assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
        fixture.relative(&format!("{:?}", watch.take_changes()))
    }

    #[tokio::test]
    async fn after_a_full_queue_the_tree_is_gone_through_again() {
        let fixture = Fixture::new("//- /a.rs\none\n");
        let watch = watching(&fixture).await;
        watch.slot.put(1, Sign::Lost);
        tokio::time::timeout(PATIENCE, watch.changed()).await.unwrap();
        fixture.write_bytes("new/b.rs", b"b");
        watch.looked_through().await;
        assert_eq!(told(&fixture, &watch).await, "Lost");
        assert_eq!(watch.coverage(), Coverage::Complete { watched: 2 });
        // What the source that was given up still had to say is not heard.
        watch.slot.put(1, Sign::Lost);
        watch.slot.put(1, Sign::At(What::Written, fixture.path("a.rs")));
        fixture.write_bytes("new/b.rs", b"bb");
        let changed = r#"Known([Change { path: "/new/b.rs", kind: Changed }])"#;
        assert_eq!(told(&fixture, &watch).await, changed);
    }

    #[tokio::test]
    async fn the_late_end_of_a_directory_is_not_the_end_of_the_next() {
        let fixture = Fixture::new("//- /sub/a.rs\none\n");
        let watch = watching(&fixture).await;
        watch.slot.put(1, Sign::At(What::DirectoryVanished, fixture.path("sub")));
        let replaced =
            r#"Known([Change { path: "/sub", kind: Deleted }, Change { path: "/sub/a.rs", kind: Created }])"#;
        assert_eq!(told(&fixture, &watch).await, replaced);
        assert_eq!(watch.watched(), 2);
        fixture.write_bytes("sub/a.rs", b"two");
        let changed = r#"Known([Change { path: "/sub/a.rs", kind: Changed }])"#;
        assert_eq!(told(&fixture, &watch).await, changed);
    }

    #[tokio::test]
    async fn a_file_that_is_there_is_not_told_to_be_gone() {
        // When two files change places, the last that is told of one of them is that it went.
        let fixture = Fixture::new("//- /a.rs\none\n");
        let watch = watching(&fixture).await;
        watch.slot.put(1, Sign::At(What::Vanished, fixture.path("a.rs")));
        let changed = r#"Known([Change { path: "/a.rs", kind: Changed }])"#;
        assert_eq!(told(&fixture, &watch).await, changed);
    }

    #[tokio::test]
    async fn what_a_directory_still_says_that_was_moved_away_is_not_heard() {
        let fixture = Fixture::new("//- /a.rs\none\n");
        let watch = watching(&fixture).await;
        for name in ["gone/a.rs", "gone/.gitignore"] {
            watch.slot.put(1, Sign::At(What::Written, fixture.path(name)));
        }
        assert_eq!(told(&fixture, &watch).await, "Known([])");
    }

    #[tokio::test]
    async fn without_a_place_for_cookies_it_tells_and_does_not_prove() {
        let (fixture, nowhere) = (Fixture::new("//- /a.rs\none\n"), "/dev/null/nowhere");
        let watch = start(&fixture, Cookies::new(Some(nowhere.into())));
        watch.looked_through().await;
        watch.take_changes();
        assert_eq!(watch.coverage(), Coverage::Complete { watched: 1 });
        fixture.write_bytes("a.rs", b"two");
        assert!(matches!(watch.flush(PATIENCE).await, Flushed::Unproved(Unproved::NoCookie { .. })));
        tokio::time::timeout(PATIENCE, watch.changed()).await.unwrap();
        assert!(matches!(watch.take_changes(), Changes::Known(changes) if changes.len() == 1));
    }

    #[tokio::test]
    async fn a_cookie_that_was_cleared_away_is_made_anew() {
        let (fixture, place) = (Fixture::new("//- /a.rs\none\n"), tempfile::tempdir().unwrap());
        let watch = start(&fixture, Cookies::new(Some(place.path().to_owned())));
        watch.looked_through().await;
        assert_eq!(watch.flush(PATIENCE).await, Flushed::Proved);
        for entry in place.path().read_dir().unwrap().flatten() {
            std::fs::remove_dir_all(entry.path()).unwrap();
        }
        assert!(matches!(watch.flush(PATIENCE).await, Flushed::Unproved(Unproved::NoCookie { .. })));
        while watch.flush(PATIENCE).await != Flushed::Proved {
            tokio::task::yield_now().await;
        }
        drop(watch);
        while place.path().read_dir().unwrap().next().is_some() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn an_ended_watcher_says_so() {
        let fixture = Fixture::new("//- /a.rs\none\n");
        let watch = watching(&fixture).await;
        watch.slot.send(Message::Stop);
        tokio::time::timeout(PATIENCE, watch.changed()).await.unwrap();
        assert_eq!(watch.take_changes(), Changes::Lost);
        let ended = Flushed::Unproved(Unproved::Partial(Gap::Ended));
        while watch.flush(PATIENCE).await != ended {
            tokio::task::yield_now().await;
        }
    }
}
