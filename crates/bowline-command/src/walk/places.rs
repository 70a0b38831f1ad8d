//! Where commands run, and where a path leads from there.

use std::path::{Component, Path, PathBuf};

/// More directories than this are not kept apart.
const MOST: usize = 8;

/// Every directory that a command may run in. A `cd` may fail, so it adds one and takes none away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    known: Vec<PathBuf>,
    /// It may be anywhere else, too.
    pub(super) is_lost: bool,
}

impl Places {
    /// Paths stay relative where nobody knows the directory.
    pub(super) fn new(cwd: Option<&Path>) -> Self {
        Self { known: vec![cwd.unwrap_or(Path::new("")).to_path_buf()], is_lost: false }
    }

    /// The one directory, if there is no other and it has a full name.
    pub(super) fn only(&self) -> Option<&Path> {
        match self.known.as_slice() {
            [one] if !self.is_lost && one.is_absolute() => Some(one),
            _ => None,
        }
    }

    pub(super) fn known(&self) -> impl Iterator<Item = &Path> {
        self.known.iter().map(PathBuf::as_path).filter(|place| place.is_absolute())
    }

    /// Only what lies in this directory, seen from here.
    pub(super) fn within(&self, target: &str) -> Self {
        if self.is_full() {
            return self.clone();
        }
        let mut moved = Self { known: Vec::new(), is_lost: self.is_lost };
        for place in &self.known {
            let joined = clean(&place.join(target));
            moved.add(lexical(&joined));
            moved.add(joined);
        }
        moved
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.is_lost |= other.is_lost;
        if self.is_full() {
            return;
        }
        for place in &other.known {
            self.add(place.clone());
        }
    }

    /// More is known than can be kept: whatever is written from here on is in doubt anyway.
    fn is_full(&self) -> bool {
        self.is_lost && self.known.len() == MOST
    }

    fn add(&mut self, place: PathBuf) {
        if self.known.contains(&place) {
            return;
        }
        if self.known.len() == MOST {
            self.is_lost = true;
        } else {
            self.known.push(place);
        }
    }

    /// Every place that this path may lead to. Never empty.
    pub(super) fn paths(&self, path: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = Vec::new();
        let bare = self.is_lost.then(|| clean(path));
        for place in self.known.iter().map(|place| clean(&place.join(path))).chain(bare) {
            if !paths.contains(&place) {
                paths.push(place);
            }
        }
        paths
    }
}

/// Without `.` and doubled slashes. A `..` stays: what stands before it may be a link.
fn clean(path: &Path) -> PathBuf {
    let cleaned: PathBuf = path.components().collect();
    if cleaned.as_os_str().is_empty() { PathBuf::from(".") } else { cleaned }
}

/// As `cd` reckons: `..` takes away the name before it.
pub(super) fn lexical(path: &Path) -> PathBuf {
    let mut made = PathBuf::new();
    for part in path.components() {
        let is_popped = part == Component::ParentDir
            && matches!(made.components().next_back(), Some(Component::Normal(_)));
        if is_popped {
            made.pop();
        } else if !(part == Component::ParentDir && made.has_root()) {
            made.push(part);
        }
    }
    if made.as_os_str().is_empty() { PathBuf::from(".") } else { made }
}
