//! How a server stands, for whoever lists servers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Server, State};
use crate::life::Readiness;

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
    /// Resident bytes, its children included.
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
        let (restarts, last) = {
            let history = self.history();
            (history.restarts(), history.last().map(ToString::to_string))
        };
        let mut status = Status {
            name: self.name().to_owned(),
            languages: self.spec.languages.iter().map(|language| language.id.clone()).collect(),
            root: self.root.clone(),
            state: Was::Resting,
            detail: None,
            pid: None,
            memory: None,
            uptime: None,
            restarts,
            open_documents: 0,
        };
        match &*self.lock() {
            State::Resting => {}
            State::Starting { since } => {
                status.state = Was::Starting;
                status.uptime = Some(since.elapsed());
            }
            State::Living { life, .. } => {
                status.pid = life.pid();
                status.memory = life.memory();
                status.uptime = Some(life.began().elapsed());
                status.open_documents = life.open_documents().len();
                (status.state, status.detail) = match life.readiness() {
                    Readiness::Ready => (Was::Ready, None),
                    Readiness::Busy(what) => (Was::Indexing, Some(what)),
                };
            }
            State::Waiting { until } => {
                status.state = Was::Restarting;
                let pause = until.saturating_duration_since(Instant::now()).as_secs_f32();
                status.detail = last.map(|last| format!("starts again in {pause:.1} s; it {last}"));
            }
            State::GivenUp { error, .. } => {
                status.state = Was::Failed;
                status.detail = Some(error.fault.to_string());
            }
        }
        status
    }
}
