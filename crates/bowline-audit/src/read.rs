//! The trail, for those who look into it: read it through, follow it, count it, check it.
//!
//! Lines are read one at a time and a bad one never stops the reading: it is an item like any other. Nothing here
//! writes, locks or waits.

mod files;
mod filter;
mod follow;
mod histogram;
mod item;
mod lines;
mod stats;
mod tail;
mod verify;

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::filter::Filter;
pub use self::follow::Follow;
pub use self::item::{Damage, Damaged, Entry, Item};
pub use self::stats::{Stats, ToolStats};
pub use self::verify::{Findings, Integrity, Place, Verification, WriterReport};

use self::files::Files;
use self::item::items_of;
use self::lines::Lines;
use crate::names;

/// A trail: its current file, and all that were set aside before it.
#[derive(Debug, Clone)]
pub struct Trail {
    path: PathBuf,
}

impl Trail {
    /// The trail whose current file is, or will be, here.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The files there are now, oldest first. Before the first record there is not even their directory.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let rotated = match names::rotated(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            found => found?,
        };
        let mut files: Vec<_> = rotated.into_iter().map(|(_, file)| file).collect();
        if self.path.exists() {
            files.push(self.path.clone());
        }
        Ok(files)
    }

    /// Everything, oldest file first, in the order in which it was written.
    pub fn items(&self) -> Items {
        Items { files: Files::of(&self.path), now: None, ready: VecDeque::new() }
    }

    /// The records that pass, and all damaged lines.
    pub fn select(&self, filter: Filter) -> impl Iterator<Item = Item> {
        let mut left = filter.limit.unwrap_or(usize::MAX);
        // Nothing more is read once the last record has been found.
        let found =
            self.items().filter(move |item| item.entry().is_none_or(|entry| filter.passes(&entry.record)));
        found.map_while(move |item| {
            if item.entry().is_some() {
                left = left.checked_sub(1)?;
            }
            Some(item)
        })
    }

    /// The last records that pass, at most the filter's limit of them (ten, where it has none), oldest first, with the
    /// damaged lines between them. Reads from the end, and no more than it needs.
    pub fn tail(&self, filter: &Filter) -> Vec<Item> {
        tail::tail(&self.path, filter)
    }

    /// What will be appended from now on.
    pub fn follow(&self) -> Follow {
        Follow::from_end(self.path.clone())
    }

    /// The trail in numbers, as far as its records pass.
    pub fn stats(&self, filter: Filter) -> Stats {
        Stats::of(self.files().map_or(0, |files| files.len()), self.select(filter))
    }

    /// Whether everything that was written is still there, and nothing else.
    pub fn verify(&self) -> Verification {
        Verification::of(self.items())
    }
}

/// Everything in a trail, one item at a time.
pub struct Items {
    files: Files,
    now: Option<(Arc<Path>, Lines<File>)>,
    ready: VecDeque<Item>,
}

impl Iterator for Items {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            let Some((path, lines)) = &mut self.now else {
                match self.files.next()? {
                    Ok((path, file)) => self.now = Some((path.into(), Lines::new(file, 0))),
                    Err(damaged) => return Some(Item::Damaged(damaged)),
                }
                continue;
            };
            match lines.next() {
                Ok(Some(line)) => self.ready.extend(items_of(path, &line)),
                Ok(None) => self.now = None,
                Err(error) => {
                    self.ready.push_back(Item::Damaged(Damaged::unreadable(path, &error)));
                    self.now = None;
                }
            }
        }
    }
}
