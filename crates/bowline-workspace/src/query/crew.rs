//! A question to the whole project, put to every server that knows a part of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bowline_code::{IndexedSymbol, SymbolKind};
use bowline_lsp::{Asker, FoundSymbol, Life, LspError, Readiness, Server, Shown, Was};

use super::find::segments;
use super::served::{Inquiry, Reach, Served, late};
use super::{Found, SymbolHit};
use crate::fleet::Assigned;
use crate::{IndexReport, Patience, Workspace, WorkspaceError};

/// So many servers are started for one question. Projects beyond are answered by syntax.
const MOST_STARTED: usize = 6;
/// Servers cut their lists at a hundred or more without a word.
const MAYBE_CUT: usize = 100;
/// How long a server that is still indexing is waited for, where syntax can answer instead.
const MAX_WAIT_WHILE_INDEXING: Duration = Duration::from_millis(200);

/// A server, and one of its files.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) server: Arc<Server>,
    pub(crate) file: PathBuf,
}

/// The servers of a workspace that could be asked about all of it.
#[derive(Default)]
pub(crate) struct Members {
    pub(crate) running: Vec<Member>,
    /// Servers that do not run, and would be started for a question.
    pub(crate) startable: Vec<Member>,
    /// How many projects have a server that does not run and is not started for this.
    pub(crate) left_out: usize,
}

impl Members {
    /// All that may be asked, those that run first; the others have to be started.
    pub(crate) fn all(self) -> Vec<Member> {
        self.running.into_iter().chain(self.startable).collect()
    }
}

/// By project and name.
type ByServer = BTreeMap<(PathBuf, String), Member>;

/// The servers of all projects, with the state of the index and of the log that they were found in.
#[derive(Default)]
pub(crate) struct KnownMembers(Mutex<Option<(Arc<IndexReport>, u64, ByServer)>>);

/// What the servers said.
#[derive(Default)]
pub(super) struct Crew {
    pub(super) asked: Vec<Asked>,
    notes: Vec<String>,
}

pub(super) struct Asked {
    server: Arc<Server>,
    hits: Vec<SymbolHit>,
    pub(super) indexed: bool,
    /// It may have had more.
    cut: bool,
}

impl Crew {
    pub(super) fn hits(&self) -> Vec<SymbolHit> {
        self.asked.iter().flat_map(|asked| asked.hits.iter().cloned()).collect()
    }

    /// Whether the server of a file has said everything that there is to say about it.
    pub(super) fn covers(&self, path: &Path) -> bool {
        self.asked.iter().any(|asked| {
            !asked.cut
                && asked.indexed
                && path.starts_with(asked.server.root())
                && asked.server.spec().language_of(path).is_some()
        })
    }

    pub(super) fn noted<T>(self, mut found: Found<T>) -> Found<T> {
        let notes: Vec<String> = found.note.take().into_iter().chain(self.notes).collect();
        found.note = (!notes.is_empty()).then(|| notes.join("\n"));
        found
    }
}

impl Workspace {
    /// Asks every server concerned for symbols of this name. A caller with little time is not made to wait for servers
    /// that do not run yet, which are started in the background, nor for those that are still indexing.
    pub(super) async fn ask_crew(
        &self,
        query: &str,
        patience: &Patience<'_>,
    ) -> Result<Crew, WorkspaceError> {
        // Before there is an index, those alone are known that have a document open.
        let mut members = if self.is_cold(patience) {
            self.sorted_members(ByServer::new())
        } else {
            self.members(patience).await?
        };
        let (mut left_out, mut notes) = (members.left_out, Vec::new());
        if !patience.is_long() {
            let resting = std::mem::take(&mut members.startable);
            left_out += resting.len();
            let starting = self.start_in_background(resting);
            left_out -= starting.len();
            let names: BTreeSet<String> = starting.iter().map(|name| format!("`{name}`")).collect();
            let names: Vec<String> = names.into_iter().collect();
            match names.as_slice() {
                [] => {}
                [name] => notes.push(format!("answered by syntax while {name} starts")),
                [names @ .., last] => {
                    let names = names.join(", ");
                    notes.push(format!("answered by syntax while {names} and {last} start"));
                }
            }
        }
        let members = members.all();
        let asking = members
            .iter()
            .map(|member| async move { (member, self.find_by_member(member, query, patience).await) });
        let mut crew = Crew { notes, ..Crew::default() };
        for (member, served) in futures_util::future::join_all(asking).await {
            match served {
                Ok(Served::Answer { value: (value, knows_all), indexed }) => {
                    let indexed = indexed && knows_all && member.server.scope().is_none();
                    let cut = value.len() >= MAYBE_CUT;
                    let hits = self.hits_of(value, &member.server);
                    crew.asked.push(Asked { server: Arc::clone(&member.server), hits, indexed, cut });
                }
                Ok(Served::Nobody) => {}
                Ok(Served::Without(reason)) => crew.notes.push(reason.note()),
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                // The file by which the project was known is gone, or too large: syntax answers for it.
                Err(error) => crew.notes.push(format!("`{}` was not asked: {error}", member.server.name())),
            }
        }
        if left_out > 0 {
            crew.notes
                .push(format!("answered by syntax for {left_out} more projects, whose servers do not run"));
        }
        Ok(crew)
    }

    async fn find_by_member(
        &self,
        member: &Member,
        query: &str,
        patience: &Patience<'_>,
    ) -> Result<Served<(Vec<FoundSymbol>, bool)>, WorkspaceError> {
        let asked = Instant::now();
        let serving = self.serve(&member.file, None, Reach::Project, patience, SymbolsLike(query));
        let is_busy = |life: Arc<Life>| matches!(life.readiness(), Readiness::Busy(_));
        if patience.is_long() || !member.server.current().is_some_and(is_busy) {
            return serving.await;
        }
        match tokio::time::timeout(MAX_WAIT_WHILE_INDEXING, serving).await {
            Ok(served) => served,
            Err(_) => {
                let assigned = Assigned { server: Arc::clone(&member.server), language: String::new() };
                Ok(Served::Without(late(&assigned, asked)))
            }
        }
    }

    /// Starts servers that do not run, without waiting for them, and says which those are. One that has failed is not
    /// started for this.
    fn start_in_background(&self, members: Vec<Member>) -> Vec<String> {
        let mut names = Vec::new();
        for member in members {
            let state = member.server.status().state;
            if state == Was::Failed {
                continue;
            }
            names.push(member.server.name().to_owned());
            if state == Was::Resting {
                self.fleet.warm_up(&self.shared, member.server);
            }
        }
        names
    }

    /// The servers of all projects that the index knows, with a file of each.
    async fn known_members(&self, patience: &Patience<'_>) -> Result<ByServer, WorkspaceError> {
        let report = self.fresh_index(patience).await?;
        let place = self.fleet.news_end();
        let known = || self.known_members.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, since, members)) = &*known()
            && Arc::ptr_eq(last, &report)
            && *since == place
        {
            return Ok(members.clone());
        }
        let (files, _) = self.ask(patience, |store| store.files()).await?;
        let mut by_server = ByServer::new();
        let mut seen: HashSet<(PathBuf, Option<String>)> = HashSet::new();
        for (path, ..) in files {
            let directory = path.parent().unwrap_or(&path).to_owned();
            let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
            // Files of one kind in one directory belong to one server.
            if !seen.insert((directory, extension)) {
                continue;
            }
            if let Some(assigned) = self.fleet.of_file(&path, &self.shared.roots) {
                let key = (assigned.server.root().to_owned(), assigned.server.name().to_owned());
                by_server.entry(key).or_insert(Member { server: assigned.server, file: path });
            }
        }
        *known() = Some((report, place, by_server.clone()));
        Ok(by_server)
    }

    /// Every server that knows a part of the workspace and can be asked, with a file of its own.
    pub(crate) async fn members(&self, patience: &Patience<'_>) -> Result<Members, WorkspaceError> {
        if self.fleet.specs().is_empty() {
            return Ok(Members::default());
        }
        Ok(self.sorted_members(self.known_members(patience).await?))
    }

    /// Those that can be asked, those that could be started, and how many others there are.
    fn sorted_members(&self, mut by_server: ByServer) -> Members {
        // Languages that no grammar reads are known by what their servers were shown.
        for server in self.fleet.all() {
            let key = (server.root().to_owned(), server.name().to_owned());
            let open = server.current().and_then(|life| life.open_documents().into_iter().next());
            if let Some(shown) = open {
                by_server.entry(key).or_insert(Member { server, file: shown.path });
            }
        }
        let mut programs: HashMap<String, bool> = HashMap::new();
        let mut can_run = |server: &Server| {
            let name = server.name().to_owned();
            *programs.entry(name).or_insert_with(|| server.program().is_ok())
        };
        let (running, resting): (Vec<Member>, Vec<Member>) =
            by_server.into_values().partition(|member| member.server.current().is_some());
        let resting: Vec<Member> = resting.into_iter().filter(|member| can_run(&member.server)).collect();
        let all = resting.len();
        // A project inside another one is an example or a fixture more often than not: it is not started for this.
        let roots: Vec<(String, PathBuf)> = resting
            .iter()
            .chain(&running)
            .map(|member| (member.server.name().to_owned(), member.server.root().to_owned()))
            .collect();
        let is_inner = |member: &Member| {
            let (name, root) = (member.server.name(), member.server.root());
            roots.iter().any(|(other, outer)| other == name && outer != root && root.starts_with(outer))
        };
        let room = MOST_STARTED.saturating_sub(running.len());
        let startable: Vec<Member> =
            resting.into_iter().filter(|member| !is_inner(member)).take(room).collect();
        let left_out = all - startable.len();
        Members { running, startable, left_out }
    }

    /// What is in the workspace, as the index would have it.
    fn hits_of(&self, found: Vec<FoundSymbol>, server: &Server) -> Vec<SymbolHit> {
        let hit = |found: FoundSymbol| {
            let path = found.location.file.clone();
            self.shared.roots.around(&path)?;
            let language = server.spec().language_of(&path)?.id.clone();
            Some(SymbolHit { path, language, symbol: indexed(found) })
        };
        found.into_iter().filter_map(hit).collect()
    }
}

/// gopls puts the package or the type before the name; others say it beside.
fn indexed(found: FoundSymbol) -> IndexedSymbol {
    let span = found.location.span();
    let is_qualified = found.name.contains('.') && found.kind != SymbolKind::String;
    let mut names = if is_qualified { segments(&found.name) } else { vec![found.name.clone()] };
    let name = names.pop().unwrap_or(found.name);
    let container = match names.as_slice() {
        [] => found.container.unwrap_or_default(),
        names => names.join("."),
    };
    IndexedSymbol { name, kind: found.kind, container, range: span, selection: span }
}

struct SymbolsLike<'a>(&'a str);

impl Inquiry for SymbolsLike<'_> {
    /// The symbols, and whether the server knows of all files.
    type Answer = (Vec<FoundSymbol>, bool);

    async fn put(&self, life: &Arc<Life>, _: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        Ok((life.find_symbols(self.0, asker).await?, life.knows_all_files()))
    }
}
