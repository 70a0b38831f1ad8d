//! What one file says about others, remembered for as long as the file stays as it is.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::aliases::Alias;
use super::family::Family;
use super::{c, go, python, rust, script};

/// So many files are remembered; then everything is forgotten, which costs reading them once more.
const MOST: usize = 200_000;

/// Names are kept as numbers. If two have the same, more files are looked at than need be, and none is missed.
#[derive(Debug, Default, Clone)]
pub(super) struct Facts {
    /// Names that it brings something in by. Sorted.
    pub(super) mentions: Vec<u64>,
    /// What it declares is there for everybody, unasked.
    pub(super) for_all: bool,
    pub(super) unclear: Option<Unclear>,
    pub(super) setting: Setting,
}

/// What cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unclear {
    ComputedInclude,
    Modules,
    /// Settings that cannot be read.
    Setting,
}

impl Unclear {
    pub(super) fn sentence(self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::ComputedInclude => format!("`{path}` includes files by names that are computed"),
            Self::Modules => format!("`{path}` uses modules of C++, which are not followed"),
            Self::Setting => format!("`{path}` cannot be read"),
        }
    }
}

/// How files find one another.
#[derive(Debug, Default, Clone)]
pub(super) enum Setting {
    #[default]
    None,
    Script(Vec<Alias>),
    /// Directories, and the last name of what is imported from there.
    Go(Vec<(PathBuf, String)>),
    /// Headers that every file includes.
    C(Vec<u64>),
    Rust(rust::Manifest),
}

impl Facts {
    pub(super) fn read(family: Family, path: &Path, text: &str) -> Self {
        let mut facts = match (family, family.is_setting(path)) {
            // Settings may be in files of any name.
            (Family::Script, _) if path.extension().is_some_and(|ending| ending == "json") => {
                super::aliases::read(path, text)
            }
            (Family::Script, _) => script::read(path, text),
            (Family::Python, _) => python::read(path, text),
            (Family::Go, true) => Self { setting: Setting::Go(go::packages(path, text)), ..Self::default() },
            (Family::Go, false) => go::read(text),
            (Family::C, true) => Self { setting: Setting::C(c::forced(text)), ..Self::default() },
            (Family::C, false) => c::read(text),
            (Family::Rust, true) => {
                Self { setting: Setting::Rust(rust::Manifest::read(path, text)), ..Self::default() }
            }
            (Family::Rust, false) => rust::read(text),
            (Family::Other(_), _) => Self::default(),
        };
        facts.mentions.sort_unstable();
        facts.mentions.dedup();
        facts
    }

    /// What two versions of a file say together.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.mentions.extend_from_slice(&other.mentions);
        self.for_all |= other.for_all;
        self.unclear = self.unclear.or(other.unclear);
        self
    }
}

/// A file as it was when it was looked at, and what it said.
type Known = (i64, u64, Arc<Facts>);

/// What was read before.
#[derive(Default)]
pub(crate) struct Remembered(Mutex<HashMap<Family, HashMap<PathBuf, Known>>>);

impl Remembered {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<Family, HashMap<PathBuf, Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, family: Family, read: impl Iterator<Item = (PathBuf, Known)>) {
        let mut known = self.lock();
        let known = known.entry(family).or_default();
        for (path, facts) in read {
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(path, facts);
        }
    }
}
