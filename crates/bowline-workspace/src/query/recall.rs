//! What was answered before, in the same world: still true, and not asked again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bowline_code::{Engine, Location, Position};

use super::{Found, References};
use crate::fleet::World;
use crate::patience::until;
use crate::query::served::server_deadline;
use crate::{Patience, Recollected, Recollection, RecollectionKey, Workspace, WorkspaceError};

/// What came of looking, and where to put what is found out instead.
pub(super) struct Recalled {
    /// One for each position, in order.
    pub(super) hits: Vec<Option<Found<References>>>,
    pub(super) memory: Option<Memory>,
}

/// Where an answer belongs.
pub(super) struct Memory {
    store: Arc<dyn Recollection>,
    world: World,
    /// The file that was asked about, relative to the root.
    file: PathBuf,
    root: PathBuf,
    include_declaration: bool,
}

impl Memory {
    fn key(&self, at: Position) -> RecollectionKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.file.as_os_str().as_encoded_bytes());
        hasher.update(&[0, u8::from(self.include_declaration)]);
        hasher.update(&at.line.to_le_bytes()).update(&at.column.to_le_bytes());
        RecollectionKey { world: self.world.hash, question: *hasher.finalize().as_bytes() }
    }
}

impl Workspace {
    /// Looks whether each has been answered in this very world. A memory that fails remembers nothing.
    pub(super) async fn recall(
        &self,
        path: &Path,
        ats: &[Position],
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Recalled, WorkspaceError> {
        let nothing = || Recalled { hits: vec![None; ats.len()], memory: None };
        let Some(memory) = self.memory(path, include_declaration, patience).await? else {
            return Ok(nothing());
        };
        self.remembered().await;
        let keys: Vec<RecollectionKey> = ats.iter().map(|at| memory.key(*at)).collect();
        let store = Arc::clone(&memory.store);
        let found = match self.blocking(patience, move |_| Ok(store.recall(&keys))).await? {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "earlier answers cannot be used");
                return Ok(nothing());
            }
        };
        let mut hits: Vec<Option<Found<References>>> =
            found.into_iter().map(|hit| hit.and_then(|hit| revived(hit, &memory.root))).collect();
        hits.resize(ats.len(), None);
        Ok(Recalled { hits, memory: Some(memory) })
    }

    async fn memory(
        &self,
        path: &Path,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Option<Memory>, WorkspaceError> {
        let Some(store) = self.recollection.clone() else {
            return Ok(None);
        };
        let asked = Arc::clone(&store);
        if !self.blocking(patience, move |_| Ok(asked.is_there())).await? {
            return Ok(None);
        }
        let real = self.resolve(path)?;
        let Some(assigned) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(None);
        };
        let Some(root) = self.shared.roots.around(assigned.server.root()).map(Path::to_owned) else {
            return Ok(None);
        };
        let Ok(file) = real.strip_prefix(&root).map(Path::to_owned) else {
            return Ok(None);
        };
        let finding = async {
            // Before it starts: some can only be limited then.
            self.steer(&assigned, &real, patience).await.ok()?;
            // Whoever it is says its name in the handshake; nothing need be read before that is known.
            let life = self.alive(&assigned.server).await.ok()?;
            let as_of = patience.as_of.unwrap_or_else(Instant::now);
            self.fleet.world(&self.shared, &assigned.server, &life, as_of).await.ok()?
        };
        let world = tokio::select! {
            biased;
            world = finding => world,
            () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
            () = until(server_deadline(patience)) => None,
        };
        Ok(world.map(|world| Memory { store, world, file, root, include_declaration }))
    }

    /// Keeps what a server said that had seen everything, if nothing has changed since it was asked. The caller does not
    /// wait until it is written; the next one who looks does.
    pub(super) async fn remember<'a>(
        &self,
        memory: Memory,
        found: impl Iterator<Item = (Position, &'a Result<Found<References>, WorkspaceError>)>,
    ) {
        let relative = |place: &Location| {
            let file = place.file.strip_prefix(&memory.root).ok()?.to_owned();
            Some(Location { file, ..place.clone() })
        };
        let entry = |(at, found): (Position, &Result<Found<References>, WorkspaceError>)| {
            let found = found.as_ref().ok()?;
            let is_whole = found.value.places.len() == found.value.total;
            if found.engine != Engine::Server || !found.indexed || !is_whole {
                return None;
            }
            // Places outside are not part of the world.
            let places = found.value.places.iter().map(relative).collect::<Option<Vec<Location>>>()?;
            Some((memory.key(at), places))
        };
        let entries: Vec<(RecollectionKey, Vec<Location>)> = found.filter_map(entry).collect();
        if entries.is_empty() || !self.fleet.is_still(&self.shared, memory.world.since).await.unwrap_or(false)
        {
            return;
        }
        let turn = Arc::clone(&self.remembering).lock_owned().await;
        let store = memory.store;
        tokio::spawn(async move {
            let _turn = turn;
            match tokio::task::spawn_blocking(move || store.remember(entries)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::debug!(%error, "answers were not kept"),
                Err(error) => tracing::debug!(%error, "answers were not kept"),
            }
        });
    }

    /// Waits until everything that is to be kept is kept.
    pub(crate) async fn remembered(&self) {
        drop(self.remembering.lock().await);
    }
}

fn revived(hit: Recollected, root: &Path) -> Option<Found<References>> {
    let total = hit.places.len();
    let places =
        hit.places.into_iter().map(|place| Location { file: root.join(&place.file), ..place }).collect();
    let note = hit.shared.then(|| "from the shared cache of this project".to_owned());
    let value = References { name: String::new(), places, total };
    Some(Found { value, engine: Engine::Cache, indexed: true, note })
}
