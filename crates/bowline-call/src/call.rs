//! One call, as a surface understood it.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Names one call for ever: time-ordered, unique across processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(uuid::Uuid);

impl CallId {
    pub fn fresh() -> Self {
        Self(uuid::Uuid::now_v7())
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What one agent does from start to stop. It owns a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationId(String);

impl ConversationId {
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    pub fn fresh() -> Self {
        Self(uuid::Uuid::now_v7().to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which surface a call came in by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "surface", rename_all = "lowercase")]
pub enum Origin {
    Mcp {
        /// What the client calls itself, where it said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        client: Option<String>,
    },
    Cli,
}

impl Origin {
    pub fn surface(&self) -> &'static str {
        match self {
            Self::Mcp { .. } => "mcp",
            Self::Cli => "cli",
        }
    }
}

/// One tool invocation.
#[derive(Debug, Clone)]
pub struct ToolCall {
    pub id: CallId,
    pub conversation: ConversationId,
    pub origin: Origin,
    pub tool: String,
    pub arguments: Value,
    /// The directory that relative paths and commands start from, where a host says so.
    pub cwd: Option<PathBuf>,
    /// Whose tool it is, where a host says so.
    pub server: Option<Provenance>,
}

/// The MCP server that a tool of another belongs to, as its host knows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Provenance {
    pub name: String,
    /// Where the host learned of the server: `user`, `project`, `plugin`, …
    #[serde(default)]
    pub source: Option<String>,
    /// The tool's own name, where the host keeps it apart.
    #[serde(default)]
    pub tool: Option<String>,
}
