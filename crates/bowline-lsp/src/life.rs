//! One life of a server: from the handshake to its end. The next one is another life.

mod begin;
mod diagnose;
mod ready;
mod requests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bowline_std::process::Process;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

pub(crate) use begin::{Birth, Streams};
pub use diagnose::{Diagnosed, Evidence};
pub use ready::Readiness;
pub use requests::{Asker, Goal};

use crate::board::{Board, folder_on_the_wire};
use crate::capabilities::key_of;
use crate::connection::{Closed, CloseReason, Connection, Unanswered};
use crate::documents::Documents;
use crate::error::Before;
use crate::flight::{Flights, Question, Reply};
use crate::quirks::Quirks;
use crate::words::LastWords;
use crate::{Capabilities, Fault, FileEvent, Limits, LspError, ServerSpec, Sheet, Shown, Task};

/// The world changed under the question; it is worth asking again.
const CONTENT_MODIFIED: i64 = -32801;
/// The server let go of the question by itself.
const SERVER_CANCELLED: i64 = -32802;
/// How long a process may take to be gone after its output ended.
const REAPED: Duration = Duration::from_millis(500);
/// How long to wait before a question is put again.
const AGAIN: Duration = Duration::from_millis(50);

/// A server that has answered the handshake. Dropped, it is ended.
pub struct Life {
    spec: Arc<ServerSpec>,
    connection: Connection,
    process: Option<Process>,
    words: LastWords,
    board: Arc<Board>,
    capabilities: Capabilities,
    documents: Mutex<Documents>,
    /// Counts the changes that the server was told of: what it found out before is about another world.
    world: AtomicU64,
    /// Counts everything that it was told.
    told: AtomicU64,
    quirks: Quirks,
    proofs: Mutex<diagnose::Proofs>,
    flights: Flights,
    began: Instant,
    last_used: Mutex<Instant>,
    ready: ready::Watch,
}

impl Life {
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Its process, if it is ours.
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::pid)
    }

    /// Resident bytes of its process and those it started.
    pub fn memory(&self) -> Option<u64> {
        self.process.as_ref().and_then(Process::memory)
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    pub fn last_used(&self) -> Instant {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it is busy with.
    pub fn tasks(&self) -> Vec<Task> {
        self.board.work().tasks
    }

    /// Its last errors and warnings to the user.
    pub fn messages(&self) -> Vec<String> {
        self.board.messages()
    }

    /// Bodies it sent that were no messages.
    pub fn nonsense(&self) -> u64 {
        self.connection.nonsense()
    }

    pub fn is_over(&self) -> bool {
        self.connection.closed().is_some()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.spec.limits
    }

    pub(crate) fn quirks(&self) -> &Quirks {
        &self.quirks
    }

    fn tell(&self, method: &str, params: &Value) {
        self.told.fetch_add(1, Ordering::Relaxed);
        self.connection.notify(method, params);
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end, and says what it was.
    pub(crate) async fn end(&self) -> Fault {
        let closed = self.connection.end().await;
        self.why(&closed, Before::Work).await
    }

    async fn why(&self, closed: &Closed, before: Before) -> Fault {
        why(closed, self.process.as_ref(), &self.words, before).await
    }

    /// Whether a method is offered, for this document where it is about one.
    pub fn supports(&self, method: &str, document: Option<(&Path, &str)>) -> bool {
        key_of(method).is_some_and(|key| self.capabilities.offers(key)) || self.board.registered(method, document)
    }

    /// Makes the server see this text. The document is opened if it was not.
    pub fn show(&self, sheet: &Sheet) -> Shown {
        let mut documents = self.documents();
        let (encoding, changes) = (self.capabilities.encoding(), self.capabilities.changes());
        let (notices, shown) = documents.show(sheet, encoding, changes, self.capabilities.save());
        if notices.is_empty() {
            return shown;
        }
        // A document that is only opened says what the disk said already.
        if shown.version > 1 {
            self.world.fetch_add(1, Ordering::Relaxed);
        }
        self.note_sent(&shown);
        // Still under the lock: versions arrive in their order.
        for (method, params) in &notices {
            self.tell(method, params);
        }
        shown
    }

    /// The document as the server has it.
    pub fn shown(&self, path: &Path) -> Option<Shown> {
        self.documents().get(path).cloned()
    }

    /// Every open document.
    pub fn open_documents(&self) -> Vec<Shown> {
        self.documents().all().cloned().collect()
    }

    pub fn close(&self, path: &Path) {
        let mut documents = self.documents();
        if let Some((method, params)) = documents.close(path) {
            self.board.forget(path);
            self.tell(method, &params);
        }
    }

    /// Tells the server what happened on disk, as far as it wants to know.
    pub fn files_changed(&self, events: &[(PathBuf, FileEvent)]) {
        let wanted = |(path, event): &&(PathBuf, FileEvent)| {
            let of_ours = || self.spec.language_of(path).is_some() || self.is_marker(path);
            self.board.watches(path, *event).unwrap_or_else(of_ours)
        };
        let changes: Vec<Value> = events
            .iter()
            .filter(wanted)
            .map(|(path, event)| json!({"uri": bowline_code::uri::of(path), "type": *event as u8}))
            .collect();
        if !changes.is_empty() {
            self.world.fetch_add(1, Ordering::Relaxed);
            self.tell("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
        }
    }

    fn is_marker(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        self.spec.root_markers.iter().any(|marker| marker == name)
    }

    /// The folders of the workspace, as the server was told.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.board.folders()
    }

    /// Tells the server of folders added and removed. `false`: it cannot change them while it runs.
    pub fn set_folders(&self, folders: Vec<PathBuf>) -> bool {
        let before = self.board.folders();
        let listed = |among: &[PathBuf], not_in: &[PathBuf]| -> Vec<Value> {
            among.iter().filter(|folder| !not_in.contains(folder)).map(|folder| folder_on_the_wire(folder)).collect()
        };
        let event = json!({"added": listed(&folders, &before), "removed": listed(&before, &folders)});
        self.board.set_folders(folders);
        let can = self.capabilities.folders();
        if can {
            self.world.fetch_add(1, Ordering::Relaxed);
            self.tell("workspace/didChangeWorkspaceFolders", &json!({"event": event}));
        }
        can
    }

    /// Asks, and waits. When the caller stops waiting the request goes on to its bound, unless `stop` says that the
    /// answer is no longer wanted.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
        bound: Duration,
        stop: &CancellationToken,
    ) -> Reply {
        let told = self.told.load(Ordering::Relaxed);
        let question = Question { method, params: params.to_string(), told };
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let life = Arc::clone(self);
        let asking = self.flights.join(question.clone(), move || async move { life.ask_now(method, &params, bound).await });
        tokio::select! {
            biased;
            reply = asking => reply,
            () = stop.cancelled() => {
                self.flights.give_up(&question);
                Err(Fault::Stopped.of(self.name()))
            }
        }
    }

    async fn ask_now(&self, method: &'static str, params: &Value, bound: Duration) -> Reply {
        let until = Instant::now() + bound;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.connection.request(method, params, left).await {
                Ok(result) => return Ok(result.into()),
                Err(Unanswered::Refused(refusal)) if is_worth_another(&refusal.code, &refusal.data) && left > AGAIN => {
                    tokio::time::sleep(AGAIN).await;
                }
                Err(unanswered) => return Err(self.unanswered(method, unanswered, bound).await),
            }
        }
    }

    async fn unanswered(&self, method: &'static str, unanswered: Unanswered, bound: Duration) -> LspError {
        let fault = match unanswered {
            Unanswered::Refused(refusal) => {
                let message = bowline_std::text::cut(&refusal.message, 500);
                Fault::Refused { method, code: refusal.code, message }
            }
            Unanswered::Late { silent, .. } => {
                if silent && self.is_idle().await {
                    // It neither speaks nor works: it hangs.
                    self.connection.close(CloseReason::Silent { method, after: bound });
                }
                Fault::NoAnswer { method, after: bound }
            }
            Unanswered::Closed(closed) => self.why(&closed, Before::Work).await,
        };
        fault.of(self.name())
    }

    /// Whether its process does nothing. A server that computes may be silent for long. One that is not ours is left
    /// alone.
    async fn is_idle(&self) -> bool {
        let Some(process) = &self.process else {
            return false;
        };
        let Some(before) = process.ticks() else {
            return true;
        };
        tokio::time::sleep(Duration::from_millis(500)).await;
        // Of some fifty ticks in that time; waking up for timers takes one or two.
        process.ticks().is_none_or(|after| after.saturating_sub(before) < 5)
    }

    /// Ends it: politely, then firmly. One that is not ours is only left.
    pub(crate) async fn stop(&self) {
        let until = Instant::now() + self.limits().shutdown;
        let left = || until.saturating_duration_since(Instant::now());
        if self.process.is_some() {
            let asked = self.connection.request("shutdown", &Value::Null, left()).await;
            if asked.is_ok() {
                self.connection.notify("exit", &Value::Null);
            }
        }
        self.connection.close(CloseReason::Stopped);
        if let Some(process) = &self.process {
            if tokio::time::timeout(left(), process.ended()).await.is_err() {
                process.kill();
                process.ended().await;
            }
        }
    }

    /// Ends it at once, for a reason that its requests are told.
    pub(crate) fn end_for_memory(&self, used: u64, most: u64) {
        self.connection.close(CloseReason::Memory { used, most });
        self.kill();
    }

    pub(crate) fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
        }
    }

    /// What was open, for the next life.
    pub(crate) fn take_documents(&self) -> Documents {
        std::mem::take(&mut *self.documents())
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_worth_another(code: &i64, data: &Value) -> bool {
    match *code {
        CONTENT_MODIFIED => true,
        SERVER_CANCELLED => data.get("retriggerRequest").and_then(Value::as_bool).unwrap_or(true),
        _ => false,
    }
}

/// What the end of a connection means, once it is known how the process ended.
async fn why(closed: &Closed, process: Option<&Process>, words: &LastWords, before: Before) -> Fault {
    let ending = match process {
        Some(process) if *closed == Closed::Ended => tokio::time::timeout(REAPED, process.ended()).await.ok(),
        _ => None,
    };
    closed.fault(|| Fault::Ended { ending, before, words: words.text() }, || words.text())
}

/// What a request to the server is about, in its own words.
pub(crate) fn about(shown: &Shown) -> Value {
    json!({"uri": shown.uri})
}

/// Reads an answer whose shape is known.
pub(crate) fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}
