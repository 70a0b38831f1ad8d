//! The directories of the workspace, and where a path leads in them.
//!
//! The gate has judged the path before; this is the second line of defence, by real path.

use std::path::{Path, PathBuf};

use bowline_std::fs::{ReadError, real_path};

use crate::WorkspaceError;

#[derive(Debug, Clone)]
pub(crate) struct Roots(Vec<PathBuf>);

impl Roots {
    pub(crate) fn new(roots: Vec<PathBuf>) -> Self {
        Self(roots)
    }

    pub(crate) fn all(&self) -> &[PathBuf] {
        &self.0
    }

    /// The root that holds a real path; of roots inside one another, the innermost.
    pub(crate) fn around(&self, real: &Path) -> Option<&Path> {
        let holding = self.0.iter().filter(|root| real.starts_with(root));
        holding.max_by_key(|root| root.as_os_str().len()).map(PathBuf::as_path)
    }

    /// The real path of what was asked for. A relative path counts from the first root.
    pub(crate) fn resolve(&self, path: &Path) -> Result<PathBuf, WorkspaceError> {
        let outside = || WorkspaceError::OutsideRoots { path: path.to_owned(), roots: self.0.clone() };
        let base = self.0.first().ok_or_else(outside)?;
        // As the system would open it, which is also how the gate's facts are gathered: `link/..` is not where it
        // started.
        let written = base.join(path);
        let real = real_path(&written).map_err(|source| ReadError::Io { path: written, source })?;
        self.around(&real).ok_or_else(outside)?;
        Ok(real)
    }
}
