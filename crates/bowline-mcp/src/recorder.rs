//! Remembers what never became a call: lines that are no messages, and requests that the protocol refuses.

use std::sync::{Arc, Mutex, PoisonError};

use bowline_call::{ConversationId, Origin};
use bowline_dispatch::{Corridor, Malformed, Prompted};

/// A name is its client's own invention: cut, before it gets into every record.
const LONGEST_NAME: usize = 80;

/// What a request asked for, as far as it could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct What {
    pub(crate) method: Option<String>,
    pub(crate) tool: Option<String>,
}

impl What {
    /// Whether it is remembered even when nothing came of it.
    pub(crate) fn is_remembered(&self) -> bool {
        matches!(self.method.as_deref(), Some("tools/call" | "prompts/get"))
    }
}

pub(crate) struct Recorder {
    corridor: Arc<Corridor>,
    conversation: ConversationId,
    client: Mutex<Option<String>>,
}

impl Recorder {
    pub(crate) fn new(corridor: Arc<Corridor>, conversation: ConversationId) -> Self {
        Self { corridor, conversation, client: Mutex::default() }
    }

    /// The client has said what it is called.
    pub(crate) fn meet(&self, name: &str) {
        let name = name.chars().take(LONGEST_NAME).collect();
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin::Mcp { client: self.client.lock().unwrap_or_else(PoisonError::into_inner).clone() }
    }

    /// A prompt was handed out, or was not, and why.
    pub(crate) fn prompted(&self, name: String, refused: Option<String>) {
        let (conversation, origin) = (self.conversation.clone(), self.origin());
        self.corridor.prompted(Prompted { conversation, origin, name, refused });
    }

    pub(crate) async fn record(&self, what: What, why: String) {
        tracing::warn!(method = what.method, "refused a message: {why}");
        let malformed = Malformed {
            conversation: Some(self.conversation.clone()),
            origin: self.origin(),
            what: what.tool.or(what.method),
            why,
        };
        self.corridor.malformed(malformed).await;
    }
}
