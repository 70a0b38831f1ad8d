//! Where one file of a transaction lies, and the names it needs beside it.

use std::path::{Path, PathBuf};

use crate::receipt::Receipt;

/// One file of a transaction and the names beside it. The names follow from the transaction's id, so nobody who
/// writes a record can choose them.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    pub(crate) path: &'a Path,
    pub(crate) parent: &'a Path,
    pub(crate) name: &'a str,
    /// The new version before the exchange, the old one after it. No source has this extension.
    pub(crate) stage: String,
    /// Needed only where the file system cannot exchange two names.
    pub(crate) spare: String,
    /// Where an old version is written anew, until it is whole.
    pub(crate) fresh: String,
}

impl<'a> Place<'a> {
    /// None for a path that has no name or is not UTF-8; plans and records with such paths are refused before.
    pub(crate) fn new(id: &str, number: usize, path: &'a Path) -> Option<Self> {
        let (parent, name) = split(path)?;
        let stage = format!(".bowline-{id}-{number}.tmp");
        let spare = format!(".bowline-{id}-{number}.old.tmp");
        let fresh = format!(".bowline-{id}-{number}.new.tmp");
        Some(Self { path, parent, name, stage, spare, fresh })
    }

    pub(crate) fn all(receipt: &'a Receipt) -> Vec<Self> {
        let files = receipt.files.iter().enumerate();
        files.filter_map(|(number, file)| Self::new(&receipt.id, number, &file.path)).collect()
    }
}

pub(crate) fn split(path: &Path) -> Option<(&Path, &str)> {
    Some((path.parent()?, path.file_name()?.to_str()?))
}

/// The directories between the given one and the next that exists, as `exists` tells; outermost first.
pub(crate) fn missing_above<E>(
    directory: &Path,
    mut exists: impl FnMut(&Path) -> Result<bool, E>,
) -> Result<Vec<PathBuf>, E> {
    let mut missing = Vec::new();
    for above in directory.ancestors() {
        if exists(above)? {
            break;
        }
        missing.push(above.to_owned());
    }
    missing.reverse();
    Ok(missing)
}
