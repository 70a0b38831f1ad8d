//! The ledgers of all conversations, for those who share them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bowline_call::ConversationId;

use crate::Ledger;

/// A handle on every ledger. Cheap to clone; all clones mean the same ledgers.
#[derive(Clone, Default)]
pub struct Ledgers {
    all: Arc<Mutex<HashMap<ConversationId, Arc<Mutex<Ledger>>>>>,
}

impl Ledgers {
    /// Reads or changes one ledger, which nobody else does meanwhile. To be short.
    pub fn with<T>(&self, conversation: &ConversationId, work: impl FnOnce(&mut Ledger) -> T) -> T {
        let ledger = Arc::clone(lock(&self.all).entry(conversation.clone()).or_default());
        let mut ledger = lock(&ledger);
        work(&mut ledger)
    }
}

/// A panic while a ledger was held leaves it as it was: what is changed is changed whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
