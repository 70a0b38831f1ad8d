//! Requests and their answers over any pair of byte streams: correlation, cancellation, and one reason for the end.
//!
//! Sending never waits: what is sent is queued in the order in which it was said, which is the order in which
//! versions of a document must arrive. A server that does not read is found out by the length of the queue.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::Fault;
use crate::wire::{FrameError, FrameReader, Message, Refusal, frame, notification, request, response};

/// Unsent bytes beyond which a server counts as deaf.
const MOST_UNSENT: usize = 64 << 20;
/// Bodies in a row that were no messages, after which nothing good is expected any more.
const MOST_NONSENSE: u64 = 100;
/// What was said before a connection is closed is still sent, for at most this time.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// A server that takes nothing more is given this time to say why, or to end.
const LISTENED_TO: Duration = Duration::from_secs(1);

/// What the other side may want from us. Both must return at once: they run between two messages.
pub(crate) trait Listener: Send + Sync + 'static {
    /// The answer to a question that takes its time. `None`: it does not.
    fn later(&self, _method: &str, _params: Option<&RawValue>) -> Option<BoxFuture<'static, Value>> {
        None
    }

    fn request(&self, method: &str, params: Option<&RawValue>) -> Result<Value, Refusal>;
    fn notification(&self, method: &str, params: Option<&RawValue>);
}

/// Why a connection ended, in the words of the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The other side closed it.
    Ended,
    Broken(String),
    Deaf,
    /// We did, for this reason.
    ByUs(CloseReason),
}

/// Why we closed a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CloseReason {
    Stopped,
    Memory { used: u64, most: u64 },
    Silent { method: &'static str, after: Duration },
}

/// One connection. Dropped, it is closed.
pub(crate) struct Connection {
    shared: Arc<Shared>,
    _close: DropGuard,
}

/// Who waits for the answer to which request.
type Pending = HashMap<i64, oneshot::Sender<Result<Box<RawValue>, Refusal>>>;

struct Shared {
    queue: mpsc::UnboundedSender<Vec<u8>>,
    unsent: AtomicUsize,
    pending: Mutex<Pending>,
    next: AtomicI64,
    /// Messages heard so far.
    heard: AtomicU64,
    nonsense: AtomicU64,
    closed: watch::Sender<Option<Closed>>,
    stop: CancellationToken,
}

impl Connection {
    /// Begins to listen. The queue, the pending requests and the reason of the end outlive the streams.
    pub(crate) fn open(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        listener: Arc<dyn Listener>,
    ) -> Self {
        let (queue, unsent) = mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let shared = Arc::new(Shared {
            queue,
            unsent: AtomicUsize::new(0),
            pending: Mutex::default(),
            next: AtomicI64::new(1),
            heard: AtomicU64::new(0),
            nonsense: AtomicU64::new(0),
            closed: watch::Sender::new(None),
            stop: stop.clone(),
        });
        tokio::spawn(speak(Arc::clone(&shared), write, unsent));
        tokio::spawn(listen(Arc::clone(&shared), read, listener));
        Self { shared, _close: stop.drop_guard() }
    }

    /// Queues a notification. After the end of the connection it goes nowhere.
    pub(crate) fn notify(&self, method: &str, params: &Value) {
        self.shared.send(&notification(method, params));
    }

    /// Asks, and waits for the answer for as long as the bound says. When the future is dropped, or the time is over,
    /// the server is told that nobody waits any more.
    pub(crate) async fn request(
        &self,
        method: &'static str,
        params: &Value,
        bound: Duration,
    ) -> Result<Box<RawValue>, Unanswered> {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.shared.pending().insert(id, sender);
        // After the insertion: whoever closes the connection fails what is pending then.
        if let Some(closed) = self.closed() {
            self.shared.pending().remove(&id);
            return Err(Unanswered::Closed(closed));
        }
        let _abandon = Abandon { shared: &self.shared, id };
        let heard = self.heard();
        self.shared.send(&request(id, method, params));
        match tokio::time::timeout(bound, answer).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(refusal))) => Err(Unanswered::Refused(refusal)),
            Ok(Err(_)) => Err(Unanswered::Closed(self.closed().unwrap_or(Closed::Ended))),
            Err(_) => Err(Unanswered::Late { silent: self.heard() == heard }),
        }
    }

    pub(crate) fn closed(&self) -> Option<Closed> {
        self.shared.closed.borrow().clone()
    }

    /// Waits for the end.
    pub(crate) fn end(&self) -> impl Future<Output = Closed> + Send + 'static {
        let mut closed = self.shared.closed.subscribe();
        async move {
            let ended = closed.wait_for(Option::is_some).await;
            ended.ok().and_then(|reason| reason.clone()).unwrap_or(Closed::Ended)
        }
    }

    pub(crate) fn close(&self, reason: CloseReason) {
        self.shared.close(Closed::ByUs(reason));
    }

    /// Messages heard so far.
    pub(crate) fn heard(&self) -> u64 {
        self.shared.heard.load(Ordering::Relaxed)
    }

    /// Bodies that were no messages.
    pub(crate) fn nonsense(&self) -> u64 {
        self.shared.nonsense.load(Ordering::Relaxed)
    }
}

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    Refused(Refusal),
    Late {
        /// Nothing at all was heard meanwhile.
        silent: bool,
    },
    Closed(Closed),
}

impl Shared {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, body: &[u8]) {
        let bytes = frame(body);
        let unsent = self.unsent.fetch_add(bytes.len(), Ordering::Relaxed);
        if unsent > MOST_UNSENT {
            self.close(Closed::Deaf);
        }
        // The writer is gone: so is the connection, and whoever waits for an answer is told.
        let _ = self.queue.send(bytes);
    }

    /// The first reason stays the reason.
    fn close(&self, reason: Closed) {
        self.closed.send_if_modified(|closed| {
            let first = closed.is_none();
            if first {
                *closed = Some(reason);
            }
            first
        });
        self.stop.cancel();
        // Dropped, the senders fail their requests.
        self.pending().clear();
    }
}

/// Forgets a request, and says so if the server still works on it.
struct Abandon<'a> {
    shared: &'a Shared,
    id: i64,
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        if self.shared.pending().remove(&self.id).is_some() {
            self.shared.send(&notification("$/cancelRequest", &json!({"id": self.id})));
        }
    }
}

async fn speak(
    shared: Arc<Shared>,
    mut write: impl AsyncWrite + Send + Unpin + 'static,
    queue: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    let said = tokio::select! {
        biased;
        said = say_all(&shared, &mut write, queue) => said,
        // The last words of a conversation (`exit`) are queued before it is closed. Who does not take them is left.
        () = closed_for(&shared, LAST_WORDS) => Ok(()),
    };
    match said {
        Ok(()) => drop(write.shutdown().await),
        // What it still says is read to its end, which tells more than a broken pipe. If there is no end, it is deaf.
        Err(_) => {
            let _ = tokio::time::timeout(LISTENED_TO, shared.stop.cancelled()).await;
            shared.close(Closed::Deaf);
        }
    }
}

/// Sends what is queued until the connection is closed and nothing is left.
async fn say_all(
    shared: &Shared,
    write: &mut (impl AsyncWrite + Unpin),
    mut queue: mpsc::UnboundedReceiver<Vec<u8>>,
) -> std::io::Result<()> {
    loop {
        let bytes = tokio::select! {
            biased;
            bytes = queue.recv() => bytes,
            () = shared.stop.cancelled() => None,
        };
        let Some(bytes) = bytes else { return Ok(()) };
        write.write_all(&bytes).await?;
        write.flush().await?;
        shared.unsent.fetch_sub(bytes.len(), Ordering::Relaxed);
    }
}

async fn closed_for(shared: &Shared, time: Duration) {
    shared.stop.cancelled().await;
    tokio::time::sleep(time).await;
}

async fn listen(
    shared: Arc<Shared>,
    read: impl AsyncRead + Send + Unpin + 'static,
    listener: Arc<dyn Listener>,
) {
    // Also if a listener panics: nobody would answer any more, and nobody would know.
    let deaf = Deafened(&shared);
    let mut frames = FrameReader::new(BufReader::with_capacity(64 << 10, read));
    let mut nonsense_in_a_row = 0;
    let stopped = shared.stop.cancelled();
    tokio::pin!(stopped);
    let closed = loop {
        let body = tokio::select! {
            biased;
            // Before the next message: one that talks without end is not ended by us if it runs elsewhere. Whoever
            // closed it has said why.
            () = &mut stopped => break Closed::Ended,
            body = frames.next() => body,
        };
        let body = match body {
            Ok(body) => body,
            Err(FrameError::Ended) => break Closed::Ended,
            Err(error) => break Closed::Broken(error.to_string()),
        };
        shared.heard.fetch_add(1, Ordering::Relaxed);
        if let Some(message) = Message::parse(&body) {
            nonsense_in_a_row = 0;
            hear(&shared, &*listener, message);
            continue;
        }
        shared.nonsense.fetch_add(1, Ordering::Relaxed);
        nonsense_in_a_row += 1;
        frames.doubt();
        let shown = bowline_std::text::cut(&String::from_utf8_lossy(&body), 60);
        tracing::debug!(shown, "a body that is no message was skipped");
        if nonsense_in_a_row > MOST_NONSENSE {
            let how = format!("it sent {nonsense_in_a_row} bodies that are no messages, last `{shown}`");
            break Closed::Broken(how);
        }
    };
    deaf.0.close(closed);
}

/// Nobody listens any more.
struct Deafened<'a>(&'a Shared);

impl Drop for Deafened<'_> {
    fn drop(&mut self) {
        self.0.close(Closed::Ended);
    }
}

fn hear(shared: &Arc<Shared>, listener: &dyn Listener, message: Message) {
    match message {
        Message::Response { id, result } => {
            let asked = id.as_i64().and_then(|id| shared.pending().remove(&id));
            match asked {
                // Nobody waits any more: fine.
                Some(waiting) => drop(waiting.send(result)),
                None => tracing::debug!(%id, "an answer to a question that is not open was dropped"),
            }
        }
        Message::Request { id, method, params } => match listener.later(&method, params.as_deref()) {
            None => shared.send(&response(&id, listener.request(&method, params.as_deref()))),
            Some(answer) => {
                let shared = Arc::clone(shared);
                tokio::spawn(async move { shared.send(&response(&id, Ok(answer.await))) });
            }
        },
        Message::Notification { method, params } => listener.notification(&method, params.as_deref()),
    }
}

impl Closed {
    /// The fault that pending requests are failed with. How a process ended is known to whoever started it.
    pub(crate) fn fault(&self, ended: impl FnOnce() -> Fault, words: impl FnOnce() -> String) -> Fault {
        match self {
            Self::Ended => ended(),
            Self::Broken(how) => Fault::Broken { how: how.clone(), words: words() },
            Self::Deaf => Fault::Deaf,
            Self::ByUs(CloseReason::Stopped) => Fault::Stopped,
            Self::ByUs(CloseReason::Memory { used, most }) => {
                Fault::TooMuchMemory { used: *used, most: *most }
            }
            Self::ByUs(CloseReason::Silent { method, after }) => Fault::NoAnswer { method, after: *after },
        }
    }
}

#[cfg(test)]
mod tests;
