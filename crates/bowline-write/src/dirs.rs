//! The directories of one transaction: entered the confined way each time, and known again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::rc::Rc;

use crate::dir::{Dir, Identity};
use crate::error::{At, WriteError};
use crate::roots::Roots;

/// So many stay open until the end; a rename across a thousand directories must not run out of files.
const HELD: usize = 24;

/// The directories of one transaction.
pub(crate) struct Dirs<'a> {
    roots: &'a Roots,
    known: RefCell<HashMap<String, Known>>,
}

struct Known {
    identity: Identity,
    held: Option<Rc<Dir>>,
}

impl<'a> Dirs<'a> {
    pub(crate) fn new(roots: &'a Roots) -> Self {
        Self { roots, known: RefCell::default() }
    }

    /// Opens the directory where it is now. If it is not the one that was entered before, somebody moved it, and
    /// nothing more goes there.
    pub(crate) fn enter(&self, path: &Path) -> Result<Rc<Dir>, WriteError> {
        match self.find(path)? {
            Some(dir) => Ok(dir),
            None => {
                Err(WriteError::io(path, "opening its directory", io::Error::from(io::ErrorKind::NotFound)))
            }
        }
    }

    /// The same; None where there is no such directory.
    pub(crate) fn find(&self, path: &Path) -> Result<Option<Rc<Dir>>, WriteError> {
        let key = path.to_string_lossy().into_owned();
        let dir = match self.roots.open(path) {
            Ok(dir) => Rc::new(dir),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(WriteError::io(path, "opening its directory", error));
            }
            Err(_) if self.known.borrow().contains_key(&key) => {
                return Err(WriteError::Moved(path.to_owned()));
            }
            Err(_) => return Ok(None),
        };
        let mut known = self.known.borrow_mut();
        if let Some(before) = known.get(&key) {
            return if before.identity == dir.identity {
                Ok(Some(dir))
            } else {
                Err(WriteError::Moved(path.to_owned()))
            };
        }
        let held = (known.len() < HELD).then(|| Rc::clone(&dir));
        known.insert(key, Known { identity: dir.identity, held });
        Ok(Some(dir))
    }

    /// For putting back: the very directory that was entered, even if it was moved since; otherwise where it is now.
    /// None where the way there leads nowhere any more.
    pub(crate) fn back(&self, path: &Path) -> Result<Option<Rc<Dir>>, WriteError> {
        let held = self.known.borrow().get(&*path.to_string_lossy()).and_then(|known| known.held.clone());
        if let Some(held) = held {
            return Ok(Some(held));
        }
        match self.find(path) {
            Err(WriteError::Link(_) | WriteError::Moved(_)) => Ok(None),
            found => found,
        }
    }

    /// Makes durable what happened in these directories; one that is gone has nothing to keep.
    pub(crate) fn sync<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Result<(), WriteError> {
        for path in paths {
            if let Some(dir) = self.back(path)? {
                dir.sync().at(path, "making its directory durable")?;
            }
        }
        Ok(())
    }
}
