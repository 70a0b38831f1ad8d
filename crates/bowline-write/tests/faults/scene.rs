//! A project of eighteen files, and the plan that changes seventeen, removes one and makes two.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bowline_write::{Change, ContentHash, Outcome, Plan, Recovered, Writer};

/// Everything below a directory, by path; None for a directory.
pub(crate) type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

pub(crate) struct Scene {
    keep: tempfile::TempDir,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    AllOld,
    AllNew,
}

impl Scene {
    /// In memory where that can be had: a sweep syncs many thousand times.
    pub(crate) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let keep = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap();
        Self { keep }
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.keep.path().canonicalize().unwrap()
    }

    /// Makes everything as it was in the beginning.
    pub(crate) fn reset(&self) {
        let mut tree = Tree::new();
        tree.extend(old().into_iter().map(|(path, bytes)| (Path::new("project").join(path), bytes)));
        tree.insert("project".into(), None);
        self.restore(&tree);
    }

    pub(crate) fn snapshot(&self) -> Tree {
        read(&self.dir())
    }

    pub(crate) fn restore(&self, tree: &Tree) {
        use std::os::unix::fs::DirBuilderExt;
        let dir = self.dir();
        for entry in dir.read_dir().unwrap() {
            std::fs::remove_dir_all(entry.unwrap().path()).unwrap();
        }
        for (path, bytes) in tree {
            match bytes {
                Some(bytes) => std::fs::write(dir.join(path), bytes).unwrap(),
                None => std::fs::DirBuilder::new().mode(0o700).create(dir.join(path)).unwrap(),
            }
        }
    }

    /// By the bytes of the files alone, whatever else lies beside them.
    pub(crate) fn files(&self) -> Result<State, String> {
        let mut tree = read(&self.dir().join("project"));
        tree.retain(|path, bytes| bytes.is_some() && !path.display().to_string().contains(".bowline-"));
        let only_files = |mut tree: Tree| {
            tree.retain(|_, bytes| bytes.is_some());
            tree
        };
        judge(&tree, &only_files(old()), &only_files(new()))
    }

    /// By everything that lies in the project.
    pub(crate) fn everything(&self) -> Result<State, String> {
        judge(&read(&self.dir().join("project")), &old(), &new())
    }

    /// Recovers, and sees that nothing is left: no litter, no journal, a receipt if and only if all is new.
    pub(crate) fn settle(&self) -> Result<(State, Vec<Recovered>), String> {
        let writer = writer(&self.dir());
        let recovered = writer.recover().map_err(|error| error.to_string())?;
        for one in &recovered {
            if !matches!(one.outcome, Outcome::RolledBack | Outcome::Finished) || !one.conflicts.is_empty() {
                return Err(format!("{one:?}"));
            }
        }
        let state = self.everything()?;
        let count = |part: &str| self.dir().join("state").join(part).read_dir().map_or(0, Iterator::count);
        let receipts = writer.receipts().map_err(|error| error.to_string())?.len();
        let found = [count("journal"), count("kept"), count("packs"), count("receipts"), receipts];
        let wanted = usize::from(state == State::AllNew);
        if found != [0, 0, wanted, wanted, wanted] {
            return Err(format!("{state:?}, but journal, kept, packs, receipts, known: {found:?}"));
        }
        let again = writer.recover().map_err(|error| error.to_string())?;
        if again.is_empty() { Ok((state, recovered)) } else { Err(format!("recovered again: {again:?}")) }
    }
}

pub(crate) fn writer(dir: &Path) -> Writer {
    Writer::new(vec![dir.join("project")], dir.join("state"))
}

pub(crate) fn plan(dir: &Path) -> Plan {
    let (old, new) = (old(), new());
    let files = old.iter().chain(&new).filter(|(_, bytes)| bytes.is_some());
    let paths: std::collections::BTreeSet<&PathBuf> = files.map(|(path, _)| path).collect();
    let bytes = |tree: &Tree, path: &PathBuf| tree.get(path).cloned().flatten();
    let change = |path: &PathBuf| Change {
        before: bytes(&old, path).map(|bytes| ContentHash::of(&bytes)),
        after: bytes(&new, path),
        ..Change::create(dir.join("project").join(path), "")
    };
    Plan { label: "faults".to_owned(), undoes: None, changes: paths.into_iter().map(change).collect() }
}

fn old() -> Tree {
    let mut tree: Tree = (0..17).map(|n| (file(n), Some(format!("old {n}\r\n").into_bytes()))).collect();
    tree.extend(["a", "b", "b/c"].map(|dir| (dir.into(), None)));
    tree.insert("removed.rs".into(), Some(b"old".to_vec()));
    tree
}

fn new() -> Tree {
    let mut tree = old();
    tree.extend((0..17).map(|n| (file(n), Some(format!("new {n}, and longer\n").into_bytes()))));
    tree.remove(Path::new("removed.rs"));
    tree.extend(["new", "new/deep"].map(|dir| (dir.into(), None)));
    tree.extend(["new/one.rs", "new/deep/two.rs"].map(|name| (name.into(), Some(b"new".to_vec()))));
    tree
}

fn file(n: usize) -> PathBuf {
    ["a", "b", "b/c"].map(|dir| Path::new(dir).join(format!("f{n:02}.rs")))[n % 3].clone()
}

fn judge(found: &Tree, old: &Tree, new: &Tree) -> Result<State, String> {
    if found == old {
        return Ok(State::AllOld);
    }
    if found == new {
        return Ok(State::AllNew);
    }
    let of = |tree: &Tree| found.iter().filter(|(path, bytes)| tree.get(*path) != Some(bytes)).count();
    Err(format!("neither old ({} differ) nor new ({} differ): {:?}", of(old), of(new), found.keys()))
}

fn read(dir: &Path) -> Tree {
    fn walk(root: &Path, dir: &Path, tree: &mut Tree) {
        for entry in dir.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                tree.insert(name, None);
                walk(root, &path, tree);
            } else {
                tree.insert(name, Some(std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut tree = Tree::new();
    walk(dir, dir, &mut tree);
    tree
}
