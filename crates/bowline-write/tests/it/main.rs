//! The writer as others see it: what lies on disk after what happened.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]
#![expect(clippy::disallowed_methods, reason = "a test prepares and looks at its own files")]

mod attributes;
mod concurrent;
mod guarding;
mod hostile;
mod many;
mod races;
mod recovery;
mod refusing;
mod undo;
mod writing;

use std::path::{Path, PathBuf};

use bowline_write::{Change, ContentHash, Limits, Plan, Receipt, WriteError, Writer};

/// A project and the writer's own directory beside it.
struct Place {
    keep: tempfile::TempDir,
    root: PathBuf,
    state: PathBuf,
}

impl Place {
    fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// Where nothing waits for a disk, so that more can happen at once.
    fn in_memory() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(keep: tempfile::TempDir) -> Self {
        let dir = keep.path().canonicalize().unwrap();
        std::fs::create_dir(dir.join("project")).unwrap();
        Self { root: dir.join("project"), state: dir.join("state"), keep }
    }

    fn writer(&self) -> Writer {
        Writer::new(vec![self.root.clone()], self.state.clone())
    }

    fn limited(&self, limits: Limits) -> Writer {
        Writer::with_limits(vec![self.root.clone()], self.state.clone(), limits)
    }

    /// A file of the project with this content.
    fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.root.join(name)).unwrap()).unwrap()
    }

    /// Everything below the project, sorted; directories end with a slash.
    fn tree(&self) -> Vec<String> {
        let mut all = Vec::new();
        list(&self.root, &self.root, &mut all);
        all.sort();
        all
    }

    /// What the writer has in one part of its own directory.
    fn names(&self, part: &str) -> Vec<String> {
        let Ok(entries) = self.state.join(part).read_dir() else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn list(root: &Path, dir: &Path, all: &mut Vec<String>) {
    for entry in dir.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if path.is_dir() && !path.is_symlink() {
            all.push(format!("{name}/"));
            list(root, &path, all);
        } else {
            all.push(name);
        }
    }
}

fn hash(text: impl AsRef<[u8]>) -> ContentHash {
    ContentHash::of(text.as_ref())
}

fn plan(changes: impl IntoIterator<Item = Change>) -> Plan {
    Plan { label: "test".to_owned(), undoes: None, changes: changes.into_iter().collect() }
}

fn write(writer: &Writer, changes: impl IntoIterator<Item = Change>) -> Result<Receipt, WriteError> {
    writer.write(plan(changes), &|_| true)
}

/// Why it was refused, with the place taken out of the text.
fn refusal(place: &Place, changes: impl IntoIterator<Item = Change>) -> String {
    let before = place.tree();
    let text = write(&place.writer(), changes).unwrap_err().to_string();
    assert_eq!(place.tree(), before, "a refused write left something behind");
    assert_eq!(place.names("journal"), [""; 0]);
    text.replace(&place.root.display().to_string(), "").replace(&place.keep.path().display().to_string(), "")
}
