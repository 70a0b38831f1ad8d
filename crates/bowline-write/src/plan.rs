//! What is to be written: files with what they hold before and after. Checked here as far as words go; the files
//! themselves are looked at later.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use crate::error::WriteError;
use crate::guard::Guarded;
use crate::hash::ContentHash;
use crate::limits::Limits;
use crate::roots::Roots;

/// Files that change together or not at all.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Who writes: a tool's name.
    pub label: String,
    /// The receipt that this plan takes back.
    pub undoes: Option<String>,
    pub changes: Vec<Change>,
}

/// One file, before and after.
#[derive(Debug, Clone)]
pub struct Change {
    /// Absolute and real: whoever has a link resolves it first.
    pub path: PathBuf,
    /// What must be there. None: nothing may be there.
    pub before: Option<ContentHash>,
    /// What will be there. None: the file is removed.
    pub after: Option<Vec<u8>>,
    /// Whose mode, owner and attributes a new file gets. Without it, it is made like any new file.
    pub like: Option<PathBuf>,
    /// The mode of a new file, where it is known and `like` is not there.
    pub mode: Option<u32>,
    /// For the receipt.
    pub diff: Option<String>,
}

impl Change {
    pub fn modify(path: impl Into<PathBuf>, before: ContentHash, after: impl Into<Vec<u8>>) -> Self {
        Self { before: Some(before), ..Self::create(path, after) }
    }

    pub fn create(path: impl Into<PathBuf>, after: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            before: None,
            after: Some(after.into()),
            like: None,
            mode: None,
            diff: None,
        }
    }

    pub fn remove(path: impl Into<PathBuf>, before: ContentHash) -> Self {
        Self { after: None, ..Self::modify(path, before, []) }
    }

    #[must_use]
    pub fn like(mut self, path: impl Into<PathBuf>) -> Self {
        self.like = Some(path.into());
        self
    }

    #[must_use]
    pub fn diff(mut self, diff: impl Into<String>) -> Self {
        self.diff = Some(diff.into());
        self
    }

    /// True where nothing would be different.
    pub(crate) fn is_idle(&self) -> bool {
        self.before == self.after.as_deref().map(ContentHash::of)
    }
}

impl Plan {
    /// What is wrong with it as written, without a look at any file.
    pub(crate) fn check(&self, roots: &Roots, guarded: &Guarded, limits: &Limits) -> Result<(), WriteError> {
        if self.changes.len() > limits.plan_files {
            let what = format!("{} files", self.changes.len());
            return Err(WriteError::PlanTooLarge { what, max: limits.plan_files as u64 });
        }
        let mut paths = HashSet::new();
        for change in &self.changes {
            let path = &change.path;
            place_within(roots, guarded, path)?;
            if let Some(like) = &change.like {
                place_within(roots, guarded, like)?;
            }
            let size = change.after.as_ref().map_or(0, Vec::len) as u64;
            if size > limits.file_bytes {
                return Err(WriteError::TooLarge { path: path.clone(), size, max: limits.file_bytes });
            }
            if !paths.insert(path.as_path()) {
                return Err(WriteError::Duplicate(path.clone()));
            }
        }
        let both = |path: &&Path| path.ancestors().skip(1).any(|above| paths.contains(above));
        match paths.iter().find(|path| both(path)) {
            Some(path) => Err(WriteError::FileAndDirectory(path.to_path_buf())),
            None => Ok(()),
        }
    }
}

fn place_within(roots: &Roots, guarded: &Guarded, path: &Path) -> Result<(), WriteError> {
    if !is_plain(path) {
        return Err(WriteError::NotPlain(path.to_owned()));
    }
    if !roots.hold(path) {
        return Err(WriteError::OutsideRoots(path.to_owned()));
    }
    if guarded.holds(path) {
        return Err(WriteError::OwnState(path.to_owned()));
    }
    Ok(())
}

/// Absolute, UTF-8, and written the one way that has no dots, no doubled and no trailing slashes.
pub(crate) fn is_plain(path: &Path) -> bool {
    let normal = |part: Component<'_>| matches!(part, Component::RootDir | Component::Normal(_));
    let rebuilt: PathBuf = path.components().collect();
    path.is_absolute()
        && path.components().all(normal)
        && rebuilt.as_os_str() == path.as_os_str()
        && path.to_str().is_some_and(|text| !text.contains('\0'))
}
