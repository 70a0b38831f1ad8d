//! Commands: what a server can be told to do, and requests that only one server knows.

use std::sync::Arc;

use bowline_code::{Position, uri};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::super::{Life, value};
use super::Asker;
use crate::board::Wanted;
use crate::{Fault, LspError, Shown};

/// What a request of a server's own making is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// `TextDocumentPositionParams`.
    Place(Position),
    /// `TextDocumentIdentifier`.
    Document,
}

/// Decides about the edits that a command wants to make, and makes them.
pub trait Editor: Send + Sync {
    /// A `WorkspaceEdit`, counted in UTF-16 units. `Err` says to the server why it is not made.
    fn make<'a>(&'a self, label: Option<&'a str>, edit: Value) -> BoxFuture<'a, Result<(), String>>;
}

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

    /// Lets the server do something. Never done twice for one call, whatever happens. What it wants to edit on the way
    /// is put to the editor, one edit after the other, and the server hears what came of each.
    pub async fn execute_command(
        self: &Arc<Self>,
        command: &str,
        arguments: &[Value],
        asker: Asker<'_>,
        editor: &dyn Editor,
    ) -> Result<Value, LspError> {
        let params = json!({"command": command, "arguments": arguments});
        let _alone = self.commanding.lock().await;
        let mut wanted = self.board.let_edit();
        let mut order = std::pin::pin!(self.order("workspace/executeCommand", &params, asker.stop));
        let answer = loop {
            tokio::select! {
                biased;
                Some(edit) = wanted.recv() => self.edit(edit, asker, editor).await,
                answer = &mut order => break answer,
            }
        };
        // What came in one breath with the answer.
        while let Ok(edit) = wanted.try_recv() {
            self.edit(edit, asker, editor).await;
        }
        answer
    }

    async fn edit(self: &Arc<Self>, wanted: Wanted, asker: Asker<'_>, editor: &dyn Editor) {
        let read = self.read("workspace/applyEdit", asker, |reader| reader.workspace_edit(&wanted.edit));
        let made = match read.map_err(|error| error.to_string()).and_then(|edit| self.timely(edit)) {
            Ok(edit) => editor.make(wanted.label.as_deref(), edit).await,
            Err(reason) => Err(reason),
        };
        wanted.answer(made);
    }

    /// The edit, if it was made for the documents as they are.
    fn timely(&self, edit: Value) -> Result<Value, String> {
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            let document = &change["textDocument"];
            let Some(version) = document["version"].as_i64() else { continue };
            let path = document["uri"].as_str().and_then(uri::to_path);
            let shown = path.and_then(|path| self.shown(&path));
            if shown.is_some_and(|shown| shown.version != version) {
                return Err("the document has changed since".to_owned());
            }
        }
        Ok(edit)
    }

    /// A request of the server's own making, about a place or a document. The answer is as it has it.
    pub async fn special(
        self: &Arc<Self>,
        method: &'static str,
        shown: &Shown,
        about: About,
        asker: Asker<'_>,
    ) -> Result<Value, LspError> {
        let params = match about {
            About::Place(at) => self.place(shown, at),
            About::Document => super::super::about(shown),
        };
        let answer = self.ask(method, params, self.limits().request, asker.stop).await?;
        Ok(value(&answer))
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
