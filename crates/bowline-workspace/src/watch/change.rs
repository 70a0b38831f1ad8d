//! What changed on disk, one entry per path however often it changed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::WatchOptions;

/// More than this is not kept for somebody who does not come for it.
const MOST: usize = 50_000;

/// One file that changed. A directory is named only when it is gone, with everything that was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: PathBuf,
    pub kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Created,
    Changed,
    /// Also what was created and removed again before anybody asked.
    Deleted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes {
    /// These and no others, in the order of their paths: a directory that is gone comes before what was put in its
    /// place.
    Known(Vec<Change>),
    /// Something was missed: every file may have changed, come or gone.
    Lost,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Known(changes) if changes.is_empty())
    }
}

/// What became of a path since changes were last taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Created,
    Changed,
    Deleted,
    /// It was not there before, and is not there now.
    Passed,
    /// A directory that was not there before. Its files speak for it.
    Arrived,
}

impl Fate {
    fn then(self, next: ChangeKind) -> Self {
        match (self, next) {
            (Self::Created | Self::Passed | Self::Arrived, ChangeKind::Deleted) => Self::Passed,
            (Self::Created | Self::Passed | Self::Arrived, _) => Self::Created,
            (Self::Changed | Self::Deleted, ChangeKind::Deleted) => Self::Deleted,
            (Self::Changed | Self::Deleted, _) => Self::Changed,
        }
    }

    fn kind(self) -> Option<ChangeKind> {
        match self {
            Self::Created => Some(ChangeKind::Created),
            Self::Changed => Some(ChangeKind::Changed),
            Self::Deleted | Self::Passed => Some(ChangeKind::Deleted),
            Self::Arrived => None,
        }
    }
}

impl From<ChangeKind> for Fate {
    fn from(kind: ChangeKind) -> Self {
        match kind {
            ChangeKind::Created => Self::Created,
            ChangeKind::Changed => Self::Changed,
            ChangeKind::Deleted => Self::Deleted,
        }
    }
}

/// The changes that nobody has taken yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    paths: BTreeMap<PathBuf, Fate>,
    lost: bool,
    since: Option<Since>,
}

#[derive(Debug, Clone, Copy)]
struct Since {
    first: Instant,
    last: Instant,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.since.is_none()
    }

    pub(super) fn add(&mut self, path: PathBuf, kind: ChangeKind) {
        self.touch();
        if self.lost {
            return;
        }
        if kind == ChangeKind::Deleted {
            self.remove_below(&path);
        }
        self.set(path, |before| before.map_or(kind.into(), |before| before.then(kind)));
    }

    /// A directory was found that nobody knew.
    pub(super) fn arrived(&mut self, directory: PathBuf) {
        if !self.lost {
            self.set(directory, |before| match before {
                None | Some(Fate::Passed) => Fate::Arrived,
                Some(before) => before,
            });
        }
    }

    /// Nothing that was told of a directory can be relied on. If nobody has heard it yet, it is as if it had not been
    /// told.
    pub(super) fn replaced(&mut self, directory: PathBuf) {
        if self.paths.get(&directory) == Some(&Fate::Arrived) {
            self.remove_below(&directory);
        } else {
            self.add(directory, ChangeKind::Deleted);
        }
    }

    /// From now on, until they are taken, the changes are not known.
    pub(super) fn lose(&mut self) {
        self.touch();
        self.lost = true;
        self.paths.clear();
    }

    /// When they are to be told, if there are any.
    pub(super) fn due(&self, options: &WatchOptions) -> Option<Instant> {
        self.since.map(|since| (since.last + options.debounce()).min(since.first + options.max_delay()))
    }

    pub(super) fn take(&mut self) -> Changes {
        let taken = std::mem::take(self);
        if taken.lost {
            return Changes::Lost;
        }
        let change = |(path, fate): (PathBuf, Fate)| Some(Change { path, kind: fate.kind()? });
        Changes::Known(taken.paths.into_iter().filter_map(change).collect())
    }

    fn set(&mut self, path: PathBuf, fate: impl FnOnce(Option<Fate>) -> Fate) {
        match self.paths.entry(path) {
            Entry::Occupied(mut entry) => *entry.get_mut() = fate(Some(*entry.get())),
            Entry::Vacant(entry) => {
                entry.insert(fate(None));
            }
        }
        if self.paths.len() > MOST {
            self.lose();
        }
    }

    fn touch(&mut self) {
        let last = Instant::now();
        let first = self.since.map_or(last, |since| since.first);
        self.since = Some(Since { first, last });
    }

    /// What was in a directory that is gone has gone with it. Paths are ordered by their parts, so that it all stands
    /// in one row.
    fn remove_below(&mut self, directory: &Path) {
        let from = (Bound::Excluded(directory), Bound::Unbounded);
        let below = self.paths.range::<Path, _>(from).map(|(path, _)| path);
        let gone: Vec<_> = below.take_while(|path| path.starts_with(directory)).cloned().collect();
        for path in gone {
            self.paths.remove(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ChangeKind::{Changed, Created, Deleted};
    use super::*;

    fn taken(pending: &mut Pending) -> String {
        match pending.take() {
            Changes::Lost => "lost".to_owned(),
            Changes::Known(changes) => {
                let write = |change: &Change| format!("{:?} {}", change.kind, change.path.display());
                changes.iter().map(write).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn after(kinds: &[ChangeKind]) -> ChangeKind {
        let mut pending = Pending::default();
        for kind in kinds {
            pending.add("/a".into(), *kind);
        }
        let Changes::Known(changes) = pending.take() else { panic!() };
        changes[0].kind
    }

    #[test]
    fn many_changes_of_a_path_are_one() {
        assert_eq!(after(&[Created, Changed, Changed]), Created);
        assert_eq!(after(&[Created, Changed, Deleted]), Deleted);
        assert_eq!(after(&[Created, Deleted, Created]), Created);
        assert_eq!(after(&[Changed, Created]), Changed);
        assert_eq!(after(&[Changed, Deleted]), Deleted);
        assert_eq!(after(&[Deleted, Created]), Changed);
        assert_eq!(after(&[Deleted, Created, Deleted]), Deleted);
    }

    #[test]
    fn a_directory_takes_its_files_with_it_and_not_its_neighbours() {
        let mut pending = Pending::default();
        for path in ["/d/a", "/d/e/b", "/d.rs", "/d", "/da"] {
            pending.add(path.into(), Created);
        }
        pending.add("/d".into(), Deleted);
        pending.add("/d/new".into(), Created);
        assert_eq!(taken(&mut pending), "Deleted /d, Created /d/new, Created /d.rs, Created /da");
        assert!(pending.is_empty());
        assert_eq!(pending.take(), Changes::Known(Vec::new()));
    }

    #[test]
    fn a_new_directory_is_told_by_its_files_alone() {
        let mut pending = Pending::default();
        pending.arrived("/d".into());
        assert!(pending.is_empty());
        pending.add("/d/a".into(), Created);
        pending.replaced("/d".into());
        pending.add("/d/b".into(), Created);
        assert_eq!(taken(&mut pending), "Created /d/b");
        pending.replaced("/d".into());
        pending.arrived("/d".into());
        pending.add("/d/b".into(), Created);
        assert_eq!(taken(&mut pending), "Deleted /d, Created /d/b");
        pending.arrived("/d".into());
        pending.add("/d".into(), Deleted);
        assert_eq!(taken(&mut pending), "Deleted /d");
    }

    #[test]
    fn what_is_lost_stays_lost_until_it_is_taken() {
        let mut pending = Pending::default();
        pending.lose();
        pending.add("/a".into(), Created);
        assert!(!pending.is_empty());
        assert_eq!(taken(&mut pending), "lost");
        pending.add("/a".into(), Created);
        assert_eq!(taken(&mut pending), "Created /a");
    }

    #[test]
    fn more_than_anybody_takes_is_lost() {
        let mut pending = Pending::default();
        for number in 0..=MOST {
            pending.add(format!("/{number}").into(), Created);
        }
        assert_eq!(taken(&mut pending), "lost");
    }

    #[test]
    fn is_due_when_quiet_and_in_any_case_after_a_while() {
        let options = WatchOptions { debounce_ms: 100, max_delay_ms: 250, ..WatchOptions::default() };
        let mut pending = Pending::default();
        assert_eq!(pending.due(&options), None);
        pending.add("/a".into(), Created);
        let Some(since) = &mut pending.since else { panic!() };
        since.last += options.debounce();
        let Since { first, last } = *since;
        assert_eq!(pending.due(&options), Some(last + options.debounce()));
        if let Some(since) = &mut pending.since {
            since.last = first + options.max_delay();
        }
        assert_eq!(pending.due(&options), Some(first + options.max_delay()));
    }
}
