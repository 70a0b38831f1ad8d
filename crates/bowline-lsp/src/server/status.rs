//! How a server stands, for whoever lists servers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Server;
use super::core::Phase;
use crate::life::{Life, Readiness};

/// One server at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub name: String,
    pub languages: Vec<String>,
    pub root: PathBuf,
    pub state: Was,
    /// What it is doing, or why it is not.
    pub detail: Option<String>,
    pub pid: Option<u32>,
    /// Resident bytes, its children included. `None` until somebody counts them, which takes a look at every process
    /// of the machine.
    pub memory: Option<u64>,
    pub uptime: Option<Duration>,
    pub restarts: u64,
    pub open_documents: usize,
}

/// What state it was in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Was {
    Resting,
    Starting,
    Indexing,
    Ready,
    Restarting,
    Failed,
}

impl Was {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resting => "resting",
            Self::Starting => "starting",
            Self::Indexing => "indexing",
            Self::Ready => "ready",
            Self::Restarting => "restarting",
            Self::Failed => "failed",
        }
    }
}

impl Server {
    pub fn status(&self) -> Status {
        let mut status = Status {
            name: self.name().to_owned(),
            languages: self.spec().languages.iter().map(|language| language.id.clone()).collect(),
            root: self.root().to_owned(),
            state: Was::Resting,
            detail: None,
            pid: None,
            memory: None,
            uptime: None,
            restarts: self.core.history().restarts(),
            open_documents: 0,
        };
        // What takes time is asked of the life, when nobody waits for the lock any more.
        let life = match &self.core.lock().phase {
            Phase::Resting | Phase::Ending(_) => None,
            Phase::Starting { since } => {
                status.state = Was::Starting;
                status.uptime = Some(since.elapsed());
                None
            }
            Phase::Living(life) => Some(Arc::clone(life)),
            Phase::Waiting { until, after } => {
                status.state = Was::Restarting;
                let pause = until.saturating_duration_since(Instant::now()).as_secs_f32();
                status.detail = Some(format!("starts again in {pause:.1} s; it {after}"));
                None
            }
            Phase::GivenUp { error, .. } => {
                status.state = Was::Failed;
                status.detail = Some(error.fault.to_string());
                None
            }
        };
        if let Some(life) = life {
            status.look_at(&life);
        }
        status
    }
}

impl Status {
    fn look_at(&mut self, life: &Life) {
        if life.is_over() {
            // Why is found out just now.
            self.state = Was::Restarting;
            return;
        }
        self.pid = life.pid();
        self.uptime = Some(life.began().elapsed());
        self.open_documents = life.count_documents();
        (self.state, self.detail) = match life.readiness() {
            Readiness::Ready => (Was::Ready, None),
            Readiness::Busy(what) => (Was::Indexing, Some(what)),
            // It works, with less than the whole.
            Readiness::Stuck(why) => (Was::Ready, Some(why)),
        };
    }
}
