//! All language servers of one project: which one a file belongs to, and how they are kept up to date.

mod fresh;
mod news;
mod project;
mod sight;
mod world;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bowline_lsp::{LspError, Reach, Server, ServerSpec, Status};

use crate::roots::Roots;
use crate::scope::Scopes;
use news::News;
use project::Projects;
use sight::Sights;
use world::Worlds;

pub(crate) use fresh::Freshness;
pub(crate) use sight::Sight;
pub(crate) use world::{World, hides_sources, is_prose};

/// So many servers run at once.
const MOST_AT_WORK: usize = 12;
/// So many are started at once.
const MOST_STARTING: usize = 3;
/// How long a start waits for room before it takes it.
const ROOM: Duration = Duration::from_secs(30);

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
    servers: Mutex<HashMap<Berth, Ship>>,
    /// Folders beside the roots of the projects, told to every server.
    folders: Mutex<Vec<PathBuf>>,
    projects: Projects,
    pub(crate) freshness: Freshness,
    pub(crate) scopes: Scopes,
    news: News,
    worlds: Worlds,
    sights: Sights,
    like: Mutex<HashMap<usize, Like>>,
    /// Held by whoever starts a server, until it is on its way.
    launching: tokio::sync::Mutex<()>,
    /// Somebody tells servers of changes in the background.
    spreading: AtomicBool,
    /// Files are watched, or about to be.
    watching: AtomicBool,
}

/// The projects that one server could have, and up to which place in the log they are those.
type Like = (news::Place, Arc<BTreeSet<PathBuf>>);

/// A server, and how far in the log of changes it has been told.
#[derive(Clone)]
struct Ship {
    server: Arc<Server>,
    told: Arc<AtomicU64>,
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
            scopes: Scopes::default(),
            news: News::default(),
            worlds: Worlds::default(),
            sights: Sights::default(),
            like: Mutex::default(),
            launching: tokio::sync::Mutex::default(),
            spreading: AtomicBool::new(false),
            watching: AtomicBool::new(false),
        }
    }

    fn servers(&self) -> MutexGuard<'_, HashMap<Berth, Ship>> {
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

    /// The server of a language for the project at a directory.
    pub(crate) fn of_language(&self, language: &str, root: &Path) -> Option<Arc<Server>> {
        Some(self.at(Berth { root: root.to_owned(), spec: self.spec_of(language)? }))
    }

    /// What would be started for a language, or why nothing can be. No place is taken for it.
    pub(crate) fn program_of(&self, language: &str, root: &Path) -> Option<Result<PathBuf, LspError>> {
        let spec = Arc::clone(&self.specs[self.spec_of(language)?]);
        Some(Server::new(spec, root.to_owned(), Arc::clone(&self.environment)).program())
    }

    /// Where the projects begin that would have a server like this one. Known once files are watched.
    pub(crate) fn projects_like(&self, server: &Server, roots: &Roots) -> Arc<BTreeSet<PathBuf>> {
        let Some(spec) = self.specs.iter().position(|spec| spec.name == server.name()) else {
            return Arc::default();
        };
        let now = self.news.now();
        let known = || self.like.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((place, projects)) = known().get(&spec)
            && *place == now
        {
            return Arc::clone(projects);
        }
        let mut seen = HashSet::new();
        let mut projects = BTreeSet::from([server.root().to_owned()]);
        for path in self.news.paths() {
            let speaks = self.specs[spec].language_of(&path).is_some();
            // Files in one directory belong to one project.
            let Some(directory) = path.parent().filter(|_| speaks) else { continue };
            if seen.insert(directory.to_owned())
                && let Some(within) = roots.around(&path)
            {
                projects.insert(self.projects.root_of(&path, within, &self.specs[spec].root_markers));
            }
        }
        let projects = Arc::new(projects);
        known().insert(spec, (now, Arc::clone(&projects)));
        projects
    }

    fn spec_of(&self, language: &str) -> Option<usize> {
        self.specs.iter().position(|spec| spec.languages.iter().any(|spoken| spoken.id == language))
    }

    fn at(&self, berth: Berth) -> Arc<Server> {
        if let Some(ship) = self.servers().get(&berth) {
            return Arc::clone(&ship.server);
        }
        let server = self.build(Arc::clone(&self.specs[berth.spec]), berth.root.clone());
        let mut servers = self.servers();
        let ship = servers.entry(berth).or_insert_with(|| Ship { server, told: Arc::default() });
        Arc::clone(&ship.server)
    }

    fn build(&self, spec: Arc<ServerSpec>, root: PathBuf) -> Arc<Server> {
        let folders = self.folders_with(&root);
        Server::new(spec, root, Arc::clone(&self.environment)).with_folders(folders)
    }

    /// Puts a server that runs already in the place of the one that would be started. The working one is only ended
    /// once the other has answered.
    pub(crate) async fn connect(
        &self,
        language: &str,
        root: &Path,
        address: &str,
    ) -> Result<Arc<Server>, LspError> {
        let Some(index) = self.spec_of(language) else {
            let fault = bowline_lsp::Fault::CannotStart(format!("no server is known for `{language}`"));
            return Err(LspError { server: language.to_owned(), fault });
        };
        let spec = ServerSpec { reach: Reach::Address(address.to_owned()), ..(*self.specs[index]).clone() };
        let server = self.build(Arc::new(spec), root.to_owned());
        let told = Arc::new(AtomicU64::new(self.news.now()));
        server.life().await?;
        self.replace(
            Berth { root: root.to_owned(), spec: index },
            Ship { server: Arc::clone(&server), told },
        )
        .await;
        Ok(server)
    }

    /// Puts the program back in the place of a server that was reached by its address.
    pub(crate) async fn disconnect(&self, language: &str, root: &Path) {
        let Some(spec) = self.spec_of(language) else {
            return;
        };
        let berth = Berth { root: root.to_owned(), spec };
        let is_remote = |ship: &Ship| matches!(ship.server.spec().reach, Reach::Address(_));
        if self.servers().get(&berth).is_some_and(is_remote) {
            let server = self.build(Arc::clone(&self.specs[spec]), root.to_owned());
            self.replace(berth, Ship { server, told: Arc::default() }).await;
        }
    }

    async fn replace(&self, berth: Berth, ship: Ship) {
        let before = self.servers().insert(berth, ship);
        if let Some(before) = before {
            before.server.stop().await;
        }
    }

    /// Makes room for one more server: the one that nobody has asked for the longest time is stopped, and few are
    /// started at once. A repository may hold hundreds of projects, and an agent walk through all of them.
    async fn make_room(&self) {
        let until = Instant::now() + ROOM;
        while Instant::now() < until {
            let at_work: Vec<Arc<Server>> =
                self.all().into_iter().filter(|server| server.is_at_work()).collect();
            let starting = at_work.iter().filter(|server| server.current().is_none()).count();
            if at_work.len() < MOST_AT_WORK && starting < MOST_STARTING {
                return;
            }
            let unused = |server: &Arc<Server>| server.current().map(|life| life.unused_for());
            let longest = at_work
                .iter()
                .filter_map(|server| Some((unused(server)?, server)))
                .max_by_key(|(time, _)| *time);
            match longest {
                Some((time, server)) if at_work.len() >= MOST_AT_WORK && !time.is_zero() => {
                    tracing::info!(server = server.name(), root = %server.root().display(), "stopped to make room for another");
                    server.stop().await;
                }
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Every server that was ever needed, in a stable order.
    pub(crate) fn all(&self) -> Vec<Arc<Server>> {
        let mut servers: Vec<Arc<Server>> =
            self.servers().values().map(|ship| Arc::clone(&ship.server)).collect();
        servers.sort_by(|left, right| (left.root(), left.name()).cmp(&(right.root(), right.name())));
        servers
    }

    pub(crate) fn specs(&self) -> &[Arc<ServerSpec>] {
        &self.specs
    }

    /// What the programs that are started see of the environment.
    pub(crate) fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
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
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders;
        for server in self.all() {
            server.set_folders(self.folders_with(server.root())).await;
        }
    }

    /// The folders of a server: the root of its project, and what was added.
    fn folders_with(&self, root: &Path) -> Vec<PathBuf> {
        let mut all = vec![root.to_owned()];
        all.extend(self.folders().into_iter().filter(|folder| folder != root));
        all
    }

    /// How far in the log of changes a server has been told.
    pub(crate) fn told(&self, server: &Arc<Server>) -> u64 {
        let ships = self.ships();
        let ship = ships.iter().find(|ship| Arc::ptr_eq(&ship.server, server));
        ship.map_or(0, |ship| ship.told.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn ships(&self) -> Vec<Ship> {
        self.servers().values().cloned().collect()
    }
}
