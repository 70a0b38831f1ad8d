//! Commands: what a server can be told to do, and requests that only one server knows.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::super::{Life, value};
use crate::{Fault, LspError};

impl Life {
    /// The names of the commands that the server takes.
    pub fn commands(&self) -> Vec<String> {
        let offered = self.capabilities.raw().pointer("/executeCommandProvider/commands").cloned();
        let registered =
            self.board.options_of("workspace/executeCommand").map(|mut options| options["commands"].take());
        let lists = offered.into_iter().chain(registered);
        let names = lists.filter_map(|list| match list {
            Value::Array(names) => Some(names),
            _ => None,
        });
        names.flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    }

    /// Lets the server do something. Never done twice for one call, whatever happens.
    pub async fn execute_command(
        self: &Arc<Self>,
        command: &str,
        arguments: &[Value],
        stop: &CancellationToken,
    ) -> Result<Value, LspError> {
        let params = json!({"command": command, "arguments": arguments});
        self.order("workspace/executeCommand", &params, stop).await
    }

    /// A request of the server's own making. The parameters and the answer are as it has them.
    pub async fn special(
        self: &Arc<Self>,
        method: &'static str,
        params: &Value,
        stop: &CancellationToken,
    ) -> Result<Value, LspError> {
        self.order(method, params, stop).await
    }

    async fn order(
        self: &Arc<Self>,
        method: &'static str,
        params: &Value,
        stop: &CancellationToken,
    ) -> Result<Value, LspError> {
        let _using = self.uses.begin();
        let bound = self.limits().request;
        tokio::select! {
            biased;
            reply = self.ask_once(method, params, bound) => Ok(value(&reply?)),
            () = stop.cancelled() => Err(Fault::Stopped.of(self.name())),
        }
    }
}
