//! What a server tells us unasked: its progress, its diagnostics, what it wants to be told, and its questions.

mod editing;
mod published;
mod registrations;
mod settings;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bowline_code::uri;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use self::editing::Editing;
pub(crate) use self::editing::Wanted;
pub(crate) use self::published::Published;
use self::registrations::Registrations;
use crate::connection::Listener;
use crate::wire::Refusal;

/// Files whose published diagnostics are kept.
const MOST_FILES: usize = 50_000;
/// How much of published diagnostics is kept, in bytes. One file may have more.
const MOST_BYTES: usize = 128 << 20;
/// Tasks at a time, and tokens of progress that are remembered after their end.
const MOST_TOKENS: usize = 1000;
/// Lines of its log that are kept from its beginning.
const MOST_LINES: usize = 200;
/// Messages to the user that are kept, for whoever asks what went wrong.
const MOST_MESSAGES: usize = 20;

/// The board of one life of a server.
pub(crate) struct Board {
    state: Mutex<State>,
    /// Counts what happens on the board, for those who wait.
    changed: watch::Sender<u64>,
    settings: settings::Settings,
    editing: Editing,
}

#[derive(Default)]
struct State {
    folders: Vec<PathBuf>,
    published: HashMap<PathBuf, Published>,
    /// The bytes of all that is published.
    bytes: usize,
    /// Files whose diagnostics were let go for want of room.
    let_go: HashSet<PathBuf>,
    /// Files about which something was published that named a version.
    versioned: HashSet<PathBuf>,
    registrations: Registrations,
    /// By token, so that the first one stays the first.
    progress: BTreeMap<String, Task>,
    /// How often a task with this token began.
    begun: HashMap<String, u64>,
    /// When the last task ended.
    drained: Option<Instant>,
    /// What was said when the last task ended.
    last_end: Option<String>,
    /// What ails it, in its own words.
    ill: Option<String>,
    quiescent: Option<bool>,
    /// How its log began.
    log: Vec<String>,
    messages: VecDeque<String>,
    /// What it said of itself besides the handshake.
    announced: Option<String>,
    /// How many publications arrived.
    arrivals: u64,
    /// Counts moments after which the same question may have another answer.
    turns: u64,
}

/// Something that a server is busy with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub title: String,
    pub message: Option<String>,
    pub percentage: Option<u64>,
}

/// How a server's work stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work {
    pub(crate) tasks: Vec<Task>,
    pub(crate) drained: Option<Instant>,
    pub(crate) quiescent: Option<bool>,
    pub(crate) published_any: bool,
}

/// What happened to a file on disk. The numbers are the protocol's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileEvent {
    Created = 1,
    Changed = 2,
    Deleted = 3,
}

impl Board {
    pub(crate) fn new(folders: Vec<PathBuf>, settings: Option<Value>) -> Self {
        let state = State { folders, ..State::default() };
        Self {
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            settings: settings.into(),
            editing: Editing::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes, one after the other.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// From now on the server may make edits, which whoever asked for this decides about, until the receiver is dropped.
    pub(crate) fn let_edit(&self) -> tokio::sync::mpsc::UnboundedReceiver<Wanted> {
        self.editing.begin()
    }

    fn touch(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.lock().folders.clone()
    }

    /// Returns what they were before.
    pub(crate) fn set_folders(&self, folders: Vec<PathBuf>) -> Vec<PathBuf> {
        std::mem::replace(&mut self.lock().folders, folders)
    }

    /// Counts moments after which the same question may have another answer: it came to rest, something new is offered,
    /// diagnostics are old by its own word. Not the end of any task: some report one for each request.
    pub(crate) fn turns(&self) -> u64 {
        self.lock().turns
    }

    fn turn(&self) {
        self.lock().turns += 1;
        self.touch();
    }

    pub(crate) fn published(&self, path: &Path) -> Option<Published> {
        self.lock().published.get(path).cloned()
    }

    /// Whether something was published about a file, and let go of again for want of room.
    pub(crate) fn has_let_go(&self, path: &Path) -> bool {
        self.lock().let_go.contains(path)
    }

    /// Whether anything published about this file named a version. What does not then is about another time: the
    /// last word on a document that was closed.
    pub(crate) fn names_versions(&self, path: &Path) -> bool {
        self.lock().versioned.contains(path)
    }

    /// Every file about which something was published.
    pub(crate) fn published_files(&self) -> Vec<PathBuf> {
        let state = self.lock();
        state.published.keys().chain(&state.let_go).cloned().collect()
    }

    /// Every file about which something was last published that is not empty.
    pub(crate) fn troubled_files(&self) -> Vec<PathBuf> {
        let state = self.lock();
        let troubled = state.published.iter().filter(|(_, published)| !published.says_nothing());
        troubled.map(|(path, _)| path.clone()).collect()
    }

    /// The errors that were last published, by file, as text: where they are, and what is said.
    pub(crate) fn errors(&self) -> HashMap<PathBuf, BTreeSet<String>> {
        let troubled: Vec<(PathBuf, Published)> = {
            let state = self.lock();
            let troubled = state.published.iter().filter(|(_, published)| !published.says_nothing());
            troubled.map(|(path, published)| (path.clone(), published.clone())).collect()
        };
        let errors = troubled.into_iter().map(|(path, published)| (path, published.errors()));
        errors.filter(|(_, errors)| !errors.is_empty()).collect()
    }

    /// What is published from now on has a greater arrival.
    pub(crate) fn arrivals(&self) -> u64 {
        self.lock().arrivals
    }

    pub(crate) fn forget(&self, path: &Path) {
        let mut state = self.lock();
        state.take(path);
        state.let_go.remove(path);
    }

    pub(crate) fn work(&self) -> Work {
        let state = self.lock();
        Work {
            tasks: state.progress.values().cloned().collect(),
            drained: state.drained,
            quiescent: state.quiescent,
            published_any: state.arrivals > 0,
        }
    }

    /// Whether a task whose token begins so is running.
    pub(crate) fn is_running(&self, token: &str) -> bool {
        self.lock().progress.keys().any(|known| known.starts_with(token))
    }

    /// How often a task began whose token begins so.
    pub(crate) fn begun(&self, token: &str) -> u64 {
        self.lock().begun.iter().filter(|(known, _)| known.starts_with(token)).map(|(_, times)| times).sum()
    }

    pub(crate) fn messages(&self) -> Vec<String> {
        self.lock().messages.iter().cloned().collect()
    }

    /// Whether a method was registered for a document.
    pub(crate) fn registered(&self, method: &str, document: Option<(&Path, &str)>) -> bool {
        self.lock().registrations.covers(method, document)
    }

    /// What was said when a method was last registered.
    pub(crate) fn options_of(&self, method: &str) -> Option<Value> {
        self.lock().registrations.options(method)
    }

    /// Whether the server asked to hear of this. `None`: it asked for nothing at all.
    pub(crate) fn watches(&self, path: &Path, event: FileEvent) -> Option<bool> {
        self.lock().registrations.watches(path, event)
    }

    fn publish(&self, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        struct Publish {
            uri: String,
            #[serde(default)]
            version: Option<i64>,
            diagnostics: Box<RawValue>,
        }
        let Some(publish) = parse::<Publish>(params) else {
            tracing::debug!("diagnostics that make no sense were dropped");
            return;
        };
        let Some(path) = uri::to_path(&publish.uri) else {
            return;
        };
        self.lock().publish(path, publish.version, publish.diagnostics.into());
        self.touch();
    }

    fn progress(&self, params: Option<&RawValue>) {
        let Some(params) = parse::<Value>(params) else {
            return;
        };
        let token = match params.get("token") {
            Some(Value::String(token)) => token.clone(),
            Some(token) => token.to_string(),
            None => return,
        };
        let value = params.get("value").cloned().unwrap_or_default();
        let text =
            |key: &str| value.get(key).and_then(Value::as_str).map(|text| bowline_std::text::cut(text, 200));
        let percentage = value.get("percentage").and_then(Value::as_u64);
        let mut state = self.lock();
        match value.get("kind").and_then(Value::as_str) {
            Some("begin") => {
                // Tokens made up for one task each need not be counted.
                if state.begun.len() < MOST_TOKENS || state.begun.contains_key(&token) {
                    *state.begun.entry(token.clone()).or_default() += 1;
                }
                let title = text("title").unwrap_or_default();
                if state.progress.len() < MOST_TOKENS {
                    state.progress.insert(token, Task { title, message: text("message"), percentage });
                }
            }
            Some("report") => {
                if let Some(task) = state.progress.get_mut(&token) {
                    task.message = text("message").or(task.message.take());
                    task.percentage = percentage.or(task.percentage);
                }
            }
            Some("end") => {
                state.progress.remove(&token);
                state.last_end = text("message");
                if state.progress.is_empty() {
                    state.drained = Some(Instant::now());
                }
            }
            _ => return,
        }
        drop(state);
        self.touch();
    }

    fn status(&self, params: Option<&RawValue>) {
        let params: Value = parse(params).unwrap_or_default();
        if let Some(quiescent) = params.get("quiescent").and_then(Value::as_bool) {
            let before = self.lock().quiescent.replace(quiescent);
            if before != Some(quiescent) {
                self.turn();
            }
        }
        let is_ill = params.get("health").and_then(Value::as_str) == Some("error");
        let message = params.get("message").and_then(Value::as_str).unwrap_or("it says that it is not well");
        self.lock().ill = is_ill.then(|| bowline_std::text::cut(message, 300));
        if is_ill {
            self.keep_message(message);
        }
    }

    fn message(&self, params: Option<&RawValue>) {
        // Not as a tree: some servers log a hundred thousand lines.
        #[derive(Deserialize)]
        struct Said {
            #[serde(rename = "type")]
            kind: Option<u64>,
            message: String,
        }
        let Some(said) = parse::<Said>(params) else {
            return;
        };
        // Errors and warnings; the rest is chatter.
        if said.kind.is_some_and(|kind| kind <= 2) {
            self.keep_message(&said.message);
        }
        let mut state = self.lock();
        if state.log.len() < MOST_LINES {
            state.log.push(bowline_std::text::prefix(&said.message, 200).to_owned());
        }
    }

    /// Other settings. The server is to be told that it has to ask for them.
    pub(crate) fn change_settings(&self, settings: Value) {
        self.settings.change(settings);
        self.turn();
    }

    /// What was said when the last task ended.
    pub(crate) fn last_end(&self) -> Option<String> {
        self.lock().last_end.clone()
    }

    /// What ails it, in its own words.
    pub(crate) fn ill(&self) -> Option<String> {
        self.lock().ill.clone()
    }

    /// Whether it has logged these words, in the beginning, or since it read settings that were changed.
    pub(crate) fn has_logged(&self, words: &str) -> bool {
        !self.settings.wait_to_be_read() && self.lock().log.iter().any(|line| line.contains(words))
    }

    /// Which version it is, from servers that do not say so in the handshake: pyright logs it when it starts, and
    /// typescript-language-server announces its compiler.
    pub(crate) fn announced(&self) -> Option<String> {
        let state = self.lock();
        let starting = |line: &&String| line.contains("language server") && line.ends_with("starting");
        state.announced.clone().or_else(|| state.log.iter().find(starting).cloned())
    }

    fn keep_message(&self, text: &str) {
        let mut state = self.lock();
        if state.messages.len() == MOST_MESSAGES {
            state.messages.pop_front();
        }
        state.messages.push_back(bowline_std::text::cut(text, 500));
    }

    fn folders_on_the_wire(&self) -> Value {
        self.lock().folders.iter().map(|folder| folder_on_the_wire(folder)).collect()
    }
}

impl State {
    fn publish(&mut self, path: PathBuf, version: Option<i64>, diagnostics: Arc<RawValue>) {
        self.arrivals += 1;
        let is_older =
            self.published.get(&path).is_some_and(|known| version.is_some() && known.version > version);
        if is_older {
            return;
        }
        if version.is_some() && self.versioned.len() < MOST_FILES {
            self.versioned.insert(path.clone());
        }
        self.take(&path);
        self.let_go.remove(&path);
        self.bytes += diagnostics.get().len();
        let arrival = self.arrivals;
        self.published.insert(path, Published { version, diagnostics, at: Instant::now(), arrival });
        if self.bytes > MOST_BYTES || self.published.len() > MOST_FILES {
            self.make_room();
        }
    }

    fn take(&mut self, path: &Path) -> Option<Published> {
        let taken = self.published.remove(path)?;
        self.bytes -= taken.diagnostics.get().len();
        Some(taken)
    }

    /// Lets go of the older half, so that it is not done again soon. The last one stays.
    fn make_room(&mut self) {
        let mut files: Vec<(u64, PathBuf)> =
            self.published.iter().map(|(path, published)| (published.arrival, path.clone())).collect();
        files.sort_unstable();
        files.pop();
        for (_, path) in files {
            if self.bytes <= MOST_BYTES / 2 && self.published.len() <= MOST_FILES / 2 {
                return;
            }
            self.take(&path);
            if self.let_go.len() < MOST_FILES {
                self.let_go.insert(path);
            }
        }
    }
}

impl Listener for Board {
    fn later(&self, method: &str, params: Option<&RawValue>) -> Option<BoxFuture<'static, Value>> {
        (method == "workspace/applyEdit").then(|| self.editing.wanted(params))
    }

    fn request(&self, method: &str, params: Option<&RawValue>) -> Result<Value, Refusal> {
        Ok(match method {
            "workspace/configuration" => {
                let (answer, are_new) = self.settings.answer(&parse(params).unwrap_or_default());
                if are_new {
                    // What it logged before was about others.
                    self.lock().log.clear();
                }
                answer
            }
            "workspace/workspaceFolders" => self.folders_on_the_wire(),
            "client/registerCapability" => {
                self.lock().registrations.add(&parse(params).unwrap_or_default());
                self.turn();
                Value::Null
            }
            "client/unregisterCapability" => {
                self.lock().registrations.remove(&parse(params).unwrap_or_default());
                Value::Null
            }
            "window/workDoneProgress/create" => Value::Null,
            "window/showMessageRequest" => {
                self.message(params);
                // Nobody is there to choose one of its actions.
                Value::Null
            }
            "window/showDocument" => json!({"success": false}),
            // typescript-language-server has made something and invites whoever sits at the editor to name it. A refusal
            // would fail the command, which is done by then.
            "_typescript.rename" => Value::Null,
            "workspace/diagnostic/refresh" => {
                self.turn();
                Value::Null
            }
            other => return Err(Refusal::method_not_found(other)),
        })
    }

    fn notification(&self, method: &str, params: Option<&RawValue>) {
        match method {
            "textDocument/publishDiagnostics" => self.publish(params),
            "$/progress" => self.progress(params),
            "experimental/serverStatus" => self.status(params),
            "window/showMessage" | "window/logMessage" => self.message(params),
            "$/typescriptVersion" => {
                self.lock().announced = params.map(|params| params.get().to_owned());
            }
            _ => {}
        }
    }
}

pub(crate) fn folder_on_the_wire(folder: &Path) -> Value {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    json!({"uri": uri::of(folder), "name": name})
}

fn parse<T: serde::de::DeserializeOwned>(params: Option<&RawValue>) -> Option<T> {
    serde_json::from_str(params?.get()).ok()
}

#[cfg(test)]
mod tests;
