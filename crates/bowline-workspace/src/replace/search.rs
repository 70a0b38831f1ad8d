//! The files of the workspace, read side by side, and what is found in them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use bowline_code::{Encoding, LineTable};
use bowline_std::fs::{ReadError, read_text_straight};
use ignore::WalkState;

use super::globs::Globs;
use super::wanted::Wanted;
use super::{Occurrence, PassedOver, ReplaceError, Replacements, Stretch};
use crate::WorkspaceError;
use crate::workspace::Work;

const MOST_OCCURRENCES: usize = 10_000;
const MOST_FILES: usize = 50_000;
const MOST_BYTES: u64 = 256 << 20;
/// So many characters of a line are shown before and behind an occurrence, and so many of the occurrence.
const AROUND: usize = 60;
const WITHIN: usize = 200;

/// So long is an id.
pub(super) const ID_DIGITS: usize = 12;

/// One file in which something was found.
struct Hit {
    file: PathBuf,
    hash: [u8; 32],
    occurrences: Vec<(Occurrence, Stretch)>,
}

/// What all threads share.
struct Search<'a> {
    work: &'a Work,
    wanted: &'a Wanted,
    globs: &'a Globs,
    below: Option<&'a Path>,
    until: Option<Instant>,
    hits: Mutex<Vec<Hit>>,
    passed_over: Mutex<PassedOver>,
    files: AtomicUsize,
    bytes: AtomicU64,
    found: AtomicUsize,
    failed: OnceLock<ReplaceError>,
    partial: OnceLock<String>,
}

/// Blocks.
pub(super) fn search(
    work: &Work,
    wanted: &Wanted,
    globs: &Globs,
    below: Option<&Path>,
    until: Option<Instant>,
) -> Result<Replacements, WorkspaceError> {
    let search = Search {
        work,
        wanted,
        globs,
        below,
        until,
        hits: Mutex::default(),
        passed_over: Mutex::default(),
        files: AtomicUsize::new(0),
        bytes: AtomicU64::new(0),
        found: AtomicUsize::new(0),
        failed: OnceLock::new(),
        partial: OnceLock::new(),
    };
    let walked = match below {
        Some(file) if file.is_file() => {
            search.visit(file);
            0
        }
        Some(directory) if directory.is_dir() => {
            let visit = |entry: &ignore::DirEntry| match entry.file_type() {
                Some(kind) if kind.is_file() => search.visit(entry.path()),
                _ => WalkState::Continue,
            };
            work.shared.walker.run_below(directory, &visit).unreadable
        }
        Some(nothing) => return Err(ReadError::NotFound(nothing.to_owned()).into()),
        None => work.shared.walker.run(&|entry| search.visit(entry.path())).unreadable,
    };
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    search.passed(|passed| passed.unreadable += usize::try_from(walked).unwrap_or(usize::MAX));
    search.ended()
}

impl Search<'_> {
    fn visit(&self, path: &Path) -> WalkState {
        if self.work.stopped() || self.failed.get().is_some() || self.partial.get().is_some() {
            return WalkState::Quit;
        }
        let root = self.work.shared.roots.around(path);
        let from_root = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let from_below = self.below.and_then(|below| path.strip_prefix(below).ok()).unwrap_or(from_root);
        if !self.globs.take(&[from_root, from_below]) {
            return WalkState::Continue;
        }
        if self.files.fetch_add(1, Ordering::Relaxed) >= MOST_FILES {
            return self.stop(format!("there are more than {MOST_FILES} files"));
        }
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return self.stop("the time for this call was over".to_owned());
        }
        self.work.meter.step();
        self.look(path)
    }

    fn look(&self, path: &Path) -> WalkState {
        // Links that may be followed lead to another path, by which the file is written.
        let Ok(path) = self.work.shared.roots.resolve(path) else {
            self.passed(|passed| passed.unreadable += 1);
            return WalkState::Continue;
        };
        let text = match read_text_straight(&path, self.work.shared.options.max_file_bytes) {
            Ok((text, _)) => text,
            Err(error) => {
                self.passed(|passed| match error {
                    ReadError::Binary(_) => passed.binary += 1,
                    ReadError::TooLarge { .. } => passed.too_large += 1,
                    ReadError::NotUtf8 { .. } => passed.not_utf8 += 1,
                    // Whoever removes one between the listing and here has removed it.
                    ReadError::NotFound(_) => {}
                    _ => passed.unreadable += 1,
                });
                return WalkState::Continue;
            }
        };
        let size = text.len() as u64;
        if self.bytes.fetch_add(size, Ordering::Relaxed) + size > MOST_BYTES {
            return self.stop(format!("there is more than {} MiB to read", MOST_BYTES >> 20));
        }
        let mut found: Vec<(Range<usize>, String)> = Vec::new();
        for one in self.wanted.find(&text) {
            let (range, new) = match one {
                Ok(one) => one,
                Err(error) => {
                    let _ = self.failed.set(error);
                    return WalkState::Quit;
                }
            };
            if text.get(range.clone()) == Some(new.as_str()) {
                self.passed(|passed| passed.unchanged += 1);
                continue;
            }
            if self.found.fetch_add(1, Ordering::Relaxed) >= MOST_OCCURRENCES {
                self.stop(format!("there are more than {MOST_OCCURRENCES} occurrences"));
                break;
            }
            if self.work.stopped() || self.until.is_some_and(|until| Instant::now() >= until) {
                self.stop("the time for this call was over".to_owned());
                break;
            }
            found.push((range, new));
        }
        if !found.is_empty() {
            let hit = hit(&path, &text, found);
            self.hits.lock().unwrap_or_else(PoisonError::into_inner).push(hit);
        }
        if self.partial.get().is_some() { WalkState::Quit } else { WalkState::Continue }
    }

    fn stop(&self, why: String) -> WalkState {
        let _ = self.partial.set(why);
        WalkState::Quit
    }

    fn passed(&self, count: impl FnOnce(&mut PassedOver)) {
        count(&mut self.passed_over.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn ended(self) -> Result<Replacements, WorkspaceError> {
        if let Some(failed) = self.failed.into_inner() {
            return Err(failed.into());
        }
        let mut hits = self.hits.into_inner().unwrap_or_else(PoisonError::into_inner);
        hits.sort_unstable_by(|left, right| left.file.cmp(&right.file));
        // With links that are followed, one file may be met twice.
        hits.dedup_by(|left, right| left.file == right.file);
        let mut all = Replacements {
            passed_over: self.passed_over.into_inner().unwrap_or_else(PoisonError::into_inner),
            looked_at: self.files.into_inner(),
            partial: self.partial.into_inner(),
            hashes: BTreeMap::new(),
            ..Replacements::default()
        };
        for hit in hits {
            all.hashes.insert(hit.file, hit.hash);
            for (occurrence, stretch) in hit.occurrences {
                all.occurrences.push(occurrence);
                all.stretches.push(stretch);
            }
        }
        Ok(all)
    }
}

fn hit(path: &Path, text: &str, found: Vec<(Range<usize>, String)>) -> Hit {
    let hash = *blake3::hash(text.as_bytes()).as_bytes();
    let lines = LineTable::new(text);
    let occurrences = found.into_iter().map(|(range, new)| {
        let (before, after) = shown(text, &range, &new);
        let occurrence = Occurrence {
            id: id(path, &hash, &range),
            file: path.to_owned(),
            at: lines.position(text, range.start, Encoding::Utf16),
            before,
            after,
        };
        (occurrence, Stretch { range, new })
    });
    Hit { file: path.to_owned(), hash, occurrences: occurrences.collect() }
}

/// This very place in this very text of this very file.
fn id(path: &Path, content: &[u8; 32], range: &Range<usize>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(path.as_os_str().as_encoded_bytes());
    hasher.update(&[0]);
    hasher.update(content);
    hasher.update(&range.start.to_le_bytes());
    hasher.update(&range.end.to_le_bytes());
    hasher.finalize().to_hex().chars().take(ID_DIGITS).collect()
}

/// The lines that an occurrence stands in, before and after, cut to what people read.
fn shown(text: &str, range: &Range<usize>, new: &str) -> (String, String) {
    let (head, tail) =
        (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    let start = head.rfind('\n').map_or(head, |at| &head[at + 1..]);
    let end = tail.split('\n').next().unwrap_or_default();
    let end = end.strip_suffix('\r').unwrap_or(end);
    let from = start.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let start = if from > 0 { format!("…{}", &start[from..]) } else { start.to_owned() };
    let end = first(end, AROUND);
    let old = first(text.get(range.clone()).unwrap_or_default(), WITHIN);
    (format!("{start}{old}{end}"), format!("{start}{}{end}", first(new, WITHIN)))
}

fn first(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_around_and_cut() {
        assert_eq!(shown("one\ntwo x\r\nthree", &(8..9), "y"), ("two x".into(), "two y".into()));
        let long = format!("{}ä{}", "é".repeat(100), "ü".repeat(100));
        let (before, after) = shown(&long, &(200..202), &"n".repeat(300));
        assert_eq!(before.chars().count(), 1 + 60 + 1 + 60 + 1);
        assert!(after.contains(&"n".repeat(200)) && !after.contains(&"n".repeat(201)));
    }

    #[test]
    fn an_id_is_the_place_and_the_content() {
        let of = |path: &str, text: &str, range| {
            id(Path::new(path), blake3::hash(text.as_bytes()).as_bytes(), &range)
        };
        let one = of("/a", "text", 0..1);
        assert_eq!((one.len(), one.as_str()), (12, of("/a", "text", 0..1).as_str()));
        for other in
            [of("/b", "text", 0..1), of("/a", "texts", 0..1), of("/a", "text", 0..2), of("/a", "text", 1..2)]
        {
            assert_ne!(one, other);
        }
    }
}
