//! What single servers do differently, by the name they give themselves. Each entry says what was seen.

use serde_json::{Value, json};

/// How to treat a server.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Quirks {
    /// It says itself when it has nothing left to do, and is not ready before.
    pub(crate) says_quiescent: bool,
    /// The compiler runs when a file is saved, under a progress token that begins so; its findings are pushed, while
    /// those of the server itself are pulled.
    pub(crate) checks_on_save: Option<&'static str>,
    /// What to add to a change that changes nothing, so that it is looked at all the same.
    pub(crate) nudge: Option<Value>,
}

impl Quirks {
    pub(crate) fn of(server: Option<&str>) -> Self {
        match server {
            Some("rust-analyzer") => Self {
                says_quiescent: true,
                checks_on_save: Some("rust-analyzer/flycheck"),
                ..Self::default()
            },
            // It skips a text that it has compiled already, whatever became of the headers.
            Some("clangd") => {
                Self { nudge: Some(json!({"forceRebuild": true, "wantDiagnostics": true})), ..Self::default() }
            }
            _ => Self::default(),
        }
    }
}
