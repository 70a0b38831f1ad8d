//! Selective indexing: on a large project a server is limited to the package being worked on and what it imports.
//!
//! - `python`, `javascript`: what a package is, and which others it uses directly. Pure but for reading files.
//! - `places`: what both share: reading a bounded number of files, and staying within the project.
//! - `steer`: when a server is limited, and to what; how the scope follows the files that are asked about.
//! - `wish`: what people say and are told of it.
//! - `elsewhere`: what a limited server has not looked at, and when that does not matter.
//!
//! A limited server resolves every import as before, so what it says about one file is complete: definitions, types,
//! diagnostics. What it cannot know is who *uses* something outside its scope. So a question across the project first
//! looks into the index for files elsewhere that hold the name at all. The scope that bowline chose itself is widened
//! by them, and the server then answers for them, too; one that was set by hand is left as it is. Where it cannot be
//! proved that nothing was left out, the answer says so: it is the server's, exact as far as it goes, `indexed` is
//! false, and the note names the scope. References by name would be complete, but a common name has thousands of
//! places that mean something else; a reader who needs them all is told how to lift the scope.

mod elsewhere;
mod javascript;
mod places;
mod python;
mod steer;
mod wish;

use std::path::Path;

use places::Reader;

pub(crate) use elsewhere::{Beyond, note_of_unknown};
pub(crate) use steer::{Scopes, own_word};
pub use wish::{ScopeWish, Scoped};

/// From so many files on, a project is large.
pub(crate) const LARGE: usize = 500;

/// The languages whose servers are limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tongue {
    Python,
    JavaScript,
}

impl Tongue {
    /// As servers call them.
    pub(crate) fn of_language(id: &str) -> Option<Self> {
        match id {
            "python" => Some(Self::Python),
            "typescript" | "javascript" | "typescriptreact" | "javascriptreact" | "tsx" | "jsx" => {
                Some(Self::JavaScript)
            }
            _ => None,
        }
    }
}

/// A package, and the packages that it uses directly: places below the root, in order, none inside another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) own: Vec<String>,
    /// Its own among them.
    pub(crate) all: Vec<String>,
}

/// The package of a file. `None`: it is the whole project. Reads files.
pub(crate) fn detect(tongue: Tongue, root: &Path, file: &Path) -> Option<Package> {
    let mut reader = Reader::new(root)?;
    let (package, used) = match tongue {
        Tongue::Python => python::packages(&mut reader, file)?,
        Tongue::JavaScript => javascript::packages(&mut reader, file)?,
    };
    let own = reader.relative(package.clone(), std::collections::BTreeSet::new());
    (!own.is_empty()).then(|| Package { own, all: reader.relative(package, used) })
}

#[cfg(test)]
mod tests;
