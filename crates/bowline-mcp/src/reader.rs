//! Reads the client's lines, answers the faulty ones on the spot, and hands on the rest.
//!
//! It is a task of its own: the protocol library drops a half-finished read whenever something else happens,
//! and nothing may be lost by that.

use std::sync::Arc;

use bowline_call::{ConversationId, Origin};
use bowline_dispatch::{Corridor, Malformed};
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification,
    ClientRequest, JsonRpcMessage, RequestId,
};
use serde_json::json;
use tokio::io::AsyncBufRead;
use tokio::sync::mpsc;

use crate::envelope::{self, Envelope, Fault};
use crate::in_flight::InFlight;
use crate::line::{Line, next_line};
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
            Line::Oversized { head, bytes } => (Err(Fault::oversized(head, *bytes, max_message)), head.len()),
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
    pub(crate) corridor: Arc<Corridor>,
    pub(crate) conversation: ConversationId,
}

impl Door {
    async fn pass(&self, envelope: Envelope, size: usize, opened: &mut bool) -> Option<()> {
        match envelope {
            Envelope::Nothing => Some(()),
            Envelope::Request { id, request } => {
                *opened |= opens(&request);
                let room = self.in_flight.room(size).await?;
                match self.in_flight.enter(&id, room) {
                    None => self.refuse(Fault::duplicate(id, request.method())).await,
                    Some(number) => {
                        let message = JsonRpcMessage::request(*request, RequestId::Number(number));
                        self.inward.send(message).await.ok()
                    }
                }
            }
            Envelope::Cancelled { id } => match self.in_flight.cancel(&id) {
                // Late or unknown: some clients send it after every call.
                None => Some(()),
                Some(number) => {
                    let param = CancelledNotificationParam::new(Some(RequestId::Number(number)), None);
                    let cancelled = ClientNotification::from(CancelledNotification::new(param));
                    self.inward
                        .send(JsonRpcMessage::notification(cancelled))
                        .await
                        .ok()
                }
            },
            // Before the first request there is no conversation that these could belong to, and the protocol
            // library ends the connection over them.
            Envelope::Notification(_) | Envelope::Response(_) if !*opened => Some(()),
            Envelope::Notification(notification) => self
                .inward
                .send(JsonRpcMessage::notification(*notification))
                .await
                .ok(),
            Envelope::Response(response) => self.inward.send(*response).await.ok(),
        }
    }

    async fn refuse(&self, fault: Fault) -> Option<()> {
        tracing::warn!(
            code = fault.code,
            method = fault.method,
            "refused a message: {}",
            fault.message
        );
        let mut answer = json!({ "jsonrpc": "2.0" });
        if let Some(id) = &fault.id {
            answer["id"] = id.clone();
        }
        answer["error"] = json!({ "code": fault.code, "message": fault.message });
        self.record(fault).await;
        self.outward
            .upgrade()?
            .send(Outgoing::new(&answer, None))
            .await
            .ok()
    }

    /// Remembers a request that never became a call.
    async fn record(&self, fault: Fault) {
        self.corridor
            .malformed(Malformed {
                conversation: Some(self.conversation.clone()),
                origin: Origin::Mcp { client: None },
                what: fault.tool.or(fault.method),
                why: fault.message,
            })
            .await;
    }
}

/// Whether a request decides which protocol era the conversation is in.
fn opens(request: &ClientRequest) -> bool {
    !matches!(
        request,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_)
    )
}
