//! One server through all its lives: started when it is needed, watched, started again, stopped when idle.

mod history;
mod status;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bowline_std::process::{Program, spawn};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use self::history::{History, Next};
pub use self::status::{Status, Was};
use crate::documents::Documents;
use crate::known::find_server;
use crate::life::{Birth, Life, Streams};
use crate::{Fault, LspError, Reach, ServerSpec};

/// How often memory and idleness are looked at.
const ROUND: Duration = Duration::from_secs(2);
/// A program that was not there is looked for again after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// How long a server that runs already may take to accept a connection.
const DIAL: Duration = Duration::from_secs(5);

/// A server of one project. Dropped, it is ended.
pub struct Server {
    spec: Arc<ServerSpec>,
    root: PathBuf,
    /// What its process sees of the environment.
    environment: Arc<[(OsString, OsString)]>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    folders: Mutex<Vec<PathBuf>>,
    history: Mutex<History>,
    /// Ends with the server.
    dropped: CancellationToken,
}

enum State {
    /// Nobody has needed it yet, or for a long time.
    Resting,
    Starting { since: Instant },
    Living { life: Arc<Life>, stop: CancellationToken },
    /// It failed, and is started again at this time.
    Waiting { until: Instant },
    GivenUp { error: LspError, since: Instant },
}

/// Why a life ended.
enum End {
    Idle,
    Stopped,
    Failed(Fault),
}

impl Server {
    /// A server that is started when it is first needed.
    pub fn new(spec: Arc<ServerSpec>, root: PathBuf, environment: Arc<[(OsString, OsString)]>) -> Arc<Self> {
        Arc::new(Self {
            folders: Mutex::new(vec![root.clone()]),
            spec,
            root,
            environment,
            state: Mutex::new(State::Resting),
            changed: watch::Sender::new(0),
            history: Mutex::default(),
            dropped: CancellationToken::new(),
        })
    }

    /// A life over streams that somebody else has opened: a socket, a pipe in memory. It is not started again when
    /// it ends.
    pub async fn over<S>(spec: ServerSpec, root: PathBuf, stream: S) -> Result<Arc<Life>, LspError>
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + 'static,
    {
        let folders = vec![root.clone()];
        let birth = Birth { spec: Arc::new(spec), root, folders, documents: Documents::default() };
        Life::begin(birth, Streams::of_stream(stream)).await
    }

    pub fn spec(&self) -> &ServerSpec {
        &self.spec
    }

    pub fn name(&self) -> &str {
        &self.spec.name
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.lock() = state;
        self.changed.send_modify(|count| *count += 1);
    }

    /// Hears of every change of its state.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The life that goes on now, if there is one. Nothing is started.
    pub fn current(&self) -> Option<Arc<Life>> {
        match &*self.lock() {
            State::Living { life, .. } if !life.is_over() => Some(Arc::clone(life)),
            _ => None,
        }
    }

    /// A living server: started now if it was not, waited for if it is just being started. Whoever cannot wait drops
    /// the future; the start goes on.
    pub async fn life(self: &Arc<Self>) -> Result<Arc<Life>, LspError> {
        let mut changes = self.changed.subscribe();
        loop {
            changes.borrow_and_update();
            match self.step() {
                Step::There(life) => return Ok(life),
                Step::Never(error) => return Err(error),
                Step::Soon => {}
            }
            if changes.changed().await.is_err() {
                return Err(Fault::Stopped.of(self.name()));
            }
        }
    }

    fn step(self: &Arc<Self>) -> Step {
        let mut state = self.lock();
        match &*state {
            State::Living { life, .. } if !life.is_over() => Step::There(Arc::clone(life)),
            State::GivenUp { error, since } => {
                let missing = matches!(error.fault, Fault::CannotStart(_) | Fault::NotInstalled);
                let may_be_there_now = missing && since.elapsed() > LOOK_AGAIN;
                if !may_be_there_now {
                    return Step::Never(error.clone());
                }
                self.begin_to_run(&mut state);
                Step::Soon
            }
            State::Resting => {
                self.begin_to_run(&mut state);
                Step::Soon
            }
            State::Starting { .. } | State::Living { .. } | State::Waiting { .. } => Step::Soon,
        }
    }

    fn begin_to_run(self: &Arc<Self>, state: &mut State) {
        *state = State::Starting { since: Instant::now() };
        let dropped = self.dropped.clone();
        let server = Arc::downgrade(self);
        tokio::spawn(async move {
            let running = async {
                let mut documents = Documents::default();
                // Held only between two waits, so that a server that nobody wants any more can go.
                while let Some(server) = server.upgrade() {
                    match server.live_once(documents).await {
                        Some(left) => documents = left,
                        None => break,
                    }
                }
            };
            tokio::select! {
                () = running => {}
                () = dropped.cancelled() => {}
            }
        });
    }

    /// One life, from start to end. What was open in it, if there is to be another.
    async fn live_once(&self, documents: Documents) -> Option<Documents> {
        let (end, documents) = match self.start(documents).await {
            Ok(life) => {
                let stop = CancellationToken::new();
                self.set(State::Living { life: Arc::clone(&life), stop: stop.clone() });
                let end = self.attend(&life, &stop).await;
                life.kill();
                (end, life.take_documents())
            }
            Err(error) => (End::Failed(error.fault), Documents::default()),
        };
        match end {
            End::Idle | End::Stopped => {
                self.set(State::Resting);
                None
            }
            End::Failed(fault) => {
                if !matches!(fault, Fault::NotInstalled) {
                    tracing::warn!("{}", fault.clone().of(self.name()));
                }
                let next = self.history().failed(fault, Instant::now());
                match next {
                    Next::Again { after } => {
                        self.set(State::Waiting { until: Instant::now() + after });
                        tokio::time::sleep(after).await;
                        self.set(State::Starting { since: Instant::now() });
                        Some(documents)
                    }
                    Next::Never(fault) => {
                        self.set(State::GivenUp { error: fault.of(self.name()), since: Instant::now() });
                        None
                    }
                }
            }
        }
    }

    /// Watches over a life until it ends, one way or another.
    async fn attend(&self, life: &Arc<Life>, stop: &CancellationToken) -> End {
        let limits = &self.spec.limits;
        let mut rounds = tokio::time::interval(ROUND);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let end = life.end();
        tokio::pin!(end);
        loop {
            tokio::select! {
                fault = &mut end => return End::Failed(fault),
                () = stop.cancelled() => {
                    life.stop().await;
                    return End::Stopped;
                }
                _ = rounds.tick() => {
                    if limits.idle.is_some_and(|idle| life.last_used().elapsed() > idle) {
                        tracing::info!(server = self.name(), "stopped, because nobody has asked it for long");
                        // Whoever comes now starts the next life, and must not get this one.
                        self.set(State::Starting { since: Instant::now() });
                        life.stop().await;
                        return End::Idle;
                    }
                    if let (Some(most), Some(used)) = (limits.memory, life.memory())
                        && used > most
                    {
                        life.end_for_memory(used, most);
                    }
                }
            }
        }
    }

    async fn start(&self, documents: Documents) -> Result<Arc<Life>, LspError> {
        let streams = self.reach().await.map_err(|fault| fault.of(self.name()))?;
        let folders = self.folders();
        let birth = Birth { spec: Arc::clone(&self.spec), root: self.root.clone(), folders, documents };
        Life::begin(birth, streams).await
    }

    async fn reach(&self) -> Result<Streams, Fault> {
        match &self.spec.reach {
            Reach::Program { program, args } => {
                let path = self.find(program)?;
                let mut env = self.environment.to_vec();
                env.extend(self.spec.env.iter().map(|(name, value)| (name.into(), value.into())));
                let args = args.iter().map(OsString::from).collect();
                let program = Program { path, args, dir: self.root.clone(), env };
                spawn(&program).await.map(Streams::of_process).map_err(|error| Fault::from(&error))
            }
            Reach::Address(address) => {
                let dialled = tokio::time::timeout(DIAL, TcpStream::connect(address)).await;
                let socket = dialled.map_err(|_| Fault::CannotStart(format!("nobody accepts at `{address}`")))?;
                let socket = socket.map_err(|error| Fault::CannotStart(format!("cannot connect to `{address}`: {error}")))?;
                Ok(Streams::of_socket(socket))
            }
        }
    }

    fn find(&self, program: &str) -> Result<PathBuf, Fault> {
        if program.contains(std::path::MAIN_SEPARATOR) {
            return Ok(self.root.join(program));
        }
        let path = self.spec.env.get("PATH").map(OsStr::new);
        let of_environment = || self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        let path = path.or_else(of_environment).unwrap_or_default();
        find_server(program, &self.root, path).map_err(|reason| match reason {
            Some(reason) => Fault::CannotStart(reason),
            None => Fault::NotInstalled,
        })
    }

    /// What would be started, or why nothing can be.
    pub fn program(&self) -> Result<PathBuf, LspError> {
        match &self.spec.reach {
            Reach::Program { program, .. } => self.find(program).map_err(|fault| fault.of(self.name())),
            Reach::Address(address) => Ok(address.into()),
        }
    }

    pub fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the folders of the workspace. A server that cannot change them while it runs is started again.
    pub async fn set_folders(self: &Arc<Self>, folders: Vec<PathBuf>) {
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders.clone();
        if let Some(life) = self.current()
            && !life.set_folders(folders)
        {
            self.stop().await;
        }
    }

    /// Ends it politely, and waits for that. It is started again when it is next needed.
    pub async fn stop(&self) {
        let mut changes = self.changed.subscribe();
        loop {
            changes.borrow_and_update();
            match &*self.lock() {
                State::Living { stop, .. } => stop.cancel(),
                State::Resting | State::GivenUp { .. } => return,
                // What is just being started is ended as soon as it lives.
                State::Starting { .. } | State::Waiting { .. } => {}
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Ends it if it runs, forgets how often it failed, and starts it. Its documents are opened again.
    pub async fn restart(self: &Arc<Self>) -> Result<Arc<Life>, LspError> {
        let open = self.current().map(|life| life.open_documents()).unwrap_or_default();
        self.stop().await;
        *self.history() = History::default();
        {
            let mut state = self.lock();
            if matches!(*state, State::GivenUp { .. }) {
                *state = State::Resting;
            }
        }
        let life = self.life().await?;
        for shown in open {
            life.show(&crate::Sheet { path: shown.path, language: shown.language, text: shown.text });
        }
        Ok(life)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.dropped.cancel();
    }
}

enum Step {
    There(Arc<Life>),
    Soon,
    Never(LspError),
}
