//! What a running call may use of the world around it: cancellation, time, progress, and a way back to the gate.

use std::any::Any;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::{Asker, CallId, ConversationId, Deadline, Intent, NobodyToAsk, ToolError};

/// Hears how far a call has come. Must return at once; what cannot be delivered is left out.
pub trait Progress: Send + Sync {
    fn report(&self, done: u64, total: Option<u64>, message: &str);
}

/// Nobody is listening.
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _done: u64, _total: Option<u64>, _message: &str) {}
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
    deadline: Option<Deadline>,
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
        deadline: Option<impl Into<Deadline>>,
        gatekeeper: Arc<dyn Gatekeeper>,
    ) -> Self {
        let deadline = deadline.map(Into::into);
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

    /// When the answer is due. Later, if a person has been asked meanwhile.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.as_ref().map(Deadline::at)
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
