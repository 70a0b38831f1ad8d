//! Uses in other projects of the same workspace. A server knows its own project; a monorepo has many, and one may use
//! what another declares.
//!
//! Where the name is written in a project of the same language, its server is asked too: it knows how that project finds
//! the file that declares the name. A file that holds the name and of which no server says anything leaves a doubt, and
//! the answer says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Location, Position};
use bowline_lsp::Server;
use bowline_syntax::word_hash;

use super::cross::UsesOf;
use super::definition::name_at;
use super::served::{Reach, Served};
use super::{Found, References};
use crate::fleet::Assigned;
use crate::{Patience, Workspace, WorkspaceError};

/// So many other projects are asked about one name.
const MOST_ASKED: usize = 4;
/// So many files are named.
const MOST_NAMED: usize = 5;

/// Files that hold a name, by the server that knows them.
type Holding = Vec<(Arc<Server>, Vec<PathBuf>)>;

impl Workspace {
    /// Adds what the servers of other projects know to what one server found, for each position of a file.
    pub(super) async fn with_neighbours(
        &self,
        path: &Path,
        ats: &[Position],
        mut found: Vec<Result<Found<References>, WorkspaceError>>,
        patience: &Patience<'_>,
    ) -> Result<Vec<Result<Found<References>, WorkspaceError>>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(own) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(found);
        };
        if self.fleet.projects_like(&own.server, &self.shared.roots).len() < 2 {
            return Ok(found);
        }
        for (at, found) in ats.iter().zip(&mut found) {
            // What was found by name was looked for everywhere.
            let Ok(found) = found.as_mut().map_err(|_| ()) else { continue };
            if found.engine != bowline_code::Engine::Server {
                continue;
            }
            let holding = self.held_elsewhere(&real, *at, &own, patience).await?;
            for (index, (server, files)) in holding.iter().enumerate() {
                let doubt = if index < MOST_ASKED {
                    let assigned = Assigned { server: Arc::clone(server), language: own.language.clone() };
                    self.ask_neighbour((&real, *at), &assigned, files, found, patience).await?
                } else {
                    Some("too many projects hold the name".to_owned())
                };
                if let Some(why) = doubt {
                    found.indexed = false;
                    let told = self.unexplained(server, files, &why);
                    found.note =
                        Some(found.note.take().map_or(told.clone(), |note| format!("{note}\n{told}")));
                }
            }
        }
        Ok(found)
    }

    /// An answer about the whole workspace, of a server that may not know all of it: with every doubt that there is.
    pub(super) async fn qualified<T>(
        &self,
        mut found: Found<T>,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<T>, WorkspaceError> {
        let doubts = [self.doubt(path), self.neighbours_doubt(path, at, patience).await?];
        let told: Vec<String> = found.note.take().into_iter().chain(doubts.into_iter().flatten()).collect();
        if !told.is_empty() {
            found.indexed = false;
            found.note = Some(told.join("\n"));
        }
        Ok(found)
    }

    /// What to say of an answer about one project, where the name is also written in others.
    async fn neighbours_doubt(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(own) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(None);
        };
        if self.fleet.projects_like(&own.server, &self.shared.roots).len() < 2 {
            return Ok(None);
        }
        let holding = self.held_elsewhere(&real, at, &own, patience).await?;
        let told: Vec<String> = holding
            .iter()
            .map(|(server, files)| self.unexplained(server, files, "only its own project was asked"))
            .collect();
        Ok((!told.is_empty()).then(|| told.join("\n")))
    }

    /// Files of other projects that hold the name at a position.
    async fn held_elsewhere(
        &self,
        real: &Path,
        at: Position,
        own: &Assigned,
        patience: &Patience<'_>,
    ) -> Result<Holding, WorkspaceError> {
        let path = real.to_owned();
        let name = self.reading(patience, move |work| Ok(name_at(&work.read(&path)?, at)?.text)).await;
        let name = match name {
            Ok(name) => name,
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            // No grammar reads it, so nothing is known of who writes it.
            Err(_) => return Ok(Vec::new()),
        };
        let hash = word_hash(&name);
        let (files, _) = self.ask(patience, move |store| store.holding(hash)).await?;
        let mut by_root: BTreeMap<PathBuf, (Arc<Server>, Vec<PathBuf>)> = BTreeMap::new();
        for file in files {
            if let Some(assigned) = self.fleet.of_file(&file, &self.shared.roots)
                && assigned.server.name() == own.server.name()
                && !Arc::ptr_eq(&assigned.server, &own.server)
            {
                let root = assigned.server.root().to_owned();
                by_root.entry(root).or_insert_with(|| (assigned.server, Vec::new())).1.push(file);
            }
        }
        Ok(by_root.into_values().collect())
    }

    /// Asks the server of another project, and adds what it knows. Says why something is left in doubt.
    async fn ask_neighbour(
        &self,
        (real, at): (&Path, Position),
        assigned: &Assigned,
        files: &[PathBuf],
        found: &mut Found<References>,
        patience: &Patience<'_>,
    ) -> Result<Option<String>, WorkspaceError> {
        // The server of a project around the other one may have seen it all.
        let known: BTreeSet<&PathBuf> = found.value.places.iter().map(|place| &place.file).collect();
        if files.iter().all(|file| known.contains(file)) {
            return Ok(None);
        }
        let server = &assigned.server;
        let Some(first) = files.first() else { return Ok(None) };
        // Some load a project only once a file of it is open.
        match self.serve_by(assigned, first, None, Reach::Project, patience, super::cross::Nothing).await? {
            Served::Answer { .. } => {}
            Served::Nobody => return Ok(Some("it has no server".to_owned())),
            Served::Without(reason) => return Ok(Some(reason.into_error().to_string())),
        }
        let was_open = server.current().is_some_and(|life| life.shown(real).is_some());
        let served = self.serve_by(assigned, real, Some(at), Reach::Project, patience, UsesOf(at)).await;
        if !was_open && let Some(life) = server.current() {
            life.close(real);
        }
        let (places, complete) = match served? {
            Served::Answer { value: (places, knows_all), indexed } => (places, knows_all && indexed),
            Served::Nobody => return Ok(Some("it has no server".to_owned())),
            Served::Without(reason) => return Ok(Some(reason.into_error().to_string())),
        };
        let theirs = places.into_iter().filter(|place| place.file.starts_with(server.root()));
        let mut all: Vec<Location> = found.value.places.drain(..).chain(theirs).collect();
        all.sort_unstable();
        all.dedup();
        found.value.total = all.len();
        found.value.places = all;
        let explained: BTreeSet<&PathBuf> = found.value.places.iter().map(|place| &place.file).collect();
        if !complete {
            return Ok(Some("its server has not seen everything".to_owned()));
        }
        let is_explained = files.iter().all(|file| explained.contains(file));
        Ok((!is_explained).then(|| "its server does not say that it is this one".to_owned()))
    }

    fn unexplained(&self, server: &Server, files: &[PathBuf], why: &str) -> String {
        let shown = |path: &Path| {
            let root = self.shared.roots.around(path);
            let below = root.and_then(|root| path.strip_prefix(root).ok());
            below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path).display().to_string()
        };
        let mut named: Vec<String> = files.iter().take(MOST_NAMED).map(|file| shown(file)).collect();
        if files.len() > MOST_NAMED {
            named.push(format!("and {} more", files.len() - MOST_NAMED));
        }
        format!(
            "the name is also written in the project `{}` ({}): {why}",
            shown(server.root()),
            named.join(", ")
        )
    }
}
