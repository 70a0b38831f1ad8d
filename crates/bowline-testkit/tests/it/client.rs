//! The simplest client that can be: it sends, and reads what comes.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use bowline_testkit::{FakeServer, Script};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::timeout;

use crate::{frame, initialize_params, message, unframe};

const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    pub(crate) stream: DuplexStream,
    bytes: Vec<u8>,
    /// Came while something else was waited for.
    aside: VecDeque<Value>,
    asked: i64,
}

impl Client {
    /// The handshake done; the answer to `initialize` comes too.
    pub(crate) async fn start(script: Script, root: &Path) -> (FakeServer, Self, Value) {
        let (server, stream) = FakeServer::start(script);
        let mut client = Self::new(stream);
        let answer = client.request("initialize", initialize_params(root)).await;
        client.notify("initialized", json!({})).await;
        (server, client, answer)
    }

    pub(crate) fn new(stream: DuplexStream) -> Self {
        Self { stream, bytes: Vec::new(), aside: VecDeque::new(), asked: 0 }
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.stream.write_all(&frame(message)).await.unwrap();
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(&message(None, method, params)).await;
    }

    /// Sends a request, and returns its id.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.asked += 1;
        self.send(&message(Some(self.asked), method, params)).await;
        self.asked
    }

    /// Sends a request and waits for the message that answers it.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        self.find(|message| message["id"] == id && message.get("method").is_none()).await
    }

    /// The first message that fits, whatever comes before it.
    pub(crate) async fn find(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.aside.iter().position(&fits) {
            return self.aside.remove(index).unwrap();
        }
        loop {
            let message = self.read().await.expect("the fake ended");
            if fits(&message) {
                return message;
            }
            self.aside.push_back(message);
        }
    }

    pub(crate) async fn find_method(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method).await
    }

    /// The next message, or None at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        match self.aside.pop_front() {
            Some(message) => Some(message),
            None => self.read().await,
        }
    }

    async fn read(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = unframe(&mut self.bytes) {
                return Some(message);
            }
            let read = timeout(PATIENCE, self.stream.read_buf(&mut self.bytes)).await;
            if read.expect("the fake said nothing").unwrap() == 0 {
                return None;
            }
        }
    }
}
