//! The fake in memory: one end of a pipe for the client, and a handle by which a test sees and steers the other.
#![expect(clippy::panic, reason = "what does not happen in time is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{DuplexStream, duplex, split};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::post::{Out, Post};
use super::received::{Host, Kind, Received};
use super::script::Script;
use super::server::serve;

/// Small, so that longer messages come in pieces.
const PIPE: usize = 4096;

/// Far more than anything takes; only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

const MOST_STDERR: usize = 64 << 10;

/// A fake language server that runs as a task of the current runtime. Its end comes with this handle's, and then
/// nothing that it asked may be left unanswered: neither what the client has had for a second, nor what it read
/// before the answer to `shutdown`, if it said `exit` after that. [`FakeServer::finish`] is stricter.
#[derive(Debug)]
pub struct FakeServer {
    task: AbortHandle,
    post: Post,
    host: Arc<MemoryHost>,
}

#[derive(Debug)]
struct MemoryHost {
    state: watch::Sender<State>,
}

#[derive(Debug, Default)]
struct State {
    received: Vec<Received>,
    stderr: Vec<u8>,
    ended: Option<i32>,
}

impl FakeServer {
    /// Starts the fake; the stream is the client's end.
    pub fn start(script: Script) -> (Self, DuplexStream) {
        let (ours, theirs) = duplex(PIPE);
        let (post, outbox) = Post::new();
        let host = Arc::new(MemoryHost { state: watch::Sender::default() });
        let task = tokio::spawn({
            let (post, host) = (post.clone(), host.clone());
            async move {
                let code = serve(script, split(ours), (post, outbox), host.clone()).await;
                host.state.send_modify(|state| state.ended = Some(code));
            }
        });
        (Self { task: task.abort_handle(), post, host }, theirs)
    }

    /// Everything that came so far, in order, complaints included.
    pub fn received(&self) -> Vec<Received> {
        self.host.state.borrow().received.clone()
    }

    /// What the client did against the protocol.
    pub fn complaints(&self) -> Vec<String> {
        let state = self.host.state.borrow();
        let complaints = state.received.iter().filter(|received| received.kind == Kind::Complaint);
        complaints
            .map(|received| format!("{}: {}", received.method, received.params.as_str().unwrap_or_default()))
            .collect()
    }

    /// Waits until what came is enough, and returns it.
    pub async fn wait_for(&self, mut enough: impl FnMut(&[Received]) -> bool) -> Vec<Received> {
        let mut found = None;
        self.wait(|state| {
            if enough(&state.received) {
                found = Some(state.received.clone());
            }
            found.is_some() || state.ended.is_some()
        })
        .await;
        match found {
            Some(received) => received,
            None => {
                let methods: Vec<String> = self.received().into_iter().map(|one| one.method).collect();
                panic!("the fake language server waited in vain; it received {methods:?}");
            }
        }
    }

    /// The first message of a method, awaited if it has not come yet. Of a method that the fake asked, the answer.
    pub async fn wait_for_method(&self, method: &str) -> Received {
        let is_it = |received: &&Received| received.method == method && received.kind != Kind::Complaint;
        let received = self.wait_for(|received| received.iter().any(|one| is_it(&one))).await;
        match received.iter().find(is_it) {
            Some(received) => received.clone(),
            None => panic!("`{method}` was received and is gone"),
        }
    }

    /// Asks the client, and returns its result or its error.
    pub async fn send_request(&self, method: &str, params: Value) -> Result<Value, Value> {
        match timeout(PATIENCE, self.post.ask(method, params)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(json!({ "code": -32099, "message": "the connection ended before an answer" })),
            Err(_) => panic!("the client did not answer `{method}`"),
        }
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.post.notify(method, params);
    }

    /// Writes bytes as they are, between two frames.
    pub fn send_raw(&self, bytes: impl Into<Vec<u8>>) {
        self.post.put(Out::Raw(bytes.into()));
    }

    /// The fake exits, as a process would: the client sees the end of the stream after all that was sent before.
    pub fn exit(&self, code: i32) {
        self.post.put(Out::Exit(code));
    }

    /// Methods of what the fake asked and has no answer to yet.
    pub fn unanswered(&self) -> Vec<String> {
        self.post.unanswered()
    }

    /// The last of what a process would have written to stderr.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.host.state.borrow().stderr).into_owned()
    }

    /// The exit code, if the fake has ended.
    pub fn ended(&self) -> Option<i32> {
        self.host.state.borrow().ended
    }

    /// Waits for the end, and returns the exit code.
    pub async fn wait_for_end(&self) -> i32 {
        self.wait(|state| state.ended.is_some()).await;
        match self.ended() {
            Some(code) => code,
            None => panic!("the fake language server did not end"),
        }
    }

    /// Waits for the answers to everything that was asked, and ends the fake.
    pub async fn finish(self) {
        let answered = timeout(PATIENCE, async {
            let mut state = self.host.state.subscribe();
            while !self.post.unanswered().is_empty() && self.ended().is_none() {
                // The sender lives as long as this handle.
                let _ = state.changed().await;
            }
        });
        let _ = answered.await;
        let unanswered = self.post.unanswered();
        assert!(unanswered.is_empty(), "the client left unanswered: {}", unanswered.join(", "));
    }

    /// Until it is enough, or has taken too long.
    async fn wait(&self, enough: impl FnMut(&State) -> bool) {
        let mut state = self.host.state.subscribe();
        let _ = timeout(PATIENCE, state.wait_for(enough)).await;
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.task.abort();
        if !std::thread::panicking() {
            let neglected = self.post.neglected();
            assert!(neglected.is_empty(), "the client left unanswered: {}", neglected.join(", "));
        }
    }
}

impl Host for MemoryHost {
    fn received(&self, received: Received) {
        self.state.send_modify(|state| state.received.push(received));
    }

    fn stderr(&self, text: &[u8]) {
        self.state.send_modify(|state| {
            state.stderr.extend_from_slice(text);
            let surplus = state.stderr.len().saturating_sub(MOST_STDERR);
            state.stderr.drain(..surplus);
        });
    }

    fn grandchild(&self) {}
}
