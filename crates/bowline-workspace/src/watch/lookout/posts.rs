//! The directories that are watched, no more of them than allowed.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::watch::coverage::Gap;
use crate::watch::source::{Refusal, Source};

pub(super) struct Posts {
    source: Source,
    most: usize,
    /// Ordered by the parts of their paths: what is in a directory follows it.
    directories: BTreeSet<PathBuf>,
    /// The system has said that there are no more.
    exhausted: bool,
}

/// What came of posting a watch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Posted {
    Now,
    Before,
    /// It is gone, or we may not read it.
    NotForUs,
    No(Gap),
    /// There is no watcher any more.
    Ended(String),
}

impl Posts {
    pub(super) fn new(source: Source, most: usize) -> Self {
        Self { source, most, directories: BTreeSet::new(), exhausted: false }
    }

    pub(super) fn len(&self) -> usize {
        self.directories.len()
    }

    pub(super) fn contains(&self, directory: &Path) -> bool {
        self.directories.contains(directory)
    }

    pub(super) fn post(&mut self, directory: &Path) -> Posted {
        if self.contains(directory) {
            return Posted::Before;
        }
        if self.exhausted {
            return Posted::No(Gap::SystemLimit);
        }
        if self.len() >= self.most {
            return Posted::No(Gap::TooMany { most: self.most });
        }
        match self.source.watch(directory) {
            Ok(()) => {
                self.directories.insert(directory.to_owned());
                Posted::Now
            }
            Err(Refusal::NotForUs) => {
                tracing::debug!(path = %directory.display(), "not watched");
                Posted::NotForUs
            }
            Err(Refusal::Limit) => {
                self.exhausted = true;
                Posted::No(Gap::SystemLimit)
            }
            Err(Refusal::Failed(reason)) => {
                Posted::No(Gap::Unwatchable { path: directory.to_owned(), reason })
            }
            Err(Refusal::Ended(reason)) => Posted::Ended(reason),
        }
    }

    /// Watches a directory of our own. Whether it can be.
    pub(super) fn post_apart(&mut self, directory: &Path) -> bool {
        self.source.watch(directory).is_ok()
    }

    /// Watches a directory, and what was in it, no longer. Says how many these were.
    ///
    /// The system's watcher has mostly seen to it. But if one was moved, and found in its new place before we were told,
    /// two paths share one watch: the old one must not live on to take the new one with it when it ends.
    pub(super) fn take_down(&mut self, directory: &Path) -> usize {
        let from = (Bound::Included(directory), Bound::Unbounded);
        let below = self.directories.range::<Path, _>(from).take_while(|path| path.starts_with(directory));
        let gone: Vec<PathBuf> = below.cloned().collect();
        for path in &gone {
            self.directories.remove(path);
            self.source.unwatch(path);
        }
        gone.len()
    }
}
