//! One refresh: walk, compare with what is known, read what may have changed, write it down in batches.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bowline_code::IndexedFile;
use bowline_std::clock::Clock;
use bowline_std::fs::{ReadError, read_text_straight};
use bowline_syntax::{Language, SyntaxError, parse};
use ignore::{DirEntry, WalkState};
use tokio_util::sync::CancellationToken;

use super::IndexReport;
use super::report::Why;
use crate::patience::Meter;
use crate::stamp::{changed_ns, kept_ns};
use crate::walk::Walker;
use crate::{IndexStore, IndexStoreError, Options};

/// Files per transaction: few enough for memory, enough for speed.
const BATCH: usize = 256;
/// How often a refresh that is held looks whether it may go on.
const HOLD: Duration = Duration::from_millis(1);
/// A walk that sees this many times the most files to index is in the wrong place, and stops.
const FAR_TOO_MANY: usize = 10;

pub(crate) struct Refresh<'a> {
    pub(crate) options: &'a Options,
    pub(crate) walker: &'a Walker,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) store: &'a dyn IndexStore,
    /// Hashes of contents that the grammar gave up on, or that took too long: trying again with every question would
    /// make every question slow.
    pub(crate) hopeless: &'a Mutex<HashSet<[u8; 32]>>,
    /// Set to the number of directories that the watcher passes over.
    pub(crate) unwatched: &'a AtomicU64,
    /// Nothing is read while this is not zero.
    pub(crate) held: &'a AtomicU64,
    pub(crate) meter: &'a Meter,
    pub(crate) stop: &'a CancellationToken,
}

/// Why a refresh did not come to its end.
#[derive(Debug)]
pub(crate) enum Unfinished {
    Store(IndexStoreError),
    Stopped,
}

impl From<IndexStoreError> for Unfinished {
    fn from(error: IndexStoreError) -> Self {
        Self::Store(error)
    }
}

/// A file as the walk saw it.
#[derive(Debug)]
struct Seen {
    path: PathBuf,
    language: Language,
    /// As it may be kept, should the content be read now.
    kept_ns: i64,
    size: u64,
    /// The time and the hash that the index has of it.
    known: Option<(i64, [u8; 32])>,
}

/// What reading one file gave.
enum Read {
    New(IndexedFile),
    /// The content is as it was; only the stamp may not be.
    Same,
    LeftOut(Why),
}

/// Path, language, when it changed, size.
type Entry = (PathBuf, Language, i64, u64);

impl Refresh<'_> {
    pub(crate) fn run(&self) -> Result<IndexReport, Unfinished> {
        self.meter.begin(None);
        let mut report = IndexReport::default();
        let mut known: HashMap<PathBuf, (i64, u64, [u8; 32])> = self
            .store
            .files()?
            .into_iter()
            .map(|(path, changed, size, hash)| (path, (changed, size, hash)))
            .collect();
        // Taken before the walk: what changes from here on has a later time.
        let looked_at = self.clock.now();
        let entries = self.walk(&mut report)?;
        let mut changed = Vec::new();
        for (path, language, changed_ns, size) in entries {
            let stored = known.remove(&path);
            let kept_ns = kept_ns(changed_ns, looked_at);
            if stored.is_some_and(|(ns, stored_size, _)| ns == changed_ns && stored_size == size) {
                report.unchanged += 1;
                continue;
            }
            changed.push(Seen {
                path,
                language,
                kept_ns,
                size,
                known: stored.map(|(ns, _, hash)| (ns, hash)),
            });
        }
        self.read_all(&changed, &mut report)?;
        let gone: Vec<PathBuf> = known.into_keys().collect();
        if !gone.is_empty() {
            // Last, so that a file that moved is never missing at both places.
            report.removed += gone.len() as u64;
            self.store.replace(&[], &gone)?;
        }
        report.files = report.unchanged + report.compared + report.parsed;
        Ok(report)
    }

    fn walk(&self, report: &mut IndexReport) -> Result<Vec<Entry>, Unfinished> {
        let most = self.options.max_files;
        let found: Mutex<Vec<Entry>> = Mutex::default();
        let unnamed = AtomicU64::new(0);
        let walked = self.walker.run(&|entry: &DirEntry| {
            let Some(path) = entry.path().to_str() else {
                // No answer could name it; but if it is source, something is missing.
                let shown = entry.path().to_string_lossy();
                unnamed.fetch_add(
                    u64::from(Language::of_path(shown.as_ref().as_ref()).is_some()),
                    Ordering::Relaxed,
                );
                return WalkState::Continue;
            };
            let Some(language) = Language::of_path(path.as_ref()) else {
                return WalkState::Continue;
            };
            // Whoever removes a file between the listing and here has removed it.
            let Ok(metadata) = entry.metadata() else {
                return WalkState::Continue;
            };
            let entry = (entry.path().to_owned(), language, changed_ns(&metadata), metadata.len());
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push(entry);
            if self.stop.is_cancelled() || found.len() > most.saturating_mul(FAR_TOO_MANY) {
                WalkState::Quit
            } else {
                WalkState::Continue
            }
        });
        if self.stop.is_cancelled() {
            return Err(Unfinished::Stopped);
        }
        report.skipped.unreadable = walked.unreadable;
        self.unwatched.store(walked.unwatched, Ordering::Relaxed);
        report.skipped.not_utf8 = unnamed.into_inner();
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        found.dedup_by(|left, right| left.0 == right.0);
        report.over_limit = found.len().saturating_sub(most) as u64;
        found.truncate(most);
        Ok(found)
    }

    fn read_all(&self, changed: &[Seen], report: &mut IndexReport) -> Result<(), Unfinished> {
        if changed.is_empty() {
            return Ok(());
        }
        self.meter.begin(Some(changed.len() as u64));
        let threads = self.options.threads().min(changed.len());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            // Bounded, so that readers wait for the writer instead of filling the memory.
            let (sender, receiver) = sync_channel(2 * threads);
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(changed, next, &sender));
            }
            drop(sender);
            self.write_down(&receiver, report)
        })?;
        if self.stop.is_cancelled() { Err(Unfinished::Stopped) } else { Ok(()) }
    }

    /// One reader: takes the next file until there is none, or nobody listens any more.
    fn work<'s>(&self, changed: &'s [Seen], next: &AtomicUsize, sender: &SyncSender<(&'s Seen, Read)>) {
        while !self.stop.is_cancelled()
            && let Some(seen) = changed.get(next.fetch_add(1, Ordering::Relaxed))
        {
            while self.held.load(Ordering::Relaxed) > 0 && !self.stop.is_cancelled() {
                thread::sleep(HOLD);
            }
            let read = catch_unwind(AssertUnwindSafe(|| self.read(seen)))
                .unwrap_or(Some(Read::LeftOut(Why::Grammar)));
            if read.is_none_or(|read| sender.send((seen, read)).is_err()) {
                return;
            }
        }
    }

    /// `None` if we were stopped.
    fn read(&self, seen: &Seen) -> Option<Read> {
        let left_out = |why| Some(Read::LeftOut(why));
        // Only with links that may be followed is the path not real already.
        let real =
            if self.options.follow_links { self.walker.real(&seen.path) } else { Some(seen.path.clone()) };
        let Some(real) = real else {
            return left_out(Why::Read(ReadError::Denied(seen.path.clone())));
        };
        let text = match read_text_straight(&real, self.options.max_file_bytes) {
            Ok((text, _)) => text,
            Err(error) => return left_out(Why::Read(error)),
        };
        let hash = *blake3::hash(text.as_bytes()).as_bytes();
        if seen.known.is_some_and(|(_, known)| known == hash) {
            return Some(Read::Same);
        }
        if self.hopeless.lock().unwrap_or_else(PoisonError::into_inner).contains(&hash) {
            return left_out(Why::Grammar);
        }
        // One hostile file must not keep all the others waiting.
        let until = Instant::now() + Duration::from_millis(self.options.max_file_ms);
        let too_long = || Instant::now() > until;
        match parse(seen.language, text, &|| self.stop.is_cancelled() || too_long()) {
            Ok(parsed) => Some(Read::New(IndexedFile {
                path: seen.path.clone(),
                language: seen.language.id().to_owned(),
                modified_ns: seen.kept_ns,
                size: seen.size,
                hash,
                words: parsed.words(),
                symbols: parsed.flat_symbols(),
            })),
            Err(SyntaxError::Cancelled) if self.stop.is_cancelled() => None,
            Err(error) => {
                tracing::debug!(path = %seen.path.display(), %error, "left out of the index");
                self.hopeless.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
                left_out(Why::Grammar)
            }
        }
    }

    fn write_down(
        &self,
        reads: &Receiver<(&Seen, Read)>,
        report: &mut IndexReport,
    ) -> Result<(), Unfinished> {
        let (mut batch, mut stamps, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for (seen, read) in reads {
            match read {
                Read::New(file) => {
                    report.parsed += 1;
                    batch.push(file);
                }
                Read::Same => {
                    report.compared += 1;
                    if seen.known.is_some_and(|(ns, _)| ns != seen.kept_ns) {
                        stamps.push((seen.path.clone(), seen.kept_ns, seen.size));
                    }
                }
                Read::LeftOut(why) => {
                    report.skipped.count(&why);
                    gone.extend(seen.known.map(|_| seen.path.clone()));
                }
            }
            if batch.len() == BATCH {
                self.store.replace(&batch, &[])?;
                batch.clear();
            }
            self.meter.step();
        }
        if !batch.is_empty() || !gone.is_empty() {
            self.store.replace(&batch, &gone)?;
        }
        if !stamps.is_empty() {
            self.store.restamp(&stamps)?;
        }
        Ok(())
    }
}
