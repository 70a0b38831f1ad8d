//! What is appended after a moment, asked for again and again. How long to wait in between is the asker's business.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::open;
use super::item::{Damaged, Item, items_of};
use super::lines::{Backward, End, Lines};
use crate::names::{self, Identity};

/// How many items one poll gives at most.
const BATCH: usize = 1000;

/// A place in the trail that moves on with it.
pub struct Follow {
    path: PathBuf,
    /// The file before the current one. A writer that had already looked when it was set aside may still append to it.
    previous: Option<Reading>,
    current: Option<Reading>,
}

struct Reading {
    path: Arc<Path>,
    file: File,
    identity: Identity,
    /// Everything before has been given out. A line always begins here.
    offset: u64,
}

impl Follow {
    pub(super) fn from_end(path: PathBuf) -> Self {
        let current = Reading::begin(&path).and_then(Reading::skip_to_end).ok();
        Self { path, previous: None, current }
    }

    /// What has been appended since the last poll, at most a thousand items. An unfinished line is left for the next
    /// poll.
    pub fn poll(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some(previous) = &mut self.previous {
            previous.read(&mut items);
        }
        while items.len() < BATCH {
            // Looked up before reading: what the file holds when it is no longer the current one is all it will get.
            let moved = self.has_moved();
            if let Some(current) = &mut self.current {
                current.read(&mut items);
            }
            if !moved || items.len() >= BATCH || !self.advance() {
                break;
            }
        }
        items
    }

    fn has_moved(&self) -> bool {
        let Some(current) = &self.current else { return true };
        fs::metadata(&self.path).map_or(true, |metadata| Identity::of(&metadata) != current.identity)
    }

    /// On to the next file, if there is one yet.
    fn advance(&mut self) -> bool {
        let Ok(next) = Reading::begin(&self.next_path()) else {
            return false;
        };
        if self.current.as_ref().is_some_and(|current| current.identity == next.identity) {
            return false;
        }
        self.previous = self.current.replace(next);
        true
    }

    /// The file after the one that is being read: the next that was set aside, or the current one.
    fn next_path(&self) -> PathBuf {
        let rotated = names::rotated(&self.path).unwrap_or_default();
        let is_ours = |path: &Path| {
            let found = fs::metadata(path).ok().map(|metadata| Identity::of(&metadata));
            found.is_some() && found == self.current.as_ref().map(|current| current.identity)
        };
        let ours = rotated.iter().position(|(_, path)| is_ours(path));
        let next = ours.and_then(|index| rotated.get(index + 1));
        next.map_or_else(|| self.path.clone(), |(_, path)| path.clone())
    }
}

impl Reading {
    fn begin(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        let identity = Identity::of(&file.metadata()?);
        Ok(Self { path: path.into(), file, identity, offset: 0 })
    }

    /// To the end of the last whole line.
    fn skip_to_end(mut self) -> io::Result<Self> {
        let last = Backward::new(self.file.try_clone()?)?.next()?;
        self.offset = last.map_or(0, |line| if line.end == End::Newline { line.next } else { line.offset });
        Ok(self)
    }

    fn read(&mut self, items: &mut Vec<Item>) {
        if let Err(error) = self.try_read(items) {
            items.push(Item::Damaged(Damaged::unreadable(&self.path, &error)));
        }
    }

    fn try_read(&mut self, items: &mut Vec<Item>) -> io::Result<()> {
        if self.file.metadata()?.len() < self.offset {
            // Somebody emptied it.
            self.offset = 0;
        }
        self.file.seek(SeekFrom::Start(self.offset))?;
        let mut lines = Lines::new(&self.file, self.offset);
        while items.len() < BATCH
            && let Some(line) = lines.next()?
        {
            if line.end == End::File {
                break;
            }
            self.offset = line.next;
            items.extend(items_of(&self.path, &line));
        }
        Ok(())
    }
}
