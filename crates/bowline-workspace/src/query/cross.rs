//! Uses of a symbol in other repositories. Each is asked through its own server, which knows how it finds the library;
//! no folder is added to any server, so none is left behind.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Location, Position};
use bowline_lsp::{Asker, Life, LspError, Shown};

use super::served::{Inquiry, Reach, Served};
use super::{Found, References};
use crate::fleet::Assigned;
use crate::{Patience, Workspace, WorkspaceError};

/// A use, and in which repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RepoPlace {
    pub place: Location,
    /// `None`: in the one that declares it.
    pub repo: Option<PathBuf>,
}

/// Uses across repositories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrossReferences {
    pub places: Vec<RepoPlace>,
    pub warnings: Vec<String>,
}

impl Workspace {
    /// Where the symbol at a position is used, in its own repository and in each of these.
    pub async fn cross_references(
        &self,
        path: &Path,
        at: Position,
        consumers: &[PathBuf],
        patience: &Patience<'_>,
    ) -> Result<Found<CrossReferences>, WorkspaceError> {
        let real = self.resolve(path)?;
        let mut roots = Vec::with_capacity(consumers.len());
        for consumer in consumers {
            let root = self.resolve(consumer)?;
            if !root.is_dir() {
                return Err(WorkspaceError::NotADirectory { path: root });
            }
            roots.push(root);
        }
        let own: Found<References> = self.references(path, at, false, patience).await?;
        let mut found = CrossReferences::default();
        let mut indexed = own.indexed;
        let of = |place: &Location| {
            roots
                .iter()
                .filter(|root| place.file.starts_with(root))
                .max_by_key(|root| root.as_os_str().len())
                .cloned()
        };
        found.places.extend(own.value.places.into_iter().map(|place| RepoPlace { repo: of(&place), place }));
        for (root, written) in roots.iter().zip(consumers) {
            match self.uses_in(&real, at, root, patience).await {
                Ok((places, complete)) => {
                    if !complete {
                        found.warnings.push(self.incomplete(written, root));
                    }
                    indexed &= complete;
                    found.places.extend(
                        places
                            .into_iter()
                            .filter(|place| place.file.starts_with(root))
                            .map(|place| RepoPlace { repo: of(&place), place }),
                    );
                }
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                Err(error) => {
                    indexed = false;
                    found.warnings.push(format!("`{}` was not searched: {error}", written.display()));
                }
            }
        }
        found.places.sort_unstable();
        found.places.dedup_by(|later, earlier| later.place == earlier.place);
        Ok(Found { value: found, engine: own.engine, indexed, note: own.note })
    }

    /// What to say of a repository whose server has not seen all of it.
    fn incomplete(&self, written: &Path, root: &Path) -> String {
        let servers = self.fleet.all().into_iter().filter(|server| server.root().starts_with(root));
        let why = servers.filter_map(|server| server.status().detail).next();
        let why = why.unwrap_or_else(|| "its server has not seen everything".to_owned());
        format!("`{}` was not searched completely: {why}", written.display())
    }

    /// What the server of another project knows of uses of a symbol that it only imports.
    async fn uses_in(
        &self,
        real: &Path,
        at: Position,
        consumer: &Path,
        patience: &Patience<'_>,
    ) -> Result<(Vec<Location>, bool), WorkspaceError> {
        let Some(library) = self.fleet.of_file(real, &self.shared.roots) else {
            return Err(self.no_server(real));
        };
        let (root, file) = self.project_in(&library.language, consumer, patience).await?;
        let Some(file) = file else {
            return Err(WorkspaceError::NoFileOf { language: library.language, path: consumer.to_owned() });
        };
        let server = self.server_of(&library.language, &root)?;
        if Arc::ptr_eq(&server, &library.server) {
            // One server for both: it has been asked.
            return Ok((Vec::new(), true));
        }
        let assigned = Assigned { server: Arc::clone(&server), language: library.language };
        // Some load a project only once a file of it is open.
        match self.serve_by(&assigned, &file, None, Reach::Project, patience, Nothing).await? {
            Served::Without(reason) => return Err(reason.into_error()),
            Served::Nobody => return Err(self.no_server(&file)),
            Served::Answer { .. } => {}
        }
        let was_open = server.current().is_some_and(|life| life.shown(real).is_some());
        let served = self.serve_by(&assigned, real, Some(at), Reach::Project, patience, UsesOf(at)).await;
        if !was_open && let Some(life) = server.current() {
            life.close(real);
        }
        match served? {
            Served::Answer { value: (places, knows_all), indexed } => Ok((places, indexed && knows_all)),
            Served::Nobody => Err(self.no_server(real)),
            Served::Without(reason) => Err(reason.into_error()),
        }
    }
}

/// Asks nothing: to be ready is all.
pub(super) struct Nothing;

impl Inquiry for Nothing {
    type Answer = ();

    async fn put(&self, _: &Arc<Life>, _: &Shown, _: Asker<'_>) -> Result<(), LspError> {
        Ok(())
    }
}

/// Where something is used, and whether the server knows of all files.
pub(super) struct UsesOf(pub(super) Position);

impl Inquiry for UsesOf {
    type Answer = (Vec<Location>, bool);

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        let places = life.references(shown, self.0, false, asker).await?;
        Ok((places, life.knows_all_files()))
    }
}
