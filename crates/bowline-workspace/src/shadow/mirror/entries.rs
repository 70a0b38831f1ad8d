//! What each directory of the mirror is to hold.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{Draft, is_rust};

/// Larger files are not read by compilers; a link is enough.
const MOST_COPIED: u64 = 1 << 20;
/// Beside the way to the workspace: of a directory with more entries than this, only what cargo looks for by itself.
const MOST_BESIDE: usize = 5_000;
const LOOKED_FOR: [&str; 4] = [".cargo", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"];
/// Histories are large, and programs write into them.
const HISTORIES: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".pijul"];
/// What cargo, and others, put into directories that can be made anew: the project's own builds.
const CACHE_TAG: &str = "CACHEDIR.TAG";

pub(super) enum Want {
    Directory,
    /// A copy of the project's file, as it was seen, or of what is drafted.
    Copy(Option<Metadata>),
    Link(PathBuf),
}

/// Knows what is wanted where.
pub(super) struct Wanted<'a> {
    /// The directory of all shadows.
    above: &'a Path,
    draft: &'a Draft,
    /// Directories on the way to a file that is drafted, or was, with what is wanted of them for that.
    ways: BTreeMap<PathBuf, BTreeSet<OsString>>,
    /// Files outside the workspace that were drafted once. As links they would have their old times again.
    stay: BTreeSet<PathBuf>,
    /// Cargo reads its home anyway; as a directory above the project it would be read twice.
    homes: Vec<PathBuf>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new<'r>(
        above: &'a Path,
        draft: &'a Draft,
        recorded: impl Iterator<Item = &'r Path>,
    ) -> Self {
        let stay: BTreeSet<PathBuf> =
            recorded.filter(|path| !path.starts_with(&draft.root)).map(Path::to_owned).collect();
        let mut ways = BTreeMap::<PathBuf, BTreeSet<OsString>>::new();
        for path in draft.drafted.keys().chain(&stay).chain([&draft.root]) {
            let mut path = path.as_path();
            while let (Some(dir), Some(name)) = (path.parent(), path.file_name()) {
                ways.entry(dir.to_owned()).or_default().insert(name.to_owned());
                path = dir;
            }
        }
        let variable = |name: &str| {
            let mut set = draft.environment.iter().rev().filter(|(key, _)| key == name);
            set.next().map(|(_, value)| PathBuf::from(value))
        };
        let homes = [variable("CARGO_HOME"), variable("HOME").map(|home| home.join(".cargo"))];
        let homes = homes.into_iter().flatten().filter_map(|home| home.canonicalize().ok()).collect();
        Self { above, draft, ways, stay, homes }
    }

    /// What a directory is to hold, by name.
    pub(super) fn of(&self, dir: &Path) -> io::Result<BTreeMap<OsString, Want>> {
        let mut wanted = if dir.starts_with(&self.draft.root) { self.inside(dir)? } else { self.beside(dir) };
        for name in self.ways.get(dir).into_iter().flatten() {
            let path = dir.join(name);
            let want = if self.draft.drafted.contains_key(&path) {
                Want::Copy(path.metadata().ok())
            } else if self.stay.contains(&path) {
                let Ok(metadata) = path.metadata() else { continue };
                Want::Copy(Some(metadata))
            } else {
                Want::Directory
            };
            wanted.insert(name.clone(), want);
        }
        wanted.retain(|name, _| !matches!(self.draft.drafted.get(&dir.join(name)), Some(None)));
        Ok(wanted)
    }

    /// Beside the way: links. A directory that we may pass, but not read, shows nothing. What is hidden there is no
    /// package that anybody depends on, and often there is a lot of it.
    fn beside(&self, dir: &Path) -> BTreeMap<OsString, Want> {
        let Ok(entries) = dir.read_dir() else { return BTreeMap::new() };
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
        let names = names.filter(|name| name == ".cargo" || !is_hidden(name));
        let mut names: Vec<OsString> = names.take(MOST_BESIDE + 1).collect();
        if names.len() > MOST_BESIDE {
            names = LOOKED_FOR.map(OsString::from).into();
            names.retain(|name| dir.join(name).symlink_metadata().is_ok());
        }
        let links = names.into_iter().map(|name| (dir.join(&name), name));
        let links = links.filter(|(path, _)| !self.homes.contains(path));
        links.map(|(path, name)| (name, Want::Link(path))).collect()
    }

    fn inside(&self, dir: &Path) -> io::Result<BTreeMap<OsString, Want>> {
        let entries = match dir.read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                // Only the draft has it, or cargo could not read it either.
                let is_nothing =
                    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied);
                return if is_nothing { Ok(BTreeMap::new()) } else { Err(error) };
            }
        };
        let mut wanted = BTreeMap::new();
        for entry in entries {
            let entry = entry?;
            if let Some(want) = self.entry(&entry)? {
                wanted.insert(entry.file_name(), want);
            }
        }
        Ok(wanted)
    }

    fn entry(&self, entry: &DirEntry) -> io::Result<Option<Want>> {
        let (path, name, kind) = (entry.path(), entry.file_name(), entry.file_type()?);
        if kind.is_symlink() {
            return Ok(path.read_link().ok().map(Want::Link));
        }
        let is_text = name.to_str().is_some();
        if kind.is_dir() {
            let is_cache = || path == self.above || path.join(CACHE_TAG).exists();
            return Ok(match () {
                () if HISTORIES.iter().any(|history| name == *history) || is_cache() => None,
                () if name == OsStr::new("node_modules") || !is_text => Some(Want::Link(path)),
                () => Some(Want::Directory),
            });
        }
        if !kind.is_file() {
            return Ok(None);
        }
        // It may be gone by now.
        let Ok(metadata) = entry.metadata() else { return Ok(None) };
        let is_copied = is_text && (metadata.len() <= MOST_COPIED || is_rust(&path));
        Ok(Some(if is_copied { Want::Copy(Some(metadata)) } else { Want::Link(path) }))
    }
}
