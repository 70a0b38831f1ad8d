//! What calls that are running want changed. Nothing of it happens before they have succeeded, so that there is nothing to take
//! back when one fails: it leaves the ledger as others have made it.

use std::sync::Arc;

use bowline_call::{CallId, ToolError};

use super::{Ledgers, lock};
use crate::Ledger;

pub(super) type Change = Arc<dyn Fn(&mut Ledger) -> Result<(), ToolError> + Send + Sync>;

/// A call that is running. However it ends, what it wanted and did not take is forgotten with this.
pub struct Running {
    ledgers: Ledgers,
    call: CallId,
}

impl Running {
    pub(super) fn new(ledgers: Ledgers, call: CallId) -> Self {
        Self { ledgers, call }
    }

    /// The call has ended: what it wanted changed. Later wishes are not heard.
    #[must_use]
    pub fn end(self) -> Changes {
        Changes(lock(&self.ledgers.inner.running).remove(&self.call).unwrap_or_default())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        lock(&self.ledgers.inner.running).remove(&self.call);
    }
}

/// What a call wanted changed, in its order.
#[derive(Clone, Default)]
pub struct Changes(Vec<Change>);

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of it; or nothing and an error, if what others have done since does not go with it. Then the call has failed.
    pub fn apply(&self, ledger: &mut Ledger) -> Result<(), ToolError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut changed = ledger.clone();
        for change in &self.0 {
            change(&mut changed)?;
        }
        *ledger = changed;
        Ok(())
    }
}
