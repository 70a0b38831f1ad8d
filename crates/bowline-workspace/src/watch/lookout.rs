//! The thread that watches: it goes through the tree, posts a watch on every directory that is not ignored, and makes
//! changes out of what it is told.
//!
//! Two things keep this exact. A directory is watched **before** it is listed, so that what comes into it is either
//! listed or told. And signs are read in order, one after the other, new directories gone through on the way: whoever
//! has seen the last of them has seen them all.

use std::collections::{BTreeSet, VecDeque};
use std::fs::DirEntry;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::change::ChangeKind;
use super::coverage::Gap;
use super::inbox::{Inbox, Message, Sign, Slot, What};
use super::rules::{Node, Rules, are_rules};
use super::shared::Shared;
use super::source::{EACH_DIRECTORY, Refusal, Source};

/// After a look through the tree, this many times as long passes before the next: a tree that changes faster than it
/// can be watched must not cost a processor.
const REST: u32 = 4;
const LEAST_REST: Duration = Duration::from_millis(200);
/// When the system gives us no watcher, it may later.
const RETRY: Duration = Duration::from_secs(30);

pub(super) struct Lookout {
    roots: Vec<PathBuf>,
    rules: Rules,
    shared: Arc<Shared>,
    slot: Slot,
    inbox: Inbox,
    source: Option<Source>,
    /// Signs of a source that was given up are not read.
    generation: u64,
    watched: BTreeSet<PathBuf>,
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
            source: None,
            generation: 0,
            watched: BTreeSet::new(),
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
    ///
    /// Nobody can say what changed where no watch was yet. So when all is watched, everything may have changed once.
    fn look_through(&mut self) {
        let began = Instant::now();
        self.shared.set_gap(Some(Gap::Looking));
        (self.due, self.gap) = (None, None);
        self.generation += 1;
        self.watched.clear();
        self.source = None;
        self.rules.restart();
        match Source::new(self.slot.clone(), self.generation) {
            Ok(source) => {
                self.source = Some(source);
                self.renew_cookie();
                for root in self.roots.clone() {
                    self.go_through(root, Telling::Nothing);
                }
                self.check_roots();
            }
            Err(reason) => {
                self.due = Some(began + RETRY);
                self.miss(Gap::NoWatcher { reason });
            }
        }
        self.shared.set_watched(self.watched.len());
        self.rested = Instant::now() + LEAST_REST.max(began.elapsed() * REST);
        self.shared.lose();
        self.shared.set_gap(self.gap.clone());
    }

    /// Something was missed, or the rules are others now.
    fn lost(&mut self) {
        self.shared.lose();
        self.shared.set_gap(Some(Gap::Looking));
        self.due = Some(self.rested);
    }

    fn read(&mut self, sign: Sign) {
        let Sign::At(what, path) = sign else { return self.lost() };
        if self.cookies.is_some() && path.parent() == self.cookies.as_deref() {
            return self.read_cookie(what, &path);
        }
        if self.is_past(&path) {
            return;
        }
        if path.file_name().is_some_and(are_rules) {
            return self.lost();
        }
        match what {
            What::Appeared => self.appeared(path),
            What::Written => self.tell(path, ChangeKind::Changed),
            What::Touched => self.touched(path),
            What::Vanished => self.vanished(path, Node::File),
            What::DirectoryVanished => self.vanished(path, Node::Directory),
            What::Unclear if path.symlink_metadata().is_ok() => self.appeared(path),
            What::Unclear => self.vanished(path, Node::File),
        }
    }

    /// A directory that was moved away still tells of itself, by its old name, until the system has heard that we do
    /// not watch it any more.
    fn is_past(&self, path: &Path) -> bool {
        let is_watched = |path: &Path| self.watched.contains(path);
        EACH_DIRECTORY && !is_watched(path) && !path.parent().is_some_and(is_watched)
    }

    fn read_cookie(&self, what: What, path: &Path) {
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let (What::Appeared, Some(number)) = (what, number) {
            self.shared.saw(number);
        }
    }

    fn appeared(&mut self, path: PathBuf) {
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => {
                if self.forget(&path) {
                    // We know one of this name. Nobody told us when it was replaced, so all of it is.
                    self.shared.tell(path.clone(), ChangeKind::Deleted);
                }
                if !self.rules.ignores(&path, Node::Directory) {
                    self.go_through(path, Telling::Files);
                }
            }
            // Gone already; we are about to be told.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            _ => self.tell(path, ChangeKind::Created),
        }
    }

    fn touched(&mut self, path: PathBuf) {
        if self.watched.contains(&path) {
            return;
        }
        match path.symlink_metadata() {
            // We may have been let into it.
            Ok(found) if found.is_dir() && EACH_DIRECTORY => self.appeared(path),
            Ok(found) if found.is_dir() => {}
            _ => self.tell(path, ChangeKind::Changed),
        }
    }

    fn vanished(&mut self, path: PathBuf, node: Node) {
        if self.forget(&path) || !self.rules.ignores(&path, node) {
            self.shared.tell(path.clone(), ChangeKind::Deleted);
        }
        // The end of a directory can be told after the beginning of the next of that name.
        let there = path.symlink_metadata().is_ok_and(|found| found.is_dir());
        match (self.roots.contains(&path), there) {
            (true, true) => self.lost(),
            (true, false) => {
                self.miss(Gap::Unwatchable { path, reason: "it is gone".to_owned() });
                self.shared.set_gap(self.gap.clone());
            }
            (false, true) => self.appeared(path),
            (false, false) => {}
        }
    }

    /// Tells of a file, unless it is ignored.
    fn tell(&mut self, path: PathBuf, kind: ChangeKind) {
        if !self.rules.ignores(&path, Node::File) {
            self.shared.tell(path, kind);
        }
    }

    /// Watches a directory and all that is in it, the nearest first.
    fn go_through(&mut self, top: PathBuf, telling: Telling) {
        let mut ahead = VecDeque::from([top]);
        while let Some(directory) = ahead.pop_front() {
            if self.shared.is_stopped() {
                return;
            }
            self.list(&directory, telling, &mut ahead);
            self.post(&directory);
        }
        self.shared.set_watched(self.watched.len());
        if telling == Telling::Files && self.gap.is_some() {
            self.shared.set_gap(self.gap.clone());
        }
    }

    /// Whether there is now a watch on it that was not there before.
    fn post(&mut self, directory: &Path) -> bool {
        if !EACH_DIRECTORY && !self.roots.iter().any(|root| root == directory) {
            return true;
        }
        let most = self.shared.options.max_directories;
        // Once the system has said no, it need not be asked for each of the others.
        if self.watched.contains(directory) || self.gap == Some(Gap::SystemLimit) {
            return false;
        }
        if self.watched.len() >= most {
            self.miss(Gap::TooMany { most });
            return false;
        }
        let Some(source) = &mut self.source else { return false };
        match source.watch(directory) {
            Ok(()) => return self.watched.insert(directory.to_owned()),
            Err(Refusal::NotForUs) => tracing::debug!(path = %directory.display(), "not watched"),
            Err(Refusal::Limit) => self.miss(Gap::SystemLimit),
            Err(Refusal::Failed(reason)) => {
                self.miss(Gap::Unwatchable { path: directory.to_owned(), reason });
            }
        }
        false
    }

    fn list(&mut self, directory: &Path, telling: Telling, ahead: &mut VecDeque<PathBuf>) {
        let entries: Vec<DirEntry> = match directory.read_dir().and_then(Iterator::collect) {
            Ok(entries) => entries,
            Err(error) => return self.could_not_list(directory, &error),
        };
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
    ///
    /// The system's watcher has mostly seen to it. But if it was moved, and found in its new place before we were told,
    /// two paths share one watch: the old one must not live on to take the new one with it when it ends.
    fn forget(&mut self, directory: &Path) -> bool {
        let from = (Bound::Included(directory), Bound::Unbounded);
        let below = self.watched.range::<Path, _>(from).take_while(|path| path.starts_with(directory));
        let gone: Vec<PathBuf> = below.cloned().collect();
        for path in &gone {
            self.watched.remove(path);
            if let Some(source) = &mut self.source {
                source.unwatch(path);
            }
        }
        if !gone.is_empty() {
            self.rules.forget(directory, gone.len());
            self.shared.set_watched(self.watched.len());
        }
        gone.first().is_some_and(|first| first == directory)
    }

    fn check_roots(&mut self) {
        let missing = self.roots.iter().find(|root| !self.watched.contains(*root)).cloned();
        if let Some(path) = missing {
            self.miss(Gap::Unwatchable { path, reason: "it is not a directory that can be read".to_owned() });
        }
    }

    /// Remembers the first reason why not everything is seen.
    fn miss(&mut self, gap: Gap) {
        if gap.stays() && !self.warned {
            self.warned = true;
            tracing::warn!(watched = self.watched.len(), reason = %gap, "not all changes on disk will be seen");
        }
        self.gap.get_or_insert(gap);
    }

    /// Without a cookie the watcher works, and proves nothing.
    fn renew_cookie(&mut self) {
        self.cookies = None;
        let Some(source) = &mut self.source else { return };
        match self.shared.cookies.renew() {
            Ok(directory) if source.watch(&directory).is_ok() => {
                self.cookies = Some(directory);
                // Whoever made one in the old place, and waits for it, is answered by this one.
                let _ = self.shared.cookies.next();
            }
            Ok(_) => tracing::debug!("the directory of the cookie is not watched"),
            Err(error) => tracing::debug!(%error, "no cookie"),
        }
    }
}
