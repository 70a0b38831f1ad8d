//! The files of a trail, opened one after the other, while writers may be setting one aside.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::item::Damaged;
use crate::names::{self, Turn};

/// Opens each file of the trail once, oldest first.
pub(super) struct Files {
    path: PathBuf,
    after: Option<Turn>,
    done: bool,
}

impl Files {
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), after: None, done: false }
    }
}

impl Iterator for Files {
    type Item = Result<(PathBuf, File), Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        // The current file is opened before the directory is listed: if it is set aside in between, it stands in the
        // list and is read as one of those; otherwise it is the last, whatever happens to its name from here on.
        let current = open(&self.path);
        let rotated = match names::rotated(&self.path) {
            Ok(rotated) => rotated,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                self.done = true;
                return Some(Err(Damaged::unreadable(names::directory_of(&self.path), &error)));
            }
        };
        let next = rotated.into_iter().find(|(turn, _)| self.after.as_ref().is_none_or(|after| turn > after));
        if let Some((turn, path)) = next {
            self.after = Some(turn);
            let opened = open(&path);
            return Some(opened.map_err(|error| Damaged::unreadable(&path, &error)).map(|file| (path, file)));
        }
        self.done = true;
        match current {
            Ok(file) => Some(Ok((self.path.clone(), file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(Damaged::unreadable(&self.path, &error))),
        }
    }
}

/// Opens for reading, but not what could block for ever.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    OpenOptions::new().read(true).open(path)
}
