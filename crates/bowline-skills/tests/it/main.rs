//! Skills, from outside: a directory with a few files goes in, a list, a text or a report comes out.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests make and damage files on purpose, and fail by panicking"
)]

mod cases;
mod hostile;
mod library;
mod reference;
mod stores;
mod validation;

use std::path::{Path, PathBuf};

use bowline_skills::{Catalogue, FileSystemStore, Reading, Scope};

/// A directory of skills that is gone when it is dropped.
struct Skills {
    _keep: tempfile::TempDir,
    root: PathBuf,
}

impl Skills {
    fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// In memory, where the system has a place for it: for very many files.
    fn many() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(keep: tempfile::TempDir) -> Self {
        let root = keep.path().canonicalize().unwrap().join("skills");
        std::fs::create_dir(&root).unwrap();
        Self { _keep: keep, root }
    }

    /// With good skills of these names.
    fn with(names: &[&str]) -> Self {
        let skills = Self::new();
        for name in names {
            skills.good(name);
        }
        skills
    }

    fn good(&self, name: &str) {
        self.write(&format!("{name}/SKILL.md"), head(name, ""));
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn link(&self, path: &str, to: impl AsRef<Path>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    }

    fn store(&self, reading: Reading) -> FileSystemStore {
        self.store_of(Scope::User, reading)
    }

    fn store_of(&self, scope: Scope, reading: Reading) -> FileSystemStore {
        FileSystemStore::new([(self.root.clone(), scope)], reading)
    }
}

/// A good head with more lines, and a body.
fn head(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}. Use it for {name}.\n{more}---\n# {name}\n")
}

fn names(catalogue: &Catalogue) -> Vec<&str> {
    catalogue.skills.iter().map(|skill| skill.name.as_str()).collect()
}

/// Everything a catalogue says, the directory left out.
fn said(catalogue: &Catalogue, root: &Path) -> Vec<String> {
    let root = root.display().to_string();
    let rejected =
        catalogue.rejected.iter().flat_map(|r| r.findings.iter().map(|f| format!("! {}: {f}", r.place)));
    let warned = catalogue.warnings.iter().map(|(place, f)| format!("? {place}: {f}"));
    let shadowed =
        catalogue.shadowed.iter().map(|s| format!("= {} {:?}: {} by {}", s.name, s.scope, s.hidden, s.by));
    rejected.chain(warned).chain(shadowed).map(|line| line.replace(&root, "")).collect()
}
