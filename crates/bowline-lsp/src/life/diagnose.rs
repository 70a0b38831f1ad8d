//! What is wrong with a document, with the evidence that it is about this very text, in this very world.
//!
//! A server is asked where it can be asked; otherwise we wait for what it publishes, and know by its version that it
//! speaks of our text. Nothing is answered from before the last change, and silence is not a clean bill.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use bowline_code::Diagnostic;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::requests::Asker;
use super::{Life, about};
use crate::answers::Reader;
use crate::board::Published;
use crate::{Fault, LspError, Shown};

/// A server that gives no versions has said everything when it has said nothing more for so long.
const QUIET: Duration = Duration::from_millis(700);
/// The compiler begins within this time after a file was saved.
const CHECK_BEGINS: Duration = Duration::from_secs(3);

/// How we know that diagnostics are about the text as it is. Best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// The server was asked, and answered.
    Pulled,
    /// The server published them for this version.
    Versioned,
    /// The server published them after the last change, and then was quiet. It may have had more to say.
    Quiet,
}

impl Evidence {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pulled => "pulled",
            Self::Versioned => "versioned",
            Self::Quiet => "quiet",
        }
    }
}

/// The diagnostics of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosed {
    pub path: PathBuf,
    pub diagnostics: Vec<Diagnostic>,
    pub evidence: Evidence,
}

/// What was sent about each document, and what has been proved since.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    sent: HashMap<PathBuf, Sent>,
    /// The world in which the compiler last ran to its end.
    checked: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Sent {
    version: i64,
    world: u64,
    /// What had been published before it was sent.
    arrivals: u64,
}

impl Proofs {
    pub(super) fn sent(&mut self, path: &Path, version: i64, world: u64, arrivals: u64) {
        self.sent.insert(path.to_owned(), Sent { version, world, arrivals });
    }
}

impl Life {
    fn proofs(&self) -> MutexGuard<'_, Proofs> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what the board showed before a version was sent.
    pub(super) fn note_sent(&self, shown: &Shown) {
        let (world, arrivals) = (self.world.load(Ordering::Relaxed), self.board.arrivals());
        self.proofs().sent(&shown.path, shown.version, world, arrivals);
    }

    /// Fresh diagnostics of an open document. Waits for as long as it takes: whoever cannot drops the future.
    pub async fn diagnose(self: &Arc<Self>, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        if let Some(token) = self.quirks().checks_on_save {
            self.check(shown, token).await?;
        }
        if self.supports("textDocument/diagnostic", Some((&shown.path, &shown.language))) {
            return self.pull(shown, asker).await;
        }
        self.await_push(shown, asker).await
    }

    async fn pull(self: &Arc<Self>, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        #[derive(Deserialize)]
        struct Report {
            items: Option<Box<RawValue>>,
        }
        let method = "textDocument/diagnostic";
        let params = json!({"textDocument": about(shown)});
        let answer = self.ask(method, params, self.limits().request, asker.stop).await?;
        let report: Result<Report, _> = serde_json::from_str(answer.get());
        let strange = |reason: String| Fault::Strange { method, reason }.of(self.name());
        let items = report.map_err(|error| strange(error.to_string()))?.items;
        // We never name an earlier report, so "unchanged" would be unchanged since nothing.
        let items = items.ok_or_else(|| strange("a report without items".to_owned()))?;
        let mut diagnostics = self.read(method, asker, |reader| reader.diagnostics(&shown.path, &items))?;
        if self.quirks().checks_on_save.is_some()
            && let Some(published) = self.board.published(&shown.path)
        {
            let found = self.read_published(shown, &published, asker)?;
            diagnostics.extend(found.into_iter().filter(|found| !is_said(&diagnostics, found)).collect::<Vec<_>>());
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        Ok(Diagnosed { path: shown.path.clone(), diagnostics, evidence: Evidence::Pulled })
    }

    /// Lets the compiler run over what is on disk, unless it has done so since the last change.
    async fn check(self: &Arc<Self>, shown: &Shown, token: &str) -> Result<(), LspError> {
        let world = self.world.load(Ordering::Relaxed);
        if self.proofs().checked == Some(world) {
            return Ok(());
        }
        let mut changes = self.board.subscribe();
        let before = self.board.ended(token);
        self.connection.notify("textDocument/didSave", &json!({"textDocument": about(shown)}));
        let begins = tokio::time::timeout(CHECK_BEGINS, async {
            while !self.board.is_running(token) && self.board.ended(token) == before && !self.is_over() {
                let _ = changes.changed().await;
            }
        });
        if begins.await.is_err() {
            // Switched off by the user, or there is no compiler: the server's own findings are all there is.
            tracing::debug!(server = self.name(), "no check began after a save");
            return Ok(());
        }
        while (self.board.is_running(token) || self.board.ended(token) == before) && !self.is_over() {
            let _ = changes.changed().await;
        }
        self.proofs().checked = Some(world);
        Ok(())
    }

    async fn await_push(self: &Arc<Self>, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        let mut changes = self.board.subscribe();
        let shown = self.look_again(shown);
        loop {
            changes.borrow_and_update();
            if self.is_over() {
                return Err(self.end().await.of(self.name()));
            }
            let sent = self.proofs().sent.get(&shown.path).copied();
            let published = self.board.published(&shown.path);
            let mut wait = None;
            if let (Some(sent), Some(published)) = (sent, published) {
                let evidence = match published.version {
                    Some(version) if version >= sent.version => Some(Evidence::Versioned),
                    Some(_) => None,
                    None if published.arrival <= sent.arrivals => None,
                    None => {
                        let quiet = published.at.elapsed();
                        wait = QUIET.checked_sub(quiet);
                        wait.is_none().then_some(Evidence::Quiet)
                    }
                };
                if let Some(evidence) = evidence {
                    let mut diagnostics = self.read_published(&shown, &published, asker)?;
                    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
                    return Ok(Diagnosed { path: shown.path, diagnostics, evidence });
                }
            }
            tokio::select! {
                _ = changes.changed() => {}
                () = asker.stop.cancelled() => return Err(Fault::Stopped.of(self.name())),
                _ = self.connection.end() => {}
                () = tokio::time::sleep(wait.unwrap_or(Duration::from_secs(3600))) => {}
            }
        }
    }

    /// Something else changed since this document was sent: what was published about it may be old, and a server
    /// need not say that nothing became of it. A new version of the same text makes it say so.
    fn look_again(&self, shown: &Shown) -> Shown {
        let world = self.world.load(Ordering::Relaxed);
        let is_current = self.proofs().sent.get(&shown.path).is_some_and(|sent| sent.world == world);
        if is_current {
            return shown.clone();
        }
        let extra = self.quirks().nudge.clone().unwrap_or(Value::Null);
        let mut documents = self.documents();
        let Some(((method, params), nudged)) = documents.nudge(&shown.path, &extra) else {
            return shown.clone();
        };
        self.note_sent(&nudged);
        self.connection.notify(method, &params);
        nudged
    }

    fn read_published(&self, shown: &Shown, published: &Published, asker: Asker<'_>) -> Result<Vec<Diagnostic>, LspError> {
        let method = "textDocument/publishDiagnostics";
        self.read(method, asker, |reader: &mut Reader<'_>| reader.diagnostics(&shown.path, &published.diagnostics))
    }

    /// Files about which the server has published something, open or not.
    pub fn reported_files(&self) -> Vec<PathBuf> {
        self.board.published_files()
    }
}

/// The compiler and the server often find the same, in other words.
fn is_said(known: &[Diagnostic], found: &Diagnostic) -> bool {
    known.iter().any(|other| {
        other.span == found.span && other.severity == found.severity && (other.code == found.code || other.message == found.message)
    })
}
