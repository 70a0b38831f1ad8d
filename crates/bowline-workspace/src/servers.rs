//! The language servers that we know of, as data, and which of them a project could use.

mod detect;
mod installed;
mod table;

pub use detect::{Detected, Installed, LanguageUse, NotInstalled, detect};
pub use table::{KNOWN, KnownServer};

use std::ffi::OsStr;
use std::path::Path;

use crate::{Patience, Workspace, WorkspaceError};

impl Workspace {
    /// The languages of the workspace, most used first, counted on disk as it is now.
    pub async fn languages(&self, patience: &Patience<'_>) -> Result<Vec<LanguageUse>, WorkspaceError> {
        self.blocking(patience, |work| Ok(detect::languages(work.shared.roots.all(), &|| work.stopped())))
            .await
    }

    /// [`detect`], on a thread that may block.
    pub async fn detect_servers(
        &self,
        directory: &Path,
        path_var: &OsStr,
        patience: &Patience<'_>,
    ) -> Result<Detected, WorkspaceError> {
        let (directory, path_var) = (directory.to_owned(), path_var.to_owned());
        self.blocking(patience, move |work| Ok(detect(&directory, &path_var, &|| work.stopped()))).await
    }
}
