//! Which language servers each running bowline has, written down for `bowline servers`.
//!
//! A file for each process, replaced whole whenever something changes and removed at the end. What a killed process
//! left behind is recognised by its number and the time of its start, and removed by whoever reads next.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bowline_std::fs::{read_text, replace_private};
use bowline_std::process::{alive, start_ticks};
use bowline_workspace::{Status, Workspace};
use serde::{Deserialize, Serialize};

/// How often it is looked whether something has changed.
const ROUND: Duration = Duration::from_secs(1);
/// A few servers are a few hundred bytes each.
const MOST_BYTES: u64 = 1 << 20;

/// One bowline and its servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) pid: u32,
    start_ticks: Option<u64>,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) servers: Vec<Listed>,
}

/// One server as it was last seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    #[serde(flatten)]
    pub(crate) status: Status,
    /// When it began, in seconds since 1970.
    pub(crate) began: Option<u64>,
}

/// Keeps the file of this process up to date. Dropped, the file is removed.
pub(crate) struct Roster {
    file: PathBuf,
    writing: tokio::task::JoinHandle<()>,
}

impl Roster {
    /// Begins to write, inside a runtime. Without a directory, or where it cannot be written, nothing is listed.
    pub(crate) fn keep(state_dir: Option<&Path>, workspace: Arc<Workspace>) -> Option<Self> {
        let directory = directory(state_dir?);
        let pid = std::process::id();
        let file = directory.join(format!("{pid}.json"));
        let path = file.clone();
        let writing = tokio::spawn(async move {
            let mut entry =
                Entry { pid, start_ticks: None, roots: workspace.roots().to_vec(), servers: vec![] };
            let mut rounds = tokio::time::interval(ROUND);
            rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                rounds.tick().await;
                let servers: Vec<Listed> = workspace.server_statuses().into_iter().map(Listed::now).collect();
                if servers == entry.servers {
                    continue;
                }
                entry.servers = servers;
                entry.start_ticks = entry.start_ticks.or_else(|| start_ticks(pid));
                let text = serde_json::to_string(&entry).unwrap_or_default();
                if let Err(error) = replace_private(&path, text.as_bytes()) {
                    tracing::warn!(%error, "the list of language servers cannot be written; `bowline servers` will not show them");
                    return;
                }
            }
        });
        Some(Self { file, writing })
    }
}

impl Drop for Roster {
    fn drop(&mut self) {
        self.writing.abort();
        let _ = std::fs::remove_file(&self.file);
    }
}

impl Listed {
    /// Without what changes all the time.
    fn now(status: Status) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began = status.uptime.map(|uptime| now.saturating_sub(uptime).as_secs());
        Self { status: Status { memory: None, uptime: None, detail: None, ..status }, began }
    }
}

/// Every bowline that runs now and has servers.
pub(crate) fn read(state_dir: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    for file in directory(state_dir).read_dir().into_iter().flatten().flatten() {
        let path = file.path();
        let Ok((text, _)) = read_text(&path, MOST_BYTES) else { continue };
        match serde_json::from_str::<Entry>(&text) {
            Ok(entry) if alive(entry.pid) && start_ticks(entry.pid) == entry.start_ticks => {
                entries.push(entry);
            }
            // Its process is gone, or it is of another version of ours that is gone.
            Ok(_) => drop(std::fs::remove_file(&path)),
            Err(error) => tracing::debug!(%error, path = %path.display(), "not a list of servers"),
        }
    }
    entries.sort_by_key(|entry| entry.pid);
    entries
}

fn directory(state_dir: &Path) -> PathBuf {
    state_dir.join("run")
}
