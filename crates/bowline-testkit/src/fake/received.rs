//! What the client sent, as it is kept in memory and written to the program's log.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One message of the client's, or one thing that was wrong with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Received {
    pub kind: Kind,
    /// Of a response, the method of the request that it answers.
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// Of a response, its result; of a complaint, the sentence.
    #[serde(default)]
    pub params: Value,
    /// Of a response that is an error, the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Request,
    Notification,
    Response,
    /// Not a message: the fake found that the client broke the protocol.
    Complaint,
}

impl Received {
    pub(crate) fn complaint(about: &str, problem: &str) -> Self {
        Self {
            kind: Kind::Complaint,
            method: about.to_owned(),
            id: None,
            params: json!(problem),
            error: None,
        }
    }
}

/// What of the world around a fake differs between its two forms.
pub(crate) trait Host: Send + Sync {
    fn received(&self, received: Received);

    fn stderr(&self, text: &[u8]);

    /// Starts the child that the fault `stubborn` leaves behind, where there is a process to leave it.
    fn grandchild(&self);
}
