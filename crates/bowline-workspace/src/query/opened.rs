//! Documents that are shown to servers on purpose, and taken away again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_lsp::{Asker, FileEvent, Life, LspError, Readiness, Shown};

use super::served::{Inquiry, Reach, Served};
use crate::{Patience, Workspace, WorkspaceError};

/// What came of showing a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    pub path: PathBuf,
    /// The server that sees it now. `None`: there is none for it.
    pub server: Option<String>,
    /// The server has seen the whole project.
    pub ready: bool,
    /// Why a server that there is does not see it.
    pub note: Option<String>,
}

impl Workspace {
    /// Shows a file to its server, as it is on disk.
    pub async fn open_document(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Opened, WorkspaceError> {
        let real = self.resolve(path)?;
        if let Err(error) = self.opened(path, patience).await {
            tracing::debug!(%error, "the scope does not follow");
        }
        let served = self.serve(path, None, Reach::File, patience, Look).await?;
        let mut opened = Opened { path: real, server: None, ready: false, note: None };
        match served {
            Served::Answer { value: (server, ready), .. } => {
                (opened.server, opened.ready) = (Some(server), ready);
            }
            // It must be there all the same.
            Served::Nobody => drop(self.read(path, patience).await?),
            Served::Without(reason) => opened.note = Some(reason.note()),
        }
        Ok(opened)
    }

    /// Takes a document away from every server that has it open, and says which those were.
    pub fn close_document(&self, path: &Path) -> Result<Vec<String>, WorkspaceError> {
        let real = self.resolve(path)?;
        let mut closed = Vec::new();
        for server in self.fleet.all() {
            if let Some(life) = server.current()
                && life.shown(&real).is_some()
            {
                life.close(&real);
                closed.push(server.name().to_owned());
            }
        }
        Ok(closed)
    }

    /// Tells every server that runs what somebody says has happened to files. What really happened they are told first.
    pub async fn files_changed(&self, events: &[(PathBuf, FileEvent)]) -> Result<usize, WorkspaceError> {
        self.fleet.tell_news(&self.shared).await?;
        let lives: Vec<Arc<Life>> = self.fleet.all().iter().filter_map(|server| server.current()).collect();
        for life in &lives {
            let theirs: Vec<(PathBuf, FileEvent)> =
                events.iter().filter(|(path, _)| life.works_on(path)).cloned().collect();
            life.files_changed(&theirs);
        }
        Ok(lives.len())
    }
}

/// Asks nothing: to be shown is all.
struct Look;

impl Inquiry for Look {
    type Answer = (String, bool);

    async fn put(&self, life: &Arc<Life>, _: &Shown, _: Asker<'_>) -> Result<Self::Answer, LspError> {
        Ok((life.name().to_owned(), life.readiness() == Readiness::Ready))
    }
}
