//! One server through all its lives: started when it is needed, watched, started again, stopped when idle.

mod core;
mod history;
mod reach;
mod run;
mod status;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;

use self::core::{Awaited, Core, Halt, Phase, Step};
pub use self::status::{Status, Was};
use crate::documents::Documents;
use crate::life::{Birth, Life, Streams};
use crate::{Fault, LspError, Reach, Scope, ServerSpec};

/// A server of one project. Dropped, it is ended.
///
/// What runs in the background holds the core, never this: otherwise nobody could drop it.
pub struct Server {
    core: Arc<Core>,
}

impl Server {
    /// A server that is started when it is first needed.
    pub fn new(spec: Arc<ServerSpec>, root: PathBuf, environment: Arc<[(OsString, OsString)]>) -> Arc<Self> {
        Arc::new(Self { core: Arc::new(Core::new(spec, root, environment)) })
    }

    /// A life over streams that somebody else has opened: a socket, a pipe in memory. It is not started again when
    /// it ends.
    pub async fn over<S>(spec: ServerSpec, root: PathBuf, stream: S) -> Result<Arc<Life>, LspError>
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + 'static,
    {
        let folders = vec![root.clone()];
        let birth =
            Birth { spec: Arc::new(spec), root, folders, documents: Documents::default(), scope: None };
        Life::begin(birth, Streams::of_stream(stream)).await
    }

    pub fn spec(&self) -> &ServerSpec {
        &self.core.spec
    }

    pub fn name(&self) -> &str {
        &self.core.spec.name
    }

    pub fn root(&self) -> &Path {
        &self.core.root
    }

    /// Hears of every change of its state.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.core.changed.subscribe()
    }

    /// The life that goes on now, if there is one. Nothing is started.
    pub fn current(&self) -> Option<Arc<Life>> {
        self.core.lock().life().filter(|life| !life.is_over()).cloned()
    }

    /// A living server: started now if it was not, waited for if it is just being started. If that start fails, so
    /// does this; the next one waits for the next start. Whoever cannot wait drops the future; the start goes on.
    pub async fn life(&self) -> Result<Arc<Life>, LspError> {
        let mut changes = self.core.changed.subscribe();
        let mut awaited: Option<Awaited> = None;
        loop {
            changes.borrow_and_update();
            match self.core.step(&mut awaited) {
                Step::There(life) => return Ok(life),
                Step::Never(error) => return Err(error),
                Step::Soon => {}
            }
            if changes.changed().await.is_err() {
                return Err(Fault::Stopped.of(self.name()));
            }
        }
    }

    /// Starts it if it rests. Nobody waits.
    pub fn start(&self) {
        self.core.step(&mut None);
    }

    /// Whether it lives, or is on its way to.
    pub fn is_at_work(&self) -> bool {
        !matches!(self.core.lock().phase, Phase::Resting | Phase::GivenUp { .. })
    }

    /// The folders that it is to start with.
    #[must_use]
    pub fn with_folders(self: Arc<Self>, folders: Vec<PathBuf>) -> Arc<Self> {
        self.core.set_folders(folders);
        self
    }

    /// What would be started, or why nothing can be.
    pub fn program(&self) -> Result<PathBuf, LspError> {
        match &self.core.spec.reach {
            Reach::Program { program, .. } => self.core.find(program).map_err(|fault| fault.of(self.name())),
            Reach::Address(address) => Ok(address.into()),
        }
    }

    pub fn folders(&self) -> Vec<PathBuf> {
        self.core.folders()
    }

    /// Sets the folders of the workspace. A server that cannot change them while it runs is ended, and has them when
    /// it is next needed.
    pub async fn set_folders(&self, folders: Vec<PathBuf>) {
        self.core.set_folders(folders.clone());
        // One that is just being started looks again when it lives.
        if let Some(life) = self.current()
            && !life.set_folders(&folders)
        {
            self.core.halt(Halt::ToGoOn).await;
        }
    }

    /// What it is to be limited to.
    pub fn scope(&self) -> Option<Scope> {
        self.core.scope()
    }

    /// Limits it to a part of its project, or lifts the limit. A server that cannot be told while it runs is ended, and
    /// is limited when it is next needed.
    pub async fn set_scope(&self, scope: Option<Scope>) {
        self.core.set_scope(scope.clone());
        // One that is just being started looks again when it lives.
        if let Some(life) = self.current()
            && !life.set_scope(scope.as_ref()).await
        {
            self.core.halt(Halt::ToGoOn).await;
        }
    }

    /// Ends it politely, and waits for that. Whoever waits for it to start is told. It is started again when it is
    /// next needed.
    pub async fn stop(&self) {
        self.core.halt(Halt::ToRest).await;
    }

    /// Ends it if it runs, forgets how often it failed, and starts it. Its documents are opened again.
    pub async fn restart(&self) -> Result<Arc<Life>, LspError> {
        self.core.halt(Halt::ToGoOn).await;
        self.core.forgive();
        self.life().await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.core.abandon();
    }
}
