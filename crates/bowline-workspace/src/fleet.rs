//! All language servers of one project: which one a file belongs to, and how they are kept up to date.

mod fresh;
mod news;
mod project;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bowline_lsp::{LspError, Reach, Server, ServerSpec, Status};

use crate::roots::Roots;
use news::News;
use project::Projects;

pub(crate) use fresh::Freshness;

/// So many servers run at once.
const MOST_LIVING: usize = 12;

/// Which servers there may be, and what their processes see.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// In order of preference: the first that speaks a file's language is asked.
    pub specs: Vec<ServerSpec>,
    /// What a server's process sees of the environment.
    pub environment: Vec<(OsString, OsString)>,
}

/// The servers of a workspace. Each is started when it is first needed.
pub(crate) struct Fleet {
    specs: Vec<Arc<ServerSpec>>,
    environment: Arc<[(OsString, OsString)]>,
    servers: Mutex<HashMap<Berth, Arc<Server>>>,
    /// Folders beside the roots of the projects, told to every server.
    folders: Mutex<Vec<PathBuf>>,
    projects: Projects,
    pub(crate) freshness: Freshness,
    news: News,
    /// Somebody tells servers of changes in the background.
    spreading: AtomicBool,
}

/// A place for one server: a project, and which of the known ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Berth {
    root: PathBuf,
    /// The index of what it was made from.
    spec: usize,
}

/// The server that a file belongs to.
#[derive(Clone)]
pub(crate) struct Assigned {
    pub(crate) server: Arc<Server>,
    /// What the file is to be called in its language.
    pub(crate) language: String,
}

impl Fleet {
    pub(crate) fn new(options: ServerOptions) -> Self {
        Self {
            specs: options.specs.into_iter().map(Arc::new).collect(),
            environment: options.environment.into(),
            servers: Mutex::default(),
            folders: Mutex::default(),
            projects: Projects::default(),
            freshness: Freshness::default(),
            news: News::default(),
            spreading: AtomicBool::new(false),
        }
    }

    fn servers(&self) -> MutexGuard<'_, HashMap<Berth, Arc<Server>>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server for a file, by its real path. Nothing is started.
    pub(crate) fn of_file(&self, path: &Path, roots: &Roots) -> Option<Assigned> {
        let (spec, language) = self
            .specs
            .iter()
            .enumerate()
            .find_map(|(index, spec)| Some((index, spec.language_of(path)?.id.clone())))?;
        let within = roots.around(path)?;
        let root = self.projects.root_of(path, within, &self.specs[spec].root_markers);
        let server = self.at(Berth { root, spec });
        Some(Assigned { server, language })
    }

    /// The servers for a directory: one for each that is asked for or installed, and whose files or markers are
    /// there is the caller's to know.
    pub(crate) fn of_language(&self, language: &str, root: &Path) -> Option<Arc<Server>> {
        let speaks = |spec: &Arc<ServerSpec>| spec.languages.iter().any(|spoken| spoken.id == language);
        let spec = self.specs.iter().position(speaks)?;
        Some(self.at(Berth { root: root.to_owned(), spec }))
    }

    fn at(&self, berth: Berth) -> Arc<Server> {
        let mut servers = self.servers();
        if let Some(server) = servers.get(&berth) {
            return Arc::clone(server);
        }
        let spec = Arc::clone(&self.specs[berth.spec]);
        let server = Server::new(spec, berth.root.clone(), Arc::clone(&self.environment));
        servers.insert(berth, Arc::clone(&server));
        server
    }

    /// Puts a server that runs already in the place of the one that would be started. The working one is only ended
    /// once the other has answered.
    pub(crate) async fn connect(
        &self,
        language: &str,
        root: &Path,
        address: &str,
    ) -> Result<Arc<Server>, LspError> {
        let speaks = |spec: &Arc<ServerSpec>| spec.languages.iter().any(|spoken| spoken.id == language);
        let Some(index) = self.specs.iter().position(speaks) else {
            let fault = bowline_lsp::Fault::CannotStart(format!("no server is known for `{language}`"));
            return Err(LspError { server: language.to_owned(), fault });
        };
        let spec = ServerSpec { reach: Reach::Address(address.to_owned()), ..(*self.specs[index]).clone() };
        let server = Server::new(Arc::new(spec), root.to_owned(), Arc::clone(&self.environment));
        server.life().await?;
        let before = self.servers().insert(Berth { root: root.to_owned(), spec: index }, Arc::clone(&server));
        if let Some(before) = before {
            before.stop().await;
        }
        Ok(server)
    }

    /// Makes room for one more server: the one that nobody has asked for the longest time is stopped. A repository may
    /// hold hundreds of projects, and an agent walk through all of them.
    async fn make_room(&self) {
        let living =
            self.all().into_iter().filter_map(|server| Some((server.current()?.unused_for(), server)));
        let mut living: Vec<_> = living.collect();
        if living.len() < MOST_LIVING {
            return;
        }
        living.sort_by_key(|(unused, _)| *unused);
        if let Some((_, longest)) = living.pop() {
            tracing::info!(server = longest.name(), root = %longest.root().display(), "stopped to make room for another");
            longest.stop().await;
        }
    }

    /// Every server that was ever needed, in a stable order.
    pub(crate) fn all(&self) -> Vec<Arc<Server>> {
        let mut servers: Vec<Arc<Server>> = self.servers().values().cloned().collect();
        servers.sort_by(|left, right| (left.root(), left.name()).cmp(&(right.root(), right.name())));
        servers
    }

    pub(crate) fn specs(&self) -> &[Arc<ServerSpec>] {
        &self.specs
    }

    pub(crate) fn statuses(&self) -> Vec<Status> {
        self.all().iter().map(|server| server.status()).collect()
    }

    /// Ends all of them, politely and at once.
    pub(crate) async fn stop(&self) {
        let stopping: Vec<_> =
            self.all().into_iter().map(|server| tokio::spawn(async move { server.stop().await })).collect();
        for stopped in stopping {
            let _ = stopped.await;
        }
    }

    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the folders that every server has beside the root of its project.
    pub(crate) async fn set_folders(&self, folders: Vec<PathBuf>) {
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders.clone();
        for server in self.all() {
            let mut all = vec![server.root().to_owned()];
            all.extend(folders.iter().filter(|folder| *folder != server.root()).cloned());
            server.set_folders(all).await;
        }
    }
}
