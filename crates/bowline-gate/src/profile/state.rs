//! What a profile remembers of a conversation.

use serde::{Deserialize, Serialize};

/// A part of the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProfileState {}
