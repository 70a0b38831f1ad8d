//! Which package of the workspace a directory belongs to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::shadow::place::Held;

/// Which directories are in which package.
#[derive(Default)]
pub(super) struct Packages(BTreeMap<PathBuf, Option<PathBuf>>);

impl Packages {
    /// The directory of the package that a directory is in.
    pub(super) fn around(&mut self, held: &Held, root: &Path, dir: &Path) -> Option<PathBuf> {
        if let Some(known) = self.0.get(dir) {
            return known.clone();
        }
        let package = if held.within(dir).join("Cargo.toml").exists() {
            Some(dir.to_owned())
        } else {
            let above = dir.parent().filter(|above| above.starts_with(root));
            above.and_then(|above| self.around(held, root, above))
        };
        self.0.insert(dir.to_owned(), package.clone());
        package
    }
}
