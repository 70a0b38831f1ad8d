//! What a running call may use of the world around it: cancellation, time, progress, and a way back to the gate.

use std::any::Any;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{CallId, ConversationId, Intent, ToolError};

/// Hears how far a call has come. Must return at once; what cannot be delivered is left out.
pub trait Progress: Send + Sync {
    fn report(&self, done: u64, total: Option<u64>, message: &str);
}

/// Nobody is listening.
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _done: u64, _total: Option<u64>, _message: &str) {}
}

/// What a person is asked before a call may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    pub tool: String,
    pub arguments: Value,
    pub rule: String,
    pub reason: String,
    /// What it would touch, as far as that is known: files by their real paths, and commands.
    pub about: Vec<String>,
    /// The entries that could be remembered with a yes, as they would be written.
    pub offer: Option<Vec<String>>,
    /// Names the definition of the tool.
    pub definition: Option<String>,
}

impl Question {
    /// Names this very question: a yes to it is a yes to nothing else.
    pub fn digest(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&text).to_hex().to_string()
    }
}

/// For how long a yes is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    Once,
    /// Until the conversation ends. Only for a question that offers it.
    Conversation,
    /// The offer is written into the user's own file.
    Always,
}

/// What came back. Only `Yes` lets a call run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    Yes(Lasting),
    No,
    /// There is nobody to ask here.
    CannotAsk,
    /// The question goes out with the reply; the answer comes with the same call, made again.
    Later,
}

/// Puts a question to a person.
pub trait Asker: Send + Sync {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered>;
}

/// A surface without a person.
pub struct NobodyToAsk;

impl Asker for NobodyToAsk {
    fn ask(&self, _question: Question) -> BoxFuture<'_, Answered> {
        Box::pin(std::future::ready(Answered::CannotAsk))
    }
}

/// What a surface brings along with a call.
#[derive(Clone)]
pub struct Caller {
    pub cancellation: CancellationToken,
    pub progress: Arc<dyn Progress>,
    pub asker: Arc<dyn Asker>,
    /// How long this caller waits for an answer, where it is not the usual time.
    pub patience: Option<Duration>,
}

impl Default for Caller {
    fn default() -> Self {
        Self {
            cancellation: CancellationToken::new(),
            progress: Arc::new(NoProgress),
            asker: Arc::new(NobodyToAsk),
            patience: None,
        }
    }
}

/// Judges once more what a call turned out to do. The corridor implements it.
pub trait Gatekeeper: Send + Sync {
    /// The turn of this call among those that change things.
    fn judge<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<Turn, ToolError>>;
}

/// A call's turn among those that change things. Whoever still holds a part of it keeps the next one waiting.
pub type Turn = Arc<dyn Any + Send + Sync>;

/// Proof that the gate has seen these very files, and that nobody else changes things meanwhile. Whoever writes files
/// takes one, and it cannot be made elsewhere. It goes with the write, onto whatever thread: what outlives its call
/// still has its turn.
pub struct Clearance {
    files: HashSet<PathBuf>,
    _turn: Turn,
}

impl Clearance {
    pub fn covers(&self, file: &std::path::Path) -> bool {
        self.files.contains(file)
    }
}

/// What the handler of one call gets besides its arguments.
pub struct CallContext {
    id: CallId,
    conversation: ConversationId,
    caller: Caller,
    deadline: Option<Instant>,
    gatekeeper: Arc<dyn Gatekeeper>,
    unfinished: Unfinished,
}

/// Counts what a call has begun and must bring to its end.
#[derive(Debug, Clone, Default)]
pub struct Unfinished(Arc<AtomicUsize>);

impl Unfinished {
    /// Something is begun that must not be left half done.
    pub fn is_something(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }
}

struct Begun<'a>(&'a Unfinished);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl CallContext {
    pub fn new(
        id: CallId,
        conversation: ConversationId,
        caller: Caller,
        deadline: Option<Instant>,
        gatekeeper: Arc<dyn Gatekeeper>,
    ) -> Self {
        Self { id, conversation, caller, deadline, gatekeeper, unfinished: Unfinished::default() }
    }

    /// What the call has begun and not brought to its end.
    pub fn unfinished(&self) -> &Unfinished {
        &self.unfinished
    }

    pub fn id(&self) -> CallId {
        self.id
    }

    /// The conversation that it is a part of.
    pub fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// Ends when the caller no longer wants the answer, or the call's time is over.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.caller.cancellation
    }

    /// When the answer is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub fn progress(&self) -> &dyn Progress {
        &*self.caller.progress
    }

    /// Leave to write the files that an edit, computed on the way, turned out to touch.
    pub async fn clear(&self, files: Vec<PathBuf>) -> Result<Clearance, ToolError> {
        let turn = self.gatekeeper.judge(&Intent::write(files.iter().cloned())).await?;
        Ok(Clearance { files: files.into_iter().collect(), _turn: turn })
    }

    /// Leave to do something that only turned out on the way, and is not the writing of files.
    pub async fn consult(&self, intent: &Intent) -> Result<(), ToolError> {
        self.gatekeeper.judge(intent).await.map(drop)
    }

    /// Brings something to its end that must not be left half done: neither the caller's leaving nor the end of the
    /// call's time cuts it off, and what is answered and recorded is what came of it. To be short.
    pub async fn finish<T>(&self, work: impl Future<Output = T>) -> T {
        self.unfinished.0.fetch_add(1, Ordering::AcqRel);
        let _begun = Begun(&self.unfinished);
        work.await
    }
}
