//! One conversation over one byte stream, from the first line to the last.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use bowline_call::ConversationId;
use bowline_dispatch::Corridor;
use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::in_flight::InFlight;
use crate::listing::Listing;
use crate::logs::Logs;
use crate::prompts::Prompts;
use crate::reader::{Door, read_all};
use crate::recorder::Recorder;
use crate::server::Server;
use crate::transport::{Pipe, write_all};
use crate::workers::Workers;

/// How long calls may go on once the client has closed its end.
const GRACE: Duration = Duration::from_millis(500);

/// A person may be away for a while, and still mean this call.
const ANSWERS_WITHIN: Duration = Duration::from_secs(600);

/// What a conversation needs to know.
#[derive(Debug, Clone)]
pub struct Options {
    pub conversation: ConversationId,
    /// Longer messages are refused without being held in memory.
    pub max_message_bytes: usize,
    /// Entries of `tools/list` that were made at build time: a line of JSON each, in the order of the tools' names. Those
    /// of other tools are made when the list is first asked for.
    pub listed: &'static str,
    /// The skills that can be had as prompts, if any can.
    pub prompts: Option<Prompts>,
    /// Where calls run that have to wait.
    pub workers: Workers,
    /// How long a question that went out with a reply may be answered.
    pub answers_within: Duration,
}

impl Options {
    pub fn new(conversation: ConversationId) -> Self {
        Self {
            conversation,
            max_message_bytes: 16 << 20,
            listed: "",
            prompts: None,
            workers: Workers::default(),
            answers_within: ANSWERS_WITHIN,
        }
    }
}

/// Why a conversation ended otherwise than by the client's leaving.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the conversation did not begin: the client sent something else")]
    Opening,
    #[error("the conversation broke off: {0}")]
    Broken(String),
}

/// Serves until the client leaves or `stop` says so.
pub async fn serve<R, W>(
    corridor: Arc<Corridor>,
    options: Options,
    logs: Logs,
    (reader, writer): (R, W),
    stop: CancellationToken,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    logs.send_to_stderr_in_passing();
    let in_flight = Arc::new(InFlight::default());
    let recorder = Arc::new(Recorder::new(Arc::clone(&corridor), options.conversation.clone()));
    let (inward_sender, inward) = mpsc::channel(16);
    let (outward, outgoing) = mpsc::channel(64);
    // Whatever ends the conversation ends its calls too.
    let ending = stop.child_token();
    let closing = ending.child_token();
    let bytes = BufReader::with_capacity(64 * 1024, reader);
    let door = Door {
        in_flight: Arc::clone(&in_flight),
        inward: inward_sender,
        outward: outward.downgrade(),
        recorder: Arc::clone(&recorder),
    };
    let written = Arc::new(AtomicU64::new(0));
    let writing = tokio::spawn({
        let (ending, written) = (ending.clone(), Arc::clone(&written));
        async move {
            if let Err(error) = write_all(writer, outgoing, &written).await {
                // Nobody hears us: there is nothing left to wait for.
                tracing::debug!(%error, "the client no longer reads");
                ending.cancel();
            }
        }
    });
    let reading = tokio::spawn({
        let closing = closing.clone();
        async move {
            read_all(bytes, options.max_message_bytes, door).await;
            // The client has left. Calls that are nearly done may still answer; the others are stopped.
            tokio::time::sleep(GRACE).await;
            closing.cancel();
        }
    });
    let listing = Arc::new(Listing::new(Arc::clone(&corridor), options.listed));
    let server = Server::new(
        (corridor, options.workers),
        (options.conversation, options.prompts, options.answers_within),
        logs.clone(),
        (Arc::clone(&recorder), Arc::clone(&in_flight), Arc::clone(&listing)),
        closing.clone(),
    );
    let pipe = Pipe {
        inward,
        outward: Some(outward),
        listing,
        in_flight,
        recorder,
        writer: Some(writing),
        written,
        ending: ending.clone(),
    };
    let ended = converse(server, pipe, ending).await;
    closing.cancel();
    reading.abort();
    // What it was just writing down is written down before anybody says that this is the end.
    let _ = reading.await;
    logs.send_to_stderr();
    ended
}

async fn converse(server: Server, pipe: Pipe, ending: CancellationToken) -> Result<(), ServeError> {
    let running = match server.serve_with_ct(pipe, ending).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        // Its own words would repeat the client's whole message.
        Err(_) => return Err(ServeError::Opening),
    };
    match running.waiting().await {
        Ok(QuitReason::Closed | QuitReason::Cancelled) => Ok(()),
        Ok(other) => Err(ServeError::Broken(format!("{other:?}"))),
        Err(error) => Err(ServeError::Broken(error.to_string())),
    }
}
