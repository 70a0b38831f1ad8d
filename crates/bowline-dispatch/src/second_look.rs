//! The way back to the gate for an edit that was computed on the way.

use std::sync::Arc;

use bowline_call::{Asker, Gatekeeper, Intent, ToolCall, ToolError};
use futures_util::future::BoxFuture;

use crate::Corridor;
use crate::record::CallRecord;

/// Judges what a running call turned out to do, and has it recorded before it is done.
pub(crate) struct SecondLook {
    pub(crate) corridor: Arc<Corridor>,
    pub(crate) call: ToolCall,
    pub(crate) asker: Arc<dyn Asker>,
    pub(crate) record: Arc<CallRecord>,
}

impl Gatekeeper for SecondLook {
    fn judge<'a>(&'a self, intent: &'a Intent) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(self.corridor.permit(&self.call, intent, &*self.asker, &self.record))
    }
}
