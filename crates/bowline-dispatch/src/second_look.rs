//! The way back to the gate for an edit that was computed on the way.

use std::sync::Arc;

use bowline_call::{Asker, Gatekeeper, Intent, ToolCall, ToolError, Turn};
use futures_util::future::BoxFuture;
use tokio::sync::OnceCell;

use crate::Corridor;
use crate::corridor::Look;
use crate::record::CallRecord;

/// Judges what a running call turned out to do, and has it recorded before it is done.
pub(crate) struct SecondLook {
    pub(crate) corridor: Arc<Corridor>,
    pub(crate) call: ToolCall,
    pub(crate) asker: Arc<dyn Asker>,
    pub(crate) record: Arc<CallRecord>,
    /// Its turn among those that change things, once it has one.
    pub(crate) turn: OnceCell<Turn>,
}

impl Gatekeeper for SecondLook {
    fn judge<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<Turn, ToolError>> {
        Box::pin(async move {
            let turn = self.turn.get_or_try_init(|| self.corridor.turn_to_change()).await?;
            self.corridor.permit(&self.call, intent, Look::Second, &*self.asker, &self.record).await?;
            Ok(Arc::clone(turn))
        })
    }
}
