//! One life of a server: from the handshake to its end. The next one is another life.

mod asking;
mod begin;
mod bounds;
mod diagnose;
mod end;
mod overlay;
mod ready;
mod requests;
mod tsserver;
mod uses;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bowline_std::process::Process;
use serde_json::value::RawValue;
use serde_json::{Value, json};

pub(crate) use begin::{Birth, Streams};
pub use diagnose::{Diagnosed, Evidence};
pub use overlay::{Attendance, Overlay};
pub use ready::Readiness;
pub use requests::{About, Asker, Direction, Editor, Formatting, Goal};

use crate::board::{Board, folder_on_the_wire};
use crate::capabilities::key_of;
use crate::connection::Connection;
use crate::documents::Documents;
use crate::flight::Flights;
use crate::quirks::Quirks;
use crate::words::{LastWords, Listening};
use crate::{Capabilities, FileEvent, Limits, ServerSpec, Sheet, Shown, Task};

/// A server that has answered the handshake. Dropped, it is ended.
pub struct Life {
    spec: Arc<ServerSpec>,
    root: PathBuf,
    connection: Connection,
    process: Option<Process>,
    words: LastWords,
    _listening: Option<Listening>,
    board: Arc<Board>,
    capabilities: Capabilities,
    /// Held by whoever tells the server of a change, until it is told and counted. Taken before `proofs` and the
    /// board's lock.
    documents: Mutex<Documents>,
    /// Counts the changes that the server was told of: what it found out before is about another world.
    world: AtomicU64,
    /// Counts everything that it was told.
    told: AtomicU64,
    quirks: Quirks,
    proofs: Mutex<diagnose::Proofs>,
    /// A draft made it lose packages.
    has_lost_packages: AtomicBool,
    /// Held by whoever lets the compiler run.
    checking: tokio::sync::Mutex<()>,
    /// Held by whoever lets it run a command: edits do not say which command they belong to.
    commanding: tokio::sync::Mutex<()>,
    /// Held while what is published about documents is waited for: by one alone where a draft is closed and opened
    /// again, since in between other documents would be compiled with what is on disk.
    reopening: tokio::sync::RwLock<()>,
    /// Questions share it; whoever shows a draft has it alone.
    floor: Arc<tokio::sync::RwLock<()>>,
    /// How many wait for it.
    waiting: std::sync::atomic::AtomicUsize,
    /// How many wait for it who had it alone and let others in.
    returning: std::sync::atomic::AtomicUsize,
    flights: Flights,
    began: Instant,
    uses: uses::Uses,
    /// Somebody looks already whether it hangs.
    suspected: AtomicBool,
    ready: ready::Watch,
    bounds: bounds::Bounds,
}

impl Life {
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Who it is, to the version. `None`: it does not say, so two of them cannot be told apart.
    pub fn identity(&self) -> Option<String> {
        let version = self.capabilities.version().map(str::to_owned).or_else(|| self.board.announced())?;
        Some(format!("{} {version}", self.capabilities.name().unwrap_or_else(|| self.name())))
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

    /// For how long nobody has asked it anything, or waited for it.
    pub fn unused_for(&self) -> Duration {
        self.uses.unused_for()
    }

    /// Somebody is about to use it.
    pub(crate) fn touch(&self) {
        self.uses.touch();
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

    /// Counted after it is queued: a question that knows this number is asked behind what it counts.
    fn tell(&self, method: &str, params: &Value) {
        self.connection.notify(method, params);
        self.told.fetch_add(1, Ordering::Release);
    }

    /// From now on the world is another one. Called after the server was told, by whoever holds the documents.
    fn turn_the_world(&self) {
        self.world.fetch_add(1, Ordering::Release);
    }

    fn world(&self) -> u64 {
        self.world.load(Ordering::Acquire)
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a method is offered, for this document where it is about one.
    pub fn supports(&self, method: &str, document: Option<(&Path, &str)>) -> bool {
        key_of(method).is_some_and(|key| self.capabilities.offers(key))
            || self.board.registered(method, document)
    }

    /// What a file of this name is to be called in its language, if it is one of the server's.
    pub fn language_of(&self, path: &Path) -> Option<String> {
        self.spec.language_of(path).map(|language| language.id.clone())
    }

    /// Whether a file lies in what the server works on.
    pub fn works_on(&self, path: &Path) -> bool {
        path.starts_with(&self.root) || self.board.folders().iter().any(|folder| path.starts_with(folder))
    }

    /// Whether it knows files that nobody has opened. One that does not finds uses only where it was shown something.
    pub fn knows_all_files(&self) -> bool {
        self.blind_spot().is_none()
    }

    /// Why there may be files of the project that it does not know.
    pub fn blind_spot(&self) -> Option<String> {
        let needs = self.quirks.index_needs;
        if !needs.is_empty() && !needs.iter().any(|file| self.root.join(file).exists()) {
            return Some(format!("it needs `{}` in `{}`", needs.join("` or `"), self.root.display()));
        }
        if self.quirks.passes_over_roots && is_passed_over(&self.root) {
            let name = self.root.file_name().unwrap_or_default().to_string_lossy();
            return Some(format!("it passes over directories like `{name}`, also as a root"));
        }
        self.scope().is_some().then(|| "start_lsp has limited it to a scope".to_owned())
    }

    /// Whether it finds the definition behind a declaration only by its index.
    pub fn leads_by_index(&self) -> bool {
        self.quirks.leads_by_index && self.knows_all_files()
    }

    /// Whether it listens to what it is told of files that are not open.
    pub fn hears_of_files(&self) -> bool {
        !self.quirks.ignores_files
    }

    /// It was told of many changes, and is not ready before this time has passed.
    pub fn is_reading_for(&self, time: Duration) {
        self.ready.read_until(Instant::now() + time);
    }

    /// Makes the server see this text. The document is opened if it was not.
    pub fn show(&self, sheet: &Sheet) -> Shown {
        let mut documents = self.documents();
        let (encoding, changes) = (self.capabilities.encoding(), self.capabilities.changes());
        let (notices, shown) = documents.show(sheet, encoding, changes, self.capabilities.save());
        let Some((first, _)) = notices.first() else {
            return shown;
        };
        // A document that is only opened says what the disk said already.
        let is_change = *first != "textDocument/didOpen";
        self.note_sent(&shown, self.world() + u64::from(is_change), &notices);
        // Still under the lock: versions arrive in their order.
        for (method, params) in &notices {
            self.tell(method, params);
        }
        if is_change {
            self.turn_the_world();
        } else if notices.len() > 1 {
            // Another was closed to make room.
            self.proofs().forget(|path| documents.get(path).is_none());
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

    pub(crate) fn count_documents(&self) -> usize {
        self.documents().count()
    }

    pub fn close(&self, path: &Path) {
        let mut documents = self.documents();
        if let Some((method, params)) = documents.close(path) {
            self.board.forget(path);
            self.proofs().forget(|known| known == path);
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
            let _documents = self.documents();
            self.tell("workspace/didChangeWatchedFiles", &json!({"changes": changes}));
            self.turn_the_world();
        }
        let is_other = |(path, event): &(PathBuf, FileEvent)| {
            *event != FileEvent::Changed && self.spec.language_of(path).is_some() && self.works_on(path)
        };
        if !self.quirks.rearranges_for.is_zero() && events.iter().any(is_other) {
            self.is_reading_for(self.quirks.rearranges_for);
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
    pub fn set_folders(&self, folders: &[PathBuf]) -> bool {
        let _documents = self.documents();
        let before = self.board.set_folders(folders.to_vec());
        if before == folders {
            return true;
        }
        if !self.capabilities.folders() {
            return false;
        }
        let listed = |among: &[PathBuf], not_in: &[PathBuf]| -> Vec<Value> {
            let news = among.iter().filter(|folder| !not_in.contains(folder));
            news.map(|folder| folder_on_the_wire(folder)).collect()
        };
        let event = json!({"added": listed(folders, &before), "removed": listed(&before, folders)});
        self.tell("workspace/didChangeWorkspaceFolders", &json!({"event": event}));
        self.turn_the_world();
        true
    }

    /// Gives the server its folders anew, if a draft made it lose packages.
    fn make_up_for_losses(&self) {
        if !self.has_lost_packages.swap(false, Ordering::Relaxed) || !self.capabilities.folders() {
            return;
        }
        let _documents = self.documents();
        let folders: Vec<Value> =
            self.board.folders().iter().map(|folder| folder_on_the_wire(folder)).collect();
        for event in [json!({"added": [], "removed": folders}), json!({"added": folders, "removed": []})] {
            self.tell("workspace/didChangeWorkspaceFolders", &json!({"event": event}));
        }
        self.turn_the_world();
    }

    /// What was open, for the next life.
    pub(crate) fn take_documents(&self) -> Documents {
        let mut documents = std::mem::take(&mut *self.documents());
        // A life that ended under a draft does not hand it on.
        documents.lift(self.capabilities.encoding(), self.capabilities.changes());
        documents
    }
}

/// What a request to the server is about, in its own words.
pub(crate) fn about(shown: &Shown) -> Value {
    json!({"uri": shown.uri})
}

/// Reads an answer whose shape is known.
pub(crate) fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

/// Whether a directory has a name, or lies in one, that patterns such as `./...` pass over.
fn is_passed_over(root: &Path) -> bool {
    let is_hidden = root.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_']));
    is_hidden || root.components().any(|part| part.as_os_str() == "vendor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_patterns_pass_over_are_told() {
        for (root, expected) in
            [("/src/a", false), ("/src/.a", true), ("/src/_a", true), ("/.src/a", false), ("/vendor/a", true)]
        {
            assert_eq!(is_passed_over(Path::new(root)), expected, "{root}");
        }
    }
}
