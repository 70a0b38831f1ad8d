//! The demo's own client: an ordinary one, on an in-memory pipe.

use anyhow::Context;
use bowline_mcp::{Options, ServeError};
use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::wiring::Bowline;

/// A conversation, and the server at its other end.
pub(super) struct Session {
    client: RunningService<RoleClient, ()>,
    serving: JoinHandle<Result<(), ServeError>>,
}

/// What came back from one call.
pub(super) struct Reply {
    /// The payload.
    pub(super) text: String,
    /// What was said beside it.
    pub(super) notes: Vec<String>,
    pub(super) is_error: bool,
    pub(super) engine: Option<String>,
}

impl Session {
    pub(super) async fn open(bowline: &Bowline) -> anyhow::Result<Self> {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let options = Options::new(bowline.conversation.clone());
        let (corridor, logs) = (bowline.corridor.clone(), bowline.logs.clone());
        let serving =
            bowline_mcp::serve(corridor, options, logs, tokio::io::split(theirs), CancellationToken::new());
        let serving = tokio::spawn(serving);
        let client = ().serve(ours).await.context("the session did not open")?;
        Ok(Self { client, serving })
    }

    pub(super) async fn tools(&self) -> anyhow::Result<Vec<Tool>> {
        Ok(self.client.list_all_tools().await?)
    }

    pub(super) async fn call(&self, tool: &'static str, arguments: Value) -> anyhow::Result<Reply> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result =
            self.client.call_tool(params).await.with_context(|| format!("`{tool}` was not answered"))?;
        let mut texts = result.content.iter().filter_map(|item| item.as_text()).map(|item| item.text.clone());
        let text = texts.next().unwrap_or_default();
        let notes: Vec<String> = texts.collect();
        let engine = notes.iter().find_map(|note| note.split("engine=").nth(1)).map(str::to_owned);
        Ok(Reply { text, notes, is_error: result.is_error == Some(true), engine })
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        self.client.cancel().await?;
        self.serving.await??;
        Ok(())
    }
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }
}
