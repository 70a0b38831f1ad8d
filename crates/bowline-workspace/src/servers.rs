//! The language servers of a workspace, as a user sees them: which there could be, how they stand, and when they
//! are started and stopped.

mod detect;
mod examine;

pub use bowline_lsp::known::{KNOWN, KnownServer};
pub use detect::{Detected, Installed, LanguageUse, NotInstalled, detect};
pub use examine::{Examination, Trial};

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_lsp::{Lender, LspError, Server, Sheet, Status, Was};

use self::examine::Disk;

use crate::fleet::Assigned;
use crate::patience::until;
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

    /// How the servers stand that were needed so far.
    pub fn server_statuses(&self) -> Vec<Status> {
        self.fleet.statuses()
    }

    /// Starts the server of a language for the project that a directory holds, or belongs to, and waits for as long as
    /// `ready_within` says until it has seen all of it. A server that was reached by its address is left for it.
    pub async fn start_server(
        &self,
        language: &str,
        directory: &Path,
        ready_within: Option<Duration>,
        patience: &Patience<'_>,
    ) -> Result<Status, WorkspaceError> {
        let (root, file) = self.project_in(language, directory, patience).await?;
        self.fleet.disconnect(language, &root).await;
        let server = self.server_of(language, &root)?;
        if let Some(file) = &file {
            let assigned = Assigned { server: Arc::clone(&server), language: language.to_owned() };
            // Before it starts: some can only be limited then.
            self.steer(&assigned, file, patience).await?;
        }
        let starting = async {
            let life = self.alive(&server).await?;
            if let Some(within) = ready_within {
                // Some servers look at nothing before they are shown something.
                let shown = file.and_then(|path| {
                    let text = Disk.text(&path)?;
                    Some(life.show(&Sheet { path, language: language.to_owned(), text }))
                });
                let _ = tokio::time::timeout(within, life.ready(shown.as_ref())).await;
            }
            Ok(server.status())
        };
        self.waiting(&server, starting, patience).await
    }

    /// Takes a server that runs already, at this address, in the place of the one that would be started. If it cannot
    /// be reached, nothing changes.
    pub async fn connect_server(
        &self,
        language: &str,
        directory: &Path,
        address: &str,
        patience: &Patience<'_>,
    ) -> Result<Status, WorkspaceError> {
        let (root, _) = self.project_in(language, directory, patience).await?;
        let server = self.server_of(language, &root)?;
        let connecting = async {
            self.fleet.watch_files(&self.shared).await;
            Ok(self.fleet.connect(language, &root, address).await?.status())
        };
        self.waiting(&server, connecting, patience).await
    }

    /// Where the project of a language begins that a directory holds, or belongs to, and a file of it.
    pub(crate) async fn project_in(
        &self,
        language: &str,
        directory: &Path,
        patience: &Patience<'_>,
    ) -> Result<(PathBuf, Option<PathBuf>), WorkspaceError> {
        let specs = self.fleet.specs().iter();
        let spoken = specs.flat_map(|spec| &spec.languages).find(|spoken| spoken.id == language);
        let extensions = spoken.map(|spoken| spoken.extensions.clone()).unwrap_or_default();
        let searched = directory.to_owned();
        let files = self.blocking(patience, move |_| Ok(examine::files(&searched, &extensions))).await?;
        let file = files.into_iter().next();
        let assigned = file.as_ref().and_then(|file| self.fleet.of_file(file, &self.shared.roots));
        let root =
            assigned.map_or_else(|| directory.to_owned(), |assigned| assigned.server.root().to_owned());
        Ok((root, file))
    }

    /// Starts servers again, with the documents they had open: all that run below a directory, or everywhere. Each
    /// for itself: one that cannot is an error of its own.
    pub async fn restart_servers(
        &self,
        below: Option<&Path>,
        patience: &Patience<'_>,
    ) -> Vec<(String, Result<Status, WorkspaceError>)> {
        let concerned = |server: &Arc<Server>| {
            below.is_none_or(|below| server.root().starts_with(below))
                && server.status().state != Was::Resting
        };
        let servers: Vec<Arc<Server>> = self.fleet.all().into_iter().filter(concerned).collect();
        let restarting = servers.iter().map(|server| async {
            let restarting = async {
                server.restart().await?;
                Ok(server.status())
            };
            (server.name().to_owned(), self.waiting(server, restarting, patience).await)
        });
        futures_util::future::join_all(restarting).await
    }

    /// Ends all servers, politely, and the evaluations of drafts that use them. They are started again when they are next
    /// needed.
    pub async fn stop_servers(&self) {
        self.remembered().await;
        self.stop_evaluations().await;
        self.fleet.stop().await;
    }

    /// The folders that every server has beside the root of its project.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.fleet.folders()
    }

    pub async fn add_folder(&self, folder: &Path) {
        let mut folders = self.fleet.folders();
        if !folders.iter().any(|known| known == folder) {
            folders.push(folder.to_owned());
            self.fleet.set_folders(folders).await;
        }
    }

    /// Whether it was one of them.
    pub async fn remove_folder(&self, folder: &Path) -> bool {
        let mut folders = self.fleet.folders();
        let before = folders.len();
        folders.retain(|known| known != folder);
        let removed = folders.len() < before;
        if removed {
            self.fleet.set_folders(folders).await;
        }
        removed
    }

    /// The names of the languages that have a server, or could have.
    pub fn server_languages(&self) -> Vec<String> {
        let specs = self.fleet.specs().iter();
        specs.flat_map(|spec| spec.languages.iter().map(|language| language.id.clone())).collect()
    }

    /// The languages found below a directory whose servers can be started.
    pub async fn startable_languages(
        &self,
        directory: &Path,
        patience: &Patience<'_>,
    ) -> Result<Vec<String>, WorkspaceError> {
        let found = directory.to_owned();
        let used =
            self.blocking(patience, move |work| Ok(detect::languages(&[found], &|| work.stopped()))).await?;
        let files = |id: &str| used.iter().find(|used| used.language == id).map(|used| used.files);
        let mut languages: Vec<String> = Vec::new();
        for spec in self.fleet.specs() {
            // One server that speaks several languages is started once, for the one that is used most.
            let by_use =
                spec.languages.iter().filter(|language| spec.asked_for || files(&language.id).is_some());
            let Some(language) = by_use.max_by_key(|language| files(&language.id)) else {
                continue;
            };
            let is_there =
                || self.fleet.program_of(&language.id, directory).is_some_and(|program| program.is_ok());
            if spec.asked_for || is_there() {
                languages.push(language.id.clone());
            }
        }
        Ok(languages)
    }

    /// The server of a language by name, and where its program is.
    pub fn server_named(&self, language: &str, root: &Path) -> Option<(String, Option<PathBuf>)> {
        let spec = self
            .fleet
            .specs()
            .iter()
            .find(|spec| spec.languages.iter().any(|spoken| spoken.id == language))?;
        Some((spec.name.clone(), self.fleet.program_of(language, root)?.ok()))
    }

    /// The languages found below a directory whose servers cannot be started, and why.
    pub async fn missing_servers(
        &self,
        directory: &Path,
        patience: &Patience<'_>,
    ) -> Result<Vec<(String, LspError)>, WorkspaceError> {
        let found = directory.to_owned();
        let used =
            self.blocking(patience, move |work| Ok(detect::languages(&[found], &|| work.stopped()))).await?;
        let missing = |used: &LanguageUse| {
            Some((used.language.to_owned(), self.fleet.program_of(used.language, directory)?.err()?))
        };
        Ok(used.iter().filter_map(missing).collect())
    }

    pub(crate) fn server_of(&self, language: &str, root: &Path) -> Result<Arc<Server>, WorkspaceError> {
        self.fleet.of_language(language, root).ok_or_else(|| WorkspaceError::NoServerFor {
            language: language.to_owned(),
            known: self.server_languages(),
        })
    }

    pub(crate) async fn waiting<T>(
        &self,
        server: &Server,
        working: impl Future<Output = Result<T, LspError>>,
        patience: &Patience<'_>,
    ) -> Result<T, WorkspaceError> {
        tokio::select! {
            biased;
            done = working => Ok(done?),
            () = patience.cancellation.cancelled() => Err(WorkspaceError::Cancelled),
            () = until(patience.deadline) => {
                let status = server.status();
                let what = format!("is still {}", status.state.as_str());
                Err(WorkspaceError::ServerLate { server: status.name, what })
            }
        }
    }
}
