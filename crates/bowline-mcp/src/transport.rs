//! The protocol library's view of the pipe: whole messages in, whole messages out.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, JsonRpcMessage, ListToolsResult, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::in_flight::{Answered, InFlight, Room};
use crate::listing::Listing;
use crate::recorder::Recorder;

/// How long a client that has closed its end may leave its answers unread before it is given up.
const FAREWELL: Duration = Duration::from_secs(3);
/// The same when we are the ones who end it.
const SHORT_FAREWELL: Duration = Duration::from_millis(500);

/// One message on its way out, with the room that its request still takes up.
pub(crate) struct Outgoing {
    line: Vec<u8>,
    _room: Option<Room>,
}

impl Outgoing {
    pub(crate) fn new(message: &impl Serialize, room: Option<Room>) -> Self {
        Self::written(serde_json::to_vec(message), room)
    }

    /// The list of tools, most of which is text already.
    fn list(listing: &Listing, id: &Value, named: &ListToolsResult, room: Room) -> Self {
        let list = listing.entries().fill_in(named);
        let line = list.map(|list| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{list}}}"#).into_bytes());
        Self::written(line, Some(room))
    }

    fn written(line: serde_json::Result<Vec<u8>>, room: Option<Room>) -> Self {
        let mut line = line.unwrap_or_else(|error| {
            tracing::error!(%error, "a message of ours cannot be written as JSON");
            Vec::new()
        });
        line.push(b'\n');
        Self { line, _room: room }
    }
}

/// An answer under the client's own id.
#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    id: &'a Value,
    result: &'a ServerResult,
}

pub(crate) struct Pipe {
    pub(crate) inward: mpsc::Receiver<ClientJsonRpcMessage>,
    pub(crate) outward: Option<mpsc::Sender<Outgoing>>,
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) listing: Arc<Listing>,
    pub(crate) writer: Option<JoinHandle<()>>,
    /// How many messages have been written.
    pub(crate) written: Arc<AtomicU64>,
    /// Somebody else than the client has ended the conversation.
    pub(crate) ending: CancellationToken,
}

impl Transport<RoleServer> for Pipe {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outward = self.outward.clone();
        let in_flight = Arc::clone(&self.in_flight);
        let recorder = Arc::clone(&self.recorder);
        let listing = Arc::clone(&self.listing);
        async move {
            let Some(outgoing) = address(&in_flight, &recorder, &listing, &message).await else {
                return Ok(());
            };
            let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "the client is gone");
            outward.ok_or_else(gone)?.send(outgoing).await.map_err(|_| gone())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.inward.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outward = None;
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        loop {
            let before = self.written.load(Ordering::Relaxed);
            let patience = if self.ending.is_cancelled() { SHORT_FAREWELL } else { FAREWELL };
            if tokio::time::timeout(patience, &mut writer).await.is_ok() {
                return Ok(());
            }
            // Whoever still reads, however slowly, still gets its answers.
            if self.written.load(Ordering::Relaxed) == before {
                tracing::warn!("the client left without reading all of its answers");
                writer.abort();
                return Ok(());
            }
        }
    }
}

/// Gives an answer the client's own id back. Nothing is sent for a request that was cancelled. A request that the
/// protocol refused before the corridor saw it is remembered here.
async fn address(
    in_flight: &InFlight,
    recorder: &Recorder,
    listing: &Listing,
    message: &ServerJsonRpcMessage,
) -> Option<Outgoing> {
    match message {
        JsonRpcMessage::Response(response) => {
            let Answered { id, room, .. } = leave(in_flight, &response.id)?;
            if let ServerResult::ListToolsResult(named) = &response.result {
                return Some(Outgoing::list(listing, &id, named, room));
            }
            let answer = Answer { jsonrpc: "2.0", id: &id, result: &response.result };
            Some(Outgoing::new(&answer, Some(room)))
        }
        JsonRpcMessage::Error(error) => {
            let Some(number) = &error.id else { return Some(Outgoing::new(message, None)) };
            let Answered { id, room, what } = leave(in_flight, number)?;
            if let Some(what) = what {
                recorder.record(what, error.error.message.to_string()).await;
            }
            Some(Outgoing::new(&json!({ "jsonrpc": "2.0", "id": id, "error": error.error }), Some(room)))
        }
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => Some(Outgoing::new(message, None)),
    }
}

fn leave(in_flight: &InFlight, number: &RequestId) -> Option<Answered> {
    match number {
        RequestId::Number(number) => in_flight.leave(*number),
        RequestId::String(_) => None,
    }
}

/// At most so many messages are written at once.
const BATCH: usize = 64;
/// Longer batches are written as they are, message by message.
const BATCH_BYTES: usize = 64 * 1024;

/// Writes what is sent, one message a line, until nobody can send any more or the client stops listening.
pub(crate) async fn write_all<W: AsyncWrite + Unpin>(
    mut bytes: W,
    mut outgoing: mpsc::Receiver<Outgoing>,
    written: &AtomicU64,
) -> io::Result<()> {
    let mut batch = Vec::new();
    let mut lines = Vec::new();
    while outgoing.recv_many(&mut batch, BATCH).await > 0 {
        let length: usize = batch.iter().map(|message| message.line.len()).sum();
        if batch.len() > 1 && length <= BATCH_BYTES {
            // What is already waiting goes out in the same breath.
            batch.iter().for_each(|message| lines.extend_from_slice(&message.line));
            bytes.write_all(&lines).await?;
            written.fetch_add(batch.len() as u64, Ordering::Relaxed);
            lines.clear();
            batch.clear();
        }
        for message in batch.drain(..) {
            bytes.write_all(&message.line).await?;
            written.fetch_add(1, Ordering::Relaxed);
        }
        bytes.flush().await?;
    }
    Ok(())
}
