//! The thread that watches: it goes through the tree, posts a watch on every directory that is not ignored, and makes
//! changes out of what it is told.
//!
//! Two things keep this exact. A directory is watched **before** it is listed, so that what comes into it is either
//! listed or told. And signs are read in order, one after the other, new directories gone through on the way: whoever
//! has seen the last of them has seen them all.

mod posts;
mod reading;

use std::collections::VecDeque;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::posts::{Posted, Posts};
use super::change::ChangeKind;
use super::coverage::Gap;
use super::inbox::{Inbox, Message, Slot};
use super::rules::{Node, Rules, are_rules};
use super::shared::Shared;
use super::source::{EACH_DIRECTORY, Source};

/// After a look through the tree, this many times as long passes before the next: a tree that changes faster than it
/// can be watched must not cost a processor.
const REST: u32 = 4;
const LEAST_REST: Duration = Duration::from_millis(200);
/// When the system gives us no watcher, it may later.
const RETRY: Duration = Duration::from_secs(5);

pub(super) struct Lookout {
    roots: Vec<PathBuf>,
    rules: Rules,
    shared: Arc<Shared>,
    slot: Slot,
    inbox: Inbox,
    /// Signs of a source that was given up are not read.
    generation: u64,
    /// `None` while the system gives us no watcher.
    posts: Option<Posts>,
    cookies: Option<PathBuf>,
    gap: Option<Gap>,
    warned: bool,
    /// When to look through the tree again.
    due: Option<Instant>,
    rested: Instant,
}

/// Whether the files of a directory are news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    Files,
    Nothing,
}

impl Lookout {
    pub(super) fn new(
        roots: Vec<PathBuf>,
        rules: Rules,
        shared: Arc<Shared>,
        slot: Slot,
        inbox: Inbox,
    ) -> Self {
        Self {
            roots,
            rules,
            shared,
            slot,
            inbox,
            generation: 0,
            posts: None,
            cookies: None,
            gap: None,
            warned: false,
            due: None,
            rested: Instant::now(),
        }
    }

    pub(super) fn run(mut self) {
        self.look_through();
        loop {
            match self.inbox.next(self.generation, self.due) {
                Message::Sign(generation, sign) if generation == self.generation => self.read(sign),
                Message::Sign(..) => {}
                Message::NewCookie => self.renew_cookie(),
                Message::Due => self.look_through(),
                Message::Stop => return,
            }
        }
    }

    /// Begins anew: with a fresh source, since one that missed something keeps wrong ideas of what is where.
    fn look_through(&mut self) {
        let began = Instant::now();
        self.shared.set_gap(Some(Gap::Looking));
        (self.due, self.gap) = (None, None);
        self.generation += 1;
        self.posts = None;
        self.rules.restart();
        match Source::new(self.slot.clone(), self.generation) {
            Ok(source) => self.begin(source),
            Err(reason) => self.is_blind(reason),
        }
        self.rested = Instant::now() + LEAST_REST.max(began.elapsed() * REST);
        self.publish();
    }

    fn begin(&mut self, source: Source) {
        self.posts = Some(Posts::new(source, self.shared.options.max_directories));
        self.renew_cookie();
        for root in self.roots.clone() {
            if EACH_DIRECTORY {
                self.go_through(root, Telling::Nothing);
            } else {
                self.post(&root);
            }
        }
        let missing = self.roots.iter().find(|root| !self.is_watched(root)).cloned();
        if let Some(path) = missing {
            self.miss(Gap::Unwatchable { path, reason: "it is not a directory that can be read".to_owned() });
        }
        // Nobody can say what changed where no watch was yet, so everything may have.
        self.shared.lose();
    }

    /// Something was missed, or the rules are others now.
    fn lost(&mut self) {
        self.shared.lose();
        self.due = Some(self.rested);
        self.publish();
    }

    /// The system does not watch for us, or not any more.
    fn is_blind(&mut self, reason: String) {
        self.posts = None;
        self.due = Some(Instant::now() + RETRY);
        self.gap = None;
        self.miss(Gap::NoWatcher { reason });
    }

    /// Watches a directory and all that is in it, the nearest first.
    fn go_through(&mut self, top: PathBuf, telling: Telling) {
        let mut ahead = VecDeque::from([top]);
        while let Some(directory) = ahead.pop_front() {
            if self.shared.is_stopped() {
                return;
            }
            if self.post(&directory) {
                self.list(&directory, telling, &mut ahead);
            }
        }
    }

    /// Whether there is now a watch on it that was not there before.
    fn post(&mut self, directory: &Path) -> bool {
        if !EACH_DIRECTORY && !self.roots.iter().any(|root| root == directory) {
            return true;
        }
        let Some(posts) = &mut self.posts else { return false };
        match posts.post(directory) {
            Posted::Now => {
                self.shared.set_watched(posts.len());
                return true;
            }
            Posted::Before | Posted::NotForUs => {}
            Posted::No(gap) => self.miss(gap),
            Posted::Ended(reason) => self.is_blind(reason),
        }
        false
    }

    fn list(&mut self, directory: &Path, telling: Telling, ahead: &mut VecDeque<PathBuf>) {
        let entries: Vec<DirEntry> = match directory.read_dir().and_then(Iterator::collect) {
            Ok(entries) => entries,
            Err(error) => return self.could_not_list(directory, &error),
        };
        if telling == Telling::Files {
            self.shared.arrived(directory);
        }
        if entries.iter().any(|entry| are_rules(&entry.file_name())) {
            self.rules.found_in(directory);
            if telling == Telling::Files {
                // Another directory may have been here before, with other rules.
                self.rules.reload();
            }
        }
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !self.rules.ignores(&path, Node::Directory) {
                    ahead.push_back(path);
                } else if telling == Telling::Files {
                    self.shared.pass_over();
                }
            } else if telling == Telling::Files {
                self.tell(path, ChangeKind::Created);
            }
        }
    }

    fn could_not_list(&mut self, directory: &Path, error: &io::Error) {
        self.forget(directory);
        // What is gone, or was never a directory, is no loss.
        if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            self.miss(Gap::Unwatchable { path: directory.to_owned(), reason: error.to_string() });
        }
    }

    /// Watches a directory, and what was in it, no longer. Whether it was watched.
    fn forget(&mut self, directory: &Path) -> bool {
        let Some(posts) = &mut self.posts else { return false };
        let was_watched = posts.contains(directory);
        let gone = posts.take_down(directory);
        if gone > 0 {
            self.rules.forget(directory, gone);
            self.shared.set_watched(posts.len());
        }
        was_watched
    }

    fn is_watched(&self, directory: &Path) -> bool {
        self.posts.as_ref().is_some_and(|posts| posts.contains(directory))
    }

    /// Tells of a file, unless it is ignored.
    fn tell(&mut self, path: PathBuf, kind: ChangeKind) {
        if !self.rules.ignores(&path, Node::File) {
            self.shared.tell(path, kind);
        } else if path.file_name().is_some_and(|name| name == ".git") {
            // It names a repository elsewhere, which may have rules of its own.
            self.shared.pass_over();
        }
    }

    /// Remembers the first reason why not everything is seen.
    fn miss(&mut self, gap: Gap) {
        if !self.warned {
            self.warned = true;
            tracing::warn!(watched = self.shared.watched(), reason = %gap, "not all changes on disk will be seen");
        }
        self.gap.get_or_insert(gap);
    }

    fn publish(&self) {
        let looks_again = self.posts.is_some() && self.due.is_some();
        self.shared.set_watched(self.posts.as_ref().map_or(0, Posts::len));
        self.shared.set_gap(if looks_again { Some(Gap::Looking) } else { self.gap.clone() });
    }

    /// Without a cookie the watcher works, and proves nothing.
    fn renew_cookie(&mut self) {
        self.cookies = None;
        let Some(posts) = &mut self.posts else { return };
        match self.shared.cookies.renew() {
            Ok(directory) if posts.post_apart(&directory) => {
                self.cookies = Some(directory);
                // Whoever made one in the old place, and waits for it, is answered by this one.
                let _ = self.shared.cookies.next();
            }
            Ok(_) => tracing::debug!("the directory of the cookie is not watched"),
            Err(error) => tracing::debug!(%error, "no cookie"),
        }
    }
}
