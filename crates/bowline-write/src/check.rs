//! Every file of a plan, looked at before anything is written: what can be known to fail is told here.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use bowline_std::text::prefix;

use crate::attributes::Attributes;
use crate::dir::{Opened, identity, read};
use crate::dirs::Dirs;
use crate::error::{At, WriteError};
use crate::hash::ContentHash;
use crate::limits::Limits;
use crate::place::{missing_above, split};
use crate::plan::Change;
use crate::receipt::{Receipt, Written};

/// A plan that can be carried out, as far as anybody can know.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) files: Vec<Written>,
    /// What each file gets, in the same order.
    pub(crate) news: Vec<New>,
    /// What each file has, in the same order; empty for a new one.
    pub(crate) olds: Vec<Vec<u8>>,
    /// Directories to be made, each before those below it.
    pub(crate) made: BTreeSet<PathBuf>,
}

#[derive(Debug)]
pub(crate) struct New {
    pub(crate) bytes: Option<Vec<u8>>,
    pub(crate) dress: Dress,
}

/// What a new version looks like from outside.
#[derive(Debug)]
pub(crate) enum Dress {
    Plain,
    /// The mode, and whose the file was, where that is known.
    Mode(u32, Option<(u32, u32)>),
    Like(Attributes),
}

struct Found {
    bytes: Vec<u8>,
    attributes: Attributes,
}

impl Checked {
    /// Files that come back belong to whom they belonged.
    pub(crate) fn give_back(&mut self, undone: &Receipt) {
        let owners: HashMap<&Path, Option<(u32, u32)>> =
            undone.files.iter().map(|file| (file.path.as_path(), file.owner)).collect();
        for (file, new) in self.files.iter().zip(&mut self.news) {
            if let Dress::Mode(_, owner) = &mut new.dress {
                *owner = owners.get(file.path.as_path()).copied().flatten();
            }
        }
    }
}

pub(crate) fn check(dirs: &Dirs<'_>, changes: Vec<Change>, limits: &Limits) -> Result<Checked, WriteError> {
    let (mut checked, mut identities) = (Checked::default(), HashSet::new());
    let (mut bytes, mut diffs) = (0_u64, limits.diffs_bytes);
    for change in changes {
        let found = target(dirs, &change, limits, &mut identities, &mut checked.made)?;
        let hash = found.as_ref().map(|found| ContentHash::of(&found.bytes));
        if hash != change.before {
            let (expected, found) = (change.before, hash);
            return Err(WriteError::Changed { path: change.path, expected, found });
        }
        if change.is_idle() {
            continue;
        }
        let size = found.as_ref().map_or(0, |found| found.bytes.len()) as u64;
        bytes += size + change.after.as_ref().map_or(0, Vec::len) as u64;
        if bytes > limits.plan_bytes {
            let what = format!("{bytes} bytes up to `{}`", change.path.display());
            return Err(WriteError::PlanTooLarge { what, max: limits.plan_bytes });
        }
        let after = change.after.as_deref().map(ContentHash::of);
        let (mode, owner) =
            found.as_ref().map(|found| (found.attributes.mode, found.attributes.owner)).unzip();
        let diff = change.diff.as_deref().map(|diff| cut(diff, limits.diff_bytes.min(diffs)));
        diffs = diffs.saturating_sub(diff.as_ref().map_or(0, String::len));
        let (dress, old) = match found {
            Some(found) => (Dress::Like(found.attributes), found.bytes),
            None => (dress(dirs, &change)?, Vec::new()),
        };
        checked.files.push(Written { path: change.path, before: hash, after, size, mode, owner, diff });
        checked.news.push(New { bytes: change.after, dress });
        checked.olds.push(old);
    }
    Ok(checked)
}

/// What is at the path now; None where nothing is, and where something may be made.
fn target(
    dirs: &Dirs<'_>,
    change: &Change,
    limits: &Limits,
    identities: &mut HashSet<(u64, u64)>,
    made: &mut BTreeSet<PathBuf>,
) -> Result<Option<Found>, WriteError> {
    let path = &change.path;
    let (parent, name) = split(path).ok_or_else(|| WriteError::NotPlain(path.clone()))?;
    let missing = missing_above(parent, |above| Ok::<_, WriteError>(dirs.find(above)?.is_some()))?;
    let existing = missing.first().and_then(|first| first.parent()).unwrap_or(parent);
    let dir = dirs.enter(existing)?;
    if !missing.is_empty() {
        if !dir.is_writable() {
            return Err(WriteError::ReadOnly(existing.to_owned()));
        }
        if change.before.is_none() {
            made.extend(missing);
        }
        return Ok(None);
    }
    let (file, stat) = match dir.open(name).at(path, "opening it")? {
        Opened::Nothing => {
            return if dir.is_writable() { Ok(None) } else { Err(WriteError::ReadOnly(parent.to_owned())) };
        }
        Opened::Other(kind) => return Err(WriteError::NotAFile { path: path.clone(), kind }),
        Opened::File(file, stat) => (file, stat),
    };
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    let too_large = |size| WriteError::TooLarge { path: path.clone(), size, max: limits.file_bytes };
    if size > limits.file_bytes {
        return Err(too_large(size));
    }
    // On a file system that does not tell `A` from `a`, two paths may be one file.
    if !identities.insert(identity(&stat)) {
        return Err(WriteError::Duplicate(path.clone()));
    }
    #[allow(clippy::useless_conversion, reason = "the width differs between systems")]
    let links = u64::from(stat.st_nlink);
    match links {
        1 => {}
        // Somebody put another file in its place since it was opened.
        0 => return Err(WriteError::Moved(path.clone())),
        _ => return Err(WriteError::HardLinked { path: path.clone(), links }),
    }
    if stat.st_mode & 0o222 == 0 || !dir.is_writable_file(name) {
        return Err(WriteError::ReadOnly(path.clone()));
    }
    if !dir.is_writable() {
        return Err(WriteError::ReadOnly(parent.to_owned()));
    }
    let attributes = Attributes::read(&file, &stat).at(path, "reading its attributes")?;
    let bytes = read(file, limits.file_bytes).at(path, "reading it")?;
    Ok(Some(Found { bytes: bytes.ok_or_else(|| too_large(limits.file_bytes + 1))?, attributes }))
}

fn dress(dirs: &Dirs<'_>, change: &Change) -> Result<Dress, WriteError> {
    match (&change.like, change.mode) {
        (Some(like), _) => model(dirs, like).map(Dress::Like),
        (None, Some(mode)) => Ok(Dress::Mode(mode & 0o7777, None)),
        (None, None) => Ok(Dress::Plain),
    }
}

fn model(dirs: &Dirs<'_>, path: &Path) -> Result<Attributes, WriteError> {
    let (parent, name) = split(path).ok_or_else(|| WriteError::NotPlain(path.to_owned()))?;
    match dirs.enter(parent)?.open(name).at(path, "opening it")? {
        Opened::File(file, stat) => Attributes::read(&file, &stat).at(path, "reading its attributes"),
        Opened::Other(kind) => Err(WriteError::NotAFile { path: path.to_owned(), kind }),
        Opened::Nothing => Err(WriteError::NotAFile { path: path.to_owned(), kind: "not there" }),
    }
}

fn cut(diff: &str, max: usize) -> String {
    let kept = prefix(diff, max);
    if kept.len() == diff.len() {
        return diff.to_owned();
    }
    format!("{kept}\n[{} more bytes of this diff are not kept]\n", diff.len() - kept.len())
}
