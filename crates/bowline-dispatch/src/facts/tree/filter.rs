//! Names below a directory, compared with what a filter means.

use std::fs::FileType;
use std::path::Path;

use bowline_gate::Filter;
use globset::{Glob, GlobSet, GlobSetBuilder};

/// A filter whose patterns are ready to be compared with names.
pub(in crate::facts) struct NameFilter<'a> {
    pub(in crate::facts) filter: &'a Filter,
    only: GlobSet,
    except: GlobSet,
    except_directories: GlobSet,
    parts: Vec<GlobSet>,
}

impl<'a> NameFilter<'a> {
    /// `None` if a pattern cannot be read.
    pub(in crate::facts) fn new(filter: &'a Filter) -> Option<Self> {
        let parts: Option<Vec<GlobSet>> =
            filter.parts.iter().map(|part| set(std::slice::from_ref(part))).collect();
        Some(Self {
            filter,
            only: set(&filter.only)?,
            except: set(&filter.except)?,
            except_directories: set(&filter.except_directories)?,
            parts: parts?,
        })
    }

    /// Left out, with everything below.
    pub(super) fn skips(&self, name: &Path, is_directory: bool) -> bool {
        let last = name.file_name().unwrap_or_default();
        let is_hidden = last.as_encoded_bytes().starts_with(b".");
        let except = if is_directory { &self.except_directories } else { &self.except };
        self.filter.skips_hidden && is_hidden || !except.is_empty() && except.is_match(last)
    }

    /// Something below this directory may be meant.
    pub(in crate::facts) fn enters(&self, name: &Path) -> bool {
        let depth = name.components().count();
        self.fits_parts(name, depth) && !(self.filter.is_shallow && depth >= self.parts.len())
    }

    /// Meant, and below no directory that is left out. For names that are not met on a walk.
    pub(super) fn admits(&self, name: &Path, kind: Option<FileType>) -> bool {
        let mut above = name.ancestors().skip(1).filter(|part| !part.as_os_str().is_empty());
        let is_directory = kind.is_some_and(|kind| kind.is_dir());
        !self.skips(name, is_directory) && !above.any(|part| self.skips(part, true)) && self.means(name, kind)
    }

    pub(super) fn means(&self, name: &Path, kind: Option<FileType>) -> bool {
        let depth = name.components().count();
        let is_deep_enough = depth >= self.parts.len() && self.fits_parts(name, depth);
        let is_shallow_enough = !self.filter.is_shallow || depth == self.parts.len();
        let last = name.file_name().unwrap_or_default();
        let is_one_of =
            self.filter.only.is_empty() || kind.is_some_and(|kind| kind.is_dir()) || self.only.is_match(last);
        is_deep_enough && is_shallow_enough && is_one_of
    }

    /// The first names on the way are those that the patterns want. A star matches no hidden name.
    fn fits_parts(&self, name: &Path, depth: usize) -> bool {
        let names = name.components().take(depth).zip(self.parts.iter().zip(&self.filter.parts));
        names.into_iter().all(|(name, (glob, text))| {
            let name = name.as_os_str();
            let is_hidden = name.as_encoded_bytes().starts_with(b".") && !text.starts_with('.');
            !is_hidden && glob.is_match(name)
        })
    }
}

/// Shell patterns over single names. `None` where they mean something else to a shell than to this library.
fn set(patterns: &[String]) -> Option<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let has_class = ["[:", "[=", "[."].iter().any(|class| pattern.contains(class));
        if has_class {
            return None;
        }
        builder.add(Glob::new(pattern).ok()?);
    }
    builder.build().ok()
}
