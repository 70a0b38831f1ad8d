//! Edits that a server wants to make: by leave of whoever lets it run a command, and of nobody else.

use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// An edit that a server wants to have made. Dropped, it is refused.
pub(crate) struct Wanted {
    pub(crate) label: Option<String>,
    /// As the server wrote it.
    pub(crate) edit: Box<RawValue>,
    answer: oneshot::Sender<Result<(), String>>,
}

impl Wanted {
    /// Says what came of it. Nobody may be there to hear it: fine.
    pub(crate) fn answer(self, made: Result<(), String>) {
        let _ = self.answer.send(made);
    }
}

/// Who decides about edits now, if anybody does.
#[derive(Default)]
pub(super) struct Editing(Mutex<Option<mpsc::UnboundedSender<Wanted>>>);

impl Editing {
    pub(super) fn begin(&self) -> mpsc::UnboundedReceiver<Wanted> {
        let (sender, wanted) = mpsc::unbounded_channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        wanted
    }

    /// The answer to `workspace/applyEdit`, once there is one.
    pub(super) fn wanted(&self, params: Option<&RawValue>) -> BoxFuture<'static, Value> {
        #[derive(Deserialize)]
        struct Params {
            label: Option<String>,
            edit: Box<RawValue>,
        }
        let decides = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let params = params.and_then(|params| serde_json::from_str::<Params>(params.get()).ok());
        Box::pin(async move {
            let Some(Params { label, edit }) = params else { return refused("the edit makes no sense") };
            let (answer, made) = oneshot::channel();
            let sent = decides.map(|decides| decides.send(Wanted { label, edit, answer }));
            if !matches!(sent, Some(Ok(()))) {
                tracing::warn!("a language server wanted to change files on its own, and was refused");
                return refused("this client makes no changes that nobody asked for");
            }
            match made.await {
                Ok(Ok(())) => json!({"applied": true}),
                Ok(Err(reason)) => refused(&reason),
                Err(_) => refused("the command that it belongs to is over"),
            }
        })
    }
}

fn refused(reason: &str) -> Value {
    json!({"applied": false, "failureReason": reason})
}
