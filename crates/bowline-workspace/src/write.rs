//! Writing files: the one way for every tool, with a receipt for each, and the way back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_write::{Plan, Receipt, Recovered, WriteError, Writer};

use crate::{Workspace, WorkspaceError};

/// How long servers are told of what was written before the writer answers. They are told all the same.
const TELLING: Duration = Duration::from_secs(2);

/// Says whether a file may be written. It goes along to the thread that writes.
pub type Leave = Box<dyn Fn(&Path) -> bool + Send>;

impl Workspace {
    /// The same workspace, with a writer: without one nothing is ever written.
    #[must_use]
    pub fn with_writer(mut self, writer: Writer) -> Self {
        self.writer = Some(Arc::new(writer));
        self
    }

    /// Writes all files of a plan or none, and tells the servers. Once begun it runs to its end, whoever waits for it.
    pub async fn write(&self, plan: Plan, leave: Leave) -> Result<Receipt, WorkspaceError> {
        let written = self.with_the_writer(move |writer| writer.write(plan, &*leave)).await?;
        match tokio::time::timeout(TELLING, self.fleet.tell_news(&self.shared)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "servers were not told what was written"),
            Err(_) => tracing::debug!("servers are still being told what was written"),
        }
        Ok(written)
    }

    /// What was written within the roots, newest first.
    pub async fn receipts(&self) -> Result<Vec<Receipt>, WorkspaceError> {
        self.with_the_writer(Writer::receipts).await
    }

    /// The files that a write touched, for whoever has to allow that it is taken back.
    pub fn files_of_receipt(&self, id: &str) -> Result<Vec<PathBuf>, WorkspaceError> {
        let writer = self.writer.as_ref().ok_or(WorkspaceError::NoWriter)?;
        let receipt = writer.receipt(id)?;
        Ok(receipt.files.into_iter().map(|file| file.path).collect())
    }

    /// Takes a write back, unless somebody has changed one of its files since.
    pub async fn undo(&self, id: &str, leave: Leave) -> Result<Receipt, WorkspaceError> {
        let id = id.to_owned();
        let plan = self.with_the_writer(move |writer| writer.undoing(&id)).await?;
        self.write(plan, leave).await
    }

    /// Brings writes to an end that were cut off, and says what became of them.
    pub async fn recover(&self) -> Result<Vec<Recovered>, WorkspaceError> {
        self.with_the_writer(Writer::recover).await
    }

    async fn with_the_writer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Writer) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let writer = self.writer.clone().ok_or(WorkspaceError::NoWriter)?;
        match tokio::task::spawn_blocking(move || work(&writer)).await {
            Ok(done) => Ok(done?),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(WorkspaceError::Internal("the writer was stopped".into())),
            },
        }
    }
}
