//! What there is to say about a name. Only a language server knows.

use std::path::Path;
use std::sync::Arc;

use bowline_code::Position;
use bowline_lsp::{Asker, Hover, Life, LspError, Readiness, Shown};

use super::Found;
use super::served::{Inquiry, Reach, Served};
use crate::{Patience, Workspace, WorkspaceError};

impl Workspace {
    /// `None`: the server has nothing to say about this place.
    pub async fn hover(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Option<Hover>>, WorkspaceError> {
        let served = self.serve(path, Some(at), Reach::File, patience, HoverAt(at)).await?;
        match served {
            Served::Answer { value, indexed } => Ok(Found::by_server(value, indexed)),
            Served::Nobody => Err(self.no_server(path)),
            Served::Without(reason) => Err(reason.into_error()),
        }
    }

    /// What to say where only a server could answer.
    pub(crate) fn no_server(&self, path: &Path) -> WorkspaceError {
        let wanted = self.fleet.specs().iter().find(|spec| spec.language_of(path).is_some());
        WorkspaceError::NoServer { path: path.to_owned(), wanted: wanted.map(|spec| spec.name.clone()) }
    }
}

/// Asks a server what it has to say.
struct HoverAt(Position);

impl Inquiry for HoverAt {
    type Answer = Option<Hover>;

    async fn put(
        &self,
        life: &Arc<Life>,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Result<Option<Hover>, LspError> {
        let hover = life.hover(shown, self.0, asker).await?;
        if hover.is_some() || life.readiness() == Readiness::Ready {
            return Ok(hover);
        }
        // It may only not have come there yet.
        life.ready(Some(shown)).await;
        life.hover(shown, self.0, asker).await
    }
}
