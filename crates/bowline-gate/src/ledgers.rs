//! The ledgers of all conversations, for those who share them: threads always, and processes where a store is behind it.

mod running;
mod store;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bowline_call::{CallId, ConversationId, ToolError};

use crate::Ledger;
pub use running::{Changes, Running};
pub use store::{
    KeptLedger, LedgerFound, LedgerMark, LedgerStore, LedgerUnavailable, LedgerWork, LedgerWriting,
};

use running::Change;

/// A handle on every ledger. Cheap to clone; all clones mean the same ledgers.
///
/// Without a store nothing here waits. With one, [`refresh`](Self::refresh), [`look`](Self::look) and [`with`](Self::with)
/// wait for a disk, and perhaps for another process: call them where that is allowed.
#[derive(Clone, Default)]
pub struct Ledgers {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    store: Option<Arc<dyn LedgerStore>>,
    conversations: Mutex<HashMap<ConversationId, Arc<Conversation>>>,
    /// What calls that are running want changed.
    running: Mutex<HashMap<CallId, Vec<Change>>>,
}

#[derive(Default)]
struct Conversation {
    /// Never locked while something is waited for.
    held: Mutex<Held>,
    /// Held by whoever changes what is kept.
    turn: Mutex<()>,
}

/// A ledger, and which of those that were ever kept it is.
#[derive(Clone, Default)]
struct Held {
    ledger: Arc<Ledger>,
    mark: Option<LedgerMark>,
}

impl Ledgers {
    /// Ledgers that outlive the process, and that other processes share.
    pub fn kept(store: Arc<dyn LedgerStore>) -> Self {
        Self { inner: Arc::new(Inner { store: Some(store), ..Inner::default() }) }
    }

    /// Whether somebody else may change them, and looking at them means waiting.
    pub fn is_kept(&self) -> bool {
        self.inner.store.is_some()
    }

    /// Takes over what other processes have done.
    pub fn refresh(&self, conversation: &ConversationId) -> Result<(), LedgerUnavailable> {
        let Some(store) = &self.inner.store else { return Ok(()) };
        let place = self.place(conversation);
        let held = lock(&place.held).clone();
        match store.read(conversation, held.mark)? {
            LedgerFound::Same => Ok(()),
            found => {
                let was = held.mark;
                let new = held.take_over(found)?;
                let mut now = lock(&place.held);
                if new.mark > now.mark || was == now.mark {
                    *now = new;
                }
                Ok(())
            }
        }
    }

    /// The ledger as it was when somebody last looked. Whoever must know what others did since refreshes first.
    pub fn known(&self, conversation: &ConversationId) -> Arc<Ledger> {
        Arc::clone(&lock(&self.place(conversation).held).ledger)
    }

    /// Looks at one ledger as it is now. Writes nothing.
    pub fn look<T>(
        &self,
        conversation: &ConversationId,
        work: impl FnOnce(&Ledger) -> T,
    ) -> Result<T, LedgerUnavailable> {
        self.refresh(conversation)?;
        Ok(work(&self.known(conversation)))
    }

    /// Changes one ledger, which nobody else does meanwhile, in no process. To be short. After an error nothing has changed.
    pub fn with<T>(
        &self,
        conversation: &ConversationId,
        work: impl FnOnce(&mut Ledger) -> T,
    ) -> Result<T, LedgerUnavailable> {
        let place = self.place(conversation);
        let Some(store) = &self.inner.store else {
            return Ok(work(Arc::make_mut(&mut lock(&place.held).ledger)));
        };
        let _turn = lock(&place.turn);
        let held = lock(&place.held).clone();
        let (mut work, mut done) = (Some(work), None);
        let mark = store.change(conversation, held.mark, &mut |found| {
            let work = work.take().ok_or_else(|| LedgerUnavailable::new("it was to be changed twice"))?;
            let before = held.clone().take_over(found)?.ledger;
            let mut ledger = Ledger::clone(&before);
            ledger.unwritten = Some(crate::ledger::Unwritten::default());
            let value = work(&mut ledger);
            let unwritten = ledger.unwritten.take().unwrap_or_default();
            let writing = store::writing(&before, &ledger, &unwritten)?;
            done = Some((value, ledger));
            Ok(writing)
        })?;
        let (value, ledger) = done.ok_or_else(|| LedgerUnavailable::new("nobody looked at it"))?;
        *lock(&place.held) = Held { ledger: Arc::new(ledger), mark };
        Ok(value)
    }

    /// Forgets all of a conversation.
    pub fn reset(&self, conversation: &ConversationId) -> Result<(), LedgerUnavailable> {
        self.with(conversation, Ledger::reset)
    }

    /// A call begins. What it wants changed is remembered as long as the answer is held.
    #[must_use]
    pub fn begin(&self, call: CallId) -> Running {
        lock(&self.inner.running).insert(call, Vec::new());
        Running::new(self.clone(), call)
    }

    /// What a running call wants changed: it happens when the call has succeeded, and never if it has not. The answer is what
    /// it would be now; `work` is done again, for good, when the call ends. Looks at the ledger as it was last known.
    pub fn stage<T>(
        &self,
        conversation: &ConversationId,
        call: CallId,
        work: impl Fn(&mut Ledger) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Result<T, ToolError> {
        let mut rehearsal = Ledger::clone(&self.known(conversation));
        let earlier = lock(&self.inner.running).get(&call).cloned().ok_or(ToolError::Cancelled)?;
        for change in earlier {
            change(&mut rehearsal)?;
        }
        let value = work(&mut rehearsal)?;
        let mut running = lock(&self.inner.running);
        let changes = running.get_mut(&call).ok_or(ToolError::Cancelled)?;
        changes.push(Arc::new(move |ledger| work(ledger).map(drop)));
        Ok(value)
    }

    fn place(&self, conversation: &ConversationId) -> Arc<Conversation> {
        let mut all = lock(&self.inner.conversations);
        if let Some(place) = all.get(conversation) {
            return Arc::clone(place);
        }
        Arc::clone(all.entry(conversation.clone()).or_default())
    }
}

impl Held {
    /// What it is in the light of what is kept.
    fn take_over(self, found: LedgerFound) -> Result<Self, LedgerUnavailable> {
        let kept = match found {
            LedgerFound::Same => return Ok(self),
            // Nobody has written anything, or somebody has thrown it away.
            LedgerFound::Nothing => return Ok(Self::default()),
            LedgerFound::Other(kept) => kept,
        };
        let mark = Some(kept.mark);
        let ledger = store::read(&kept, self.mark, &self.ledger)?;
        Ok(Self { ledger: Arc::new(ledger), mark })
    }
}

/// A panic while a ledger was held leaves it as it was: what is changed is changed whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
