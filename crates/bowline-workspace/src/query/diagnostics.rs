//! What is wrong with files: fresh, and with the evidence for it. Only language servers know.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::Diagnostic;
use bowline_lsp::{Asker, Diagnosed, Evidence, Life, LspError, Shown};

use super::served::{Inquiry, Reach, Reason, Served};
use crate::{Patience, Workspace, WorkspaceError};

/// The diagnostics of some files. Those without evidence have no diagnostics, which does not mean that they are
/// clean.
#[derive(Debug)]
pub struct Diagnoses {
    /// In the order in which they were asked for.
    pub files: Vec<FileDiagnoses>,
}

/// What is known of one file.
#[derive(Debug)]
pub struct FileDiagnoses {
    pub path: PathBuf,
    pub known: Result<(Vec<Diagnostic>, Evidence), WorkspaceError>,
}

impl Diagnoses {
    /// Every file was looked at, with this evidence at least.
    pub fn evidence(&self) -> Option<Evidence> {
        let all: Option<Vec<Evidence>> =
            self.files.iter().map(|file| file.known.as_ref().ok().map(|(_, evidence)| *evidence)).collect();
        all?.into_iter().max()
    }
}

impl Workspace {
    /// Fresh diagnostics of these files, each with its evidence. They are asked for one after the other: one server
    /// does one thing at a time, and the first answer makes the next one quick.
    pub async fn diagnostics(
        &self,
        paths: &[PathBuf],
        patience: &Patience<'_>,
    ) -> Result<Diagnoses, WorkspaceError> {
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let known = match self.diagnose(path, patience).await {
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                known => known,
            };
            files.push(FileDiagnoses { path: self.resolve(path).unwrap_or_else(|_| path.clone()), known });
        }
        Ok(Diagnoses { files })
    }

    async fn diagnose(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<(Vec<Diagnostic>, Evidence), WorkspaceError> {
        let served = self.serve(path, None, Reach::Project, patience, Diagnose).await?;
        match served {
            Served::Answer { value, indexed: true } => Ok((value.diagnostics, value.evidence)),
            // Something was found by a server that has not seen everything: what is there is there. Nothing is not.
            Served::Answer { value, indexed: false } if !value.diagnostics.is_empty() => {
                Ok((value.diagnostics, Evidence::Quiet))
            }
            Served::Answer { .. } => {
                let what = "has not seen the whole project yet".to_owned();
                Err(Reason::Late { server: "the language server".into(), what }.into_error())
            }
            Served::Nobody => Err(self.no_server(path)),
            Served::Without(reason) => Err(reason.into_error()),
        }
    }

    /// The files that servers have open, or have said something about, below the roots.
    pub async fn diagnosed_files(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        // What was just written is among them.
        self.fleet.tell_news(&self.shared).await?;
        let mut files = Vec::new();
        for server in self.fleet.all() {
            if let Some(life) = server.current() {
                files.extend(life.open_documents().into_iter().map(|shown| shown.path));
                files.extend(life.reported_files());
            }
        }
        // What is gone has no problems, whatever is still said of it.
        files.retain(|file| self.shared.roots.around(file).is_some() && file.exists());
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }
}

/// Asks a server what is wrong with a file.
struct Diagnose;

impl Inquiry for Diagnose {
    type Answer = Diagnosed;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        life.diagnose(shown, asker).await
    }
}
