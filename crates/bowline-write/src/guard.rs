//! Places that are never written to, whatever the roots are: the writer's own directory, and what else belongs to
//! bowline. Whoever could write there could have other rules apply.

use std::path::{Path, PathBuf};

/// As many links in a row as Linux follows.
const HOPS: usize = 40;

/// Files, and directories with all that is below them, as they were named.
#[derive(Debug)]
pub(crate) struct Guard(Vec<PathBuf>);

/// Where they really are at this moment.
#[derive(Debug)]
pub(crate) struct Guarded(Vec<PathBuf>);

impl Guard {
    pub(crate) fn new(state: &Path) -> Self {
        Self(vec![state.to_owned()])
    }

    pub(crate) fn add(&mut self, paths: Vec<PathBuf>) {
        self.0.extend(paths);
    }

    /// Asked anew for every write: what was not there yet, or was a link, may have become something else.
    pub(crate) fn now(&self) -> Guarded {
        Guarded(self.0.iter().flat_map(|path| [folded(path), folded(&real(path, HOPS))]).collect())
    }
}

impl Guarded {
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let path = folded(path);
        self.0.iter().any(|guarded| path.starts_with(guarded))
    }
}

/// Without links, also where the last parts do not exist yet.
fn real(path: &Path, hops: usize) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else { return absolute };
    match absolute.read_link() {
        // It leads to what somebody may yet make.
        Ok(target) if hops > 0 => real(&parent.join(target), hops - 1),
        _ => real(parent, hops).join(name),
    }
}

/// Some file systems do not tell `A` from `a`; there, both are the same place.
fn folded(path: &Path) -> PathBuf {
    path.to_string_lossy().to_lowercase().into()
}
