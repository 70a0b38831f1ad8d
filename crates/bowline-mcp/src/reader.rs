//! Reads the client's lines, answers the faulty ones on the spot, and hands on the rest.
//!
//! It is a task of its own: the protocol library drops a half-finished read whenever something else happens,
//! and nothing may be lost by that.

use std::sync::Arc;

use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification,
    ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId, RequestMetaObject,
};
use serde_json::json;
use tokio::io::AsyncBufRead;
use tokio::sync::mpsc;

use crate::envelope::{self, Envelope, Fault};
use crate::in_flight::InFlight;
use crate::line::{Line, next_line};
use crate::recorder::Recorder;
use crate::server::supported_versions;
use crate::transport::Outgoing;

/// Until the client closes its end, or nobody listens any more.
pub(crate) async fn read_all<R: AsyncBufRead + Unpin>(mut bytes: R, max_message: usize, door: Door) {
    let mut opened = false;
    loop {
        let read = match next_line(&mut bytes, max_message).await {
            Ok(Some(read)) => read,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, "cannot read from the client");
                return;
            }
        };
        let (opening, size) = match &read {
            Line::Whole(line) => (envelope::open(line), line.len()),
            Line::Oversized { head, tail, bytes } => {
                (Err(Fault::oversized(head, tail, *bytes, max_message)), head.len())
            }
        };
        drop(read);
        let goes_on = match opening {
            Ok(envelope) => door.pass(envelope, size, &mut opened).await,
            Err(fault) => door.refuse(fault).await,
        };
        if goes_on.is_none() {
            return;
        }
    }
}

/// Where lines go once they are understood.
pub(crate) struct Door {
    pub(crate) in_flight: Arc<InFlight>,
    pub(crate) inward: mpsc::Sender<ClientJsonRpcMessage>,
    /// Weak: a reader that waits for a silent client must not hold up the end.
    pub(crate) outward: mpsc::WeakSender<Outgoing>,
    pub(crate) recorder: Arc<Recorder>,
}

impl Door {
    /// `None` when nobody listens any more.
    async fn pass(&self, envelope: Envelope, size: usize, opened: &mut bool) -> Option<()> {
        match envelope {
            Envelope::Nothing => Some(()),
            Envelope::Unanswerable { what } => {
                self.recorder.record(what, "a request without an id cannot be answered".into()).await;
                Some(())
            }
            Envelope::Request { id, what, request } => {
                let room = self.in_flight.room(size).await?;
                match self.in_flight.enter(&id, what.clone(), room) {
                    None => self.refuse(Fault::duplicate(id, what)).await,
                    Some(number) => {
                        *opened |= opens(&request);
                        let message = JsonRpcMessage::request(*request, RequestId::Number(number));
                        self.inward.send(message).await.ok()
                    }
                }
            }
            // Late and unknown ones are left alone: some clients send one after every call.
            Envelope::Cancelled { id } => match self.in_flight.cancel(&id) {
                // It never reached the corridor, and is remembered all the same.
                Some((number, Some(what))) if what.is_remembered() => {
                    self.recorder.record(what, "cancelled before it began".into()).await;
                    self.cancel(number, *opened).await
                }
                Some((number, _)) => self.cancel(number, *opened).await,
                None => Some(()),
            },
            // Before the conversation has begun there is nothing that these could belong to, and the protocol
            // library ends the connection over them.
            Envelope::Notification(_) | Envelope::Response(_) if !*opened => Some(()),
            Envelope::Notification(notification) => {
                self.inward.send(JsonRpcMessage::notification(*notification)).await.ok()
            }
            Envelope::Response(response) => self.inward.send(*response).await.ok(),
        }
    }

    /// Until the conversation has begun there is nothing to stop: the answer is simply not sent.
    async fn cancel(&self, number: i64, opened: bool) -> Option<()> {
        if !opened {
            return Some(());
        }
        let param = CancelledNotificationParam::new(Some(RequestId::Number(number)), None);
        let cancelled = ClientNotification::from(CancelledNotification::new(param));
        self.inward.send(JsonRpcMessage::notification(cancelled)).await.ok()
    }

    async fn refuse(&self, fault: Box<Fault>) -> Option<()> {
        let fault = *fault;
        let mut answer = json!({ "jsonrpc": "2.0" });
        if let Some(id) = fault.id {
            answer["id"] = id;
        }
        answer["error"] = json!({ "code": fault.code, "message": fault.message });
        self.recorder.record(fault.what, fault.message).await;
        self.outward.upgrade()?.send(Outgoing::new(&answer, None)).await.ok()
    }
}

/// Whether the protocol library takes a request for the beginning of a conversation. Until then it answers requests,
/// and takes any other message for the end.
fn opens(request: &ClientRequest) -> bool {
    let complete = |meta: &RequestMetaObject| {
        meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
            && meta.protocol_version().is_some_and(|version| supported_versions().contains(&version))
    };
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        request => complete(request.get_meta()),
    }
}
