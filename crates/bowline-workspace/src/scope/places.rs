//! What the languages share: reading a bounded number of files, and naming places that lie within the project.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use bowline_std::fs::read_bounded;

/// So many files of a package are read for what they import.
pub(super) const MOST_READ: usize = 2000;
/// So many places a scope has at most.
pub(super) const MOST_PLACES: usize = 64;
/// Larger files are not written by hand, and what they import does not matter.
const MOST_BYTES: u64 = 1 << 20;
/// So many entries of directories are looked at.
const MOST_ENTRIES: usize = 50_000;
/// What is fetched or built is nobody's package.
const LEFT_OUT: [&str; 7] =
    ["node_modules", "__pycache__", "venv", "site-packages", "target", "dist", "build"];

/// Reads the files of one project, and no others.
pub(super) struct Reader {
    root: PathBuf,
    read: usize,
    looked_at: usize,
}

impl Reader {
    /// `None`, if there is no such directory.
    pub(super) fn new(root: &Path) -> Option<Self> {
        Some(Self { root: root.canonicalize().ok()?, read: 0, looked_at: 0 })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where a path leads, if that is below the root.
    pub(super) fn inside(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok().filter(|real| real.starts_with(&self.root))
    }

    /// The text of a file, whatever bytes are in it.
    pub(super) fn text(&mut self, file: &Path) -> Option<String> {
        if self.read >= MOST_READ {
            return None;
        }
        self.read += 1;
        let (bytes, _) = read_bounded(file, MOST_BYTES).ok()?;
        Some(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    /// The files below a directory whose names fit, in order. Links are not followed. `enter` says which directories are
    /// looked into.
    pub(super) fn files(
        &mut self,
        directory: &Path,
        fits: &dyn Fn(&Path) -> bool,
        enter: &dyn Fn(&Path) -> bool,
    ) -> Vec<PathBuf> {
        let (mut files, mut waiting) = (Vec::new(), vec![directory.to_owned()]);
        while let Some(directory) = waiting.pop() {
            let Ok(entries) = directory.read_dir() else { continue };
            for entry in entries.flatten() {
                self.looked_at += 1;
                if self.looked_at >= MOST_ENTRIES || files.len() >= MOST_READ {
                    files.sort_unstable();
                    return files;
                }
                let (path, name) = (entry.path(), entry.file_name());
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_file() && fits(&path) {
                    files.push(path);
                } else if kind.is_dir() && !is_left_out(&name.to_string_lossy()) && enter(&path) {
                    waiting.push(path);
                }
            }
        }
        files.sort_unstable();
        files
    }

    /// Places as a scope names them. The package comes first if there are too many.
    pub(super) fn relative(&self, package: Vec<PathBuf>, used: BTreeSet<PathBuf>) -> Vec<String> {
        let mut places: Vec<String> = Vec::new();
        for path in package.into_iter().chain(used) {
            let Some(place) = self.place(&path) else { continue };
            let lies_in = |outer: &str, inner: &str| {
                inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
            };
            if places.len() >= MOST_PLACES || places.iter().any(|known| lies_in(known, &place)) {
                continue;
            }
            places.retain(|known| !lies_in(&place, known));
            places.push(place);
        }
        places.sort_unstable();
        places
    }

    /// A path below the root in the words of a scope. One that is no text has none.
    pub(super) fn place(&self, path: &Path) -> Option<String> {
        let relative = path.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = relative
            .components()
            .map(|part| match part {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("/"))
    }
}

fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || LEFT_OUT.contains(&name)
}

/// A path without `.` and `..`, as it is written. `None`: it leads above the top.
pub(super) fn normalized(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            other => normal.push(other),
        }
    }
    Some(normal)
}
