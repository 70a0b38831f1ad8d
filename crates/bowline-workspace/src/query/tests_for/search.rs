//! From a file to its users and on to theirs, until tests are met. So much is read, and no more.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use super::{KnownBy, TestFile, is_test_file};
use crate::workspace::Work;
use crate::{Document, WorkspaceError};

/// So many files are read for one question.
const MOST_READ: usize = 5000;
/// So much of them.
const MOST_BYTES: u64 = 128 << 20;

pub(super) struct Search<'a> {
    pub(super) work: &'a Work,
    pub(super) project: &'a Path,
    /// What the workspace is made of: others that are met on the way are no answer.
    files: HashSet<PathBuf>,
    tests: BTreeMap<PathBuf, (usize, KnownBy)>,
    read: usize,
    bytes: u64,
    is_whole: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(work: &'a Work, project: &'a Path, files: HashSet<PathBuf>) -> Self {
        Self { work, project, files, tests: BTreeMap::new(), read: 0, bytes: 0, is_whole: true }
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter()
    }

    pub(super) fn is_test(&self, path: &Path) -> bool {
        is_test_file(path.strip_prefix(self.project).unwrap_or(path))
    }

    /// The text of a file on the way. `None`: it cannot be read, or enough has been.
    pub(super) fn read(&mut self, path: &Path) -> Result<Option<Document>, WorkspaceError> {
        if self.work.stopped() {
            return Err(WorkspaceError::Cancelled);
        }
        if self.read >= MOST_READ || self.bytes >= MOST_BYTES {
            self.is_whole = false;
            return Ok(None);
        }
        self.read += 1;
        // A file that cannot be read brings in nothing.
        let document = self.work.read_in_passing(path).ok();
        self.bytes += document.as_ref().map_or(0, |document| document.text().len() as u64);
        Ok(document)
    }

    pub(super) fn found(&mut self, path: &Path, known_by: KnownBy) {
        self.note(path, 0, known_by);
    }

    fn note(&mut self, path: &Path, steps: usize, known_by: KnownBy) {
        if self.files.contains(path) {
            self.tests.entry(path.to_owned()).or_insert((steps, known_by));
        }
    }

    /// Goes on from file to file; `users` tells who uses one. Whoever uses the first uses the source.
    pub(super) fn follow(
        &mut self,
        from: &[PathBuf],
        directly: &KnownBy,
        most_steps: usize,
        mut users: impl FnMut(&mut Self, &Path) -> Result<Vec<PathBuf>, WorkspaceError>,
    ) -> Result<(), WorkspaceError> {
        let source = from.first().cloned().unwrap_or_default();
        let mut seen: HashSet<PathBuf> = from.iter().cloned().collect();
        let mut frontier = from.to_vec();
        for steps in 1..=most_steps {
            let mut next = Vec::new();
            for reached in std::mem::take(&mut frontier) {
                for user in users(self, &reached)? {
                    if !seen.insert(user.clone()) {
                        continue;
                    }
                    if self.is_test(&user) {
                        let known_by = if reached == source {
                            directly.clone()
                        } else {
                            KnownBy::Through(reached.clone())
                        };
                        self.note(&user, steps, known_by);
                    }
                    next.push(user);
                }
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        Ok(())
    }

    /// What was found, nearest first, and whether that is all there is to find.
    pub(super) fn ended(self) -> (Vec<TestFile>, bool) {
        let mut tests: Vec<_> = self.tests.into_iter().collect();
        let rank = |known_by: &KnownBy| match known_by {
            KnownBy::Itself => 0,
            KnownBy::Imports | KnownBy::UsesNames => 1,
            KnownBy::Through(_) => 2,
            KnownBy::NamedAfter => 3,
        };
        tests.sort_by_key(|(_, (steps, known_by))| (rank(known_by), *steps));
        let tests = tests.into_iter().map(|(path, (_, known_by))| TestFile { path, known_by }).collect();
        (tests, self.is_whole)
    }
}
