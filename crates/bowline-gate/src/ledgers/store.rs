//! What keeps ledgers, seen from here: text with a mark on it, and a log of texts beside it.

use std::collections::VecDeque;

use bowline_call::ConversationId;

use crate::ledger::Unwritten;
use crate::{Ledger, LedgerEntry, Snapshot};

/// What happened so far cannot be known, or not be written down. Then nothing may run that depends on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what happened so far in this conversation cannot be read or written: {0}")]
pub struct LedgerUnavailable(String);

impl LedgerUnavailable {
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// Which of all states that were ever kept one is. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LedgerMark {
    /// Which conversation. One that was thrown away and begun again is another, whatever its name.
    pub row: i64,
    /// Raised with every change.
    pub version: i64,
    /// How many entries the log has had.
    pub calls: u64,
}

/// What is kept of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptLedger {
    pub mark: LedgerMark,
    pub state: String,
    /// The last entries of the log, the oldest first: those that came after the mark that was asked with, where there was one
    /// of the same row, and never more than [`RECENT_CALLS`](crate::RECENT_CALLS).
    pub log: Vec<String>,
}

/// What a store has, for one who may have seen an earlier state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerFound {
    Nothing,
    /// What the one who asks has already.
    Same,
    Other(KeptLedger),
}

/// What is to be kept from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerWriting {
    pub state: String,
    /// The log so far goes first, and the conversation is another one from now on: it has a new [`LedgerMark::row`].
    pub cleared: bool,
    /// To be added to the log.
    pub log: Vec<String>,
}

/// Decides, from what is found, what is to be kept; nothing is written where nothing has changed.
pub type LedgerWork<'a> = dyn FnMut(LedgerFound) -> Result<Option<LedgerWriting>, LedgerUnavailable> + 'a;

/// Keeps ledgers for longer than a process lives, and for several processes at once. It does not know what they mean.
pub trait LedgerStore: Send + Sync {
    /// What is kept, for one who knows that mark. Writes nothing.
    fn read(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
    ) -> Result<LedgerFound, LedgerUnavailable>;

    /// Changes what is kept, as `work` says, which is called once. Between what it is shown and what it answers nobody else
    /// changes anything, in no process. The answer is the mark of what is kept now.
    fn change(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
        work: &mut LedgerWork<'_>,
    ) -> Result<Option<LedgerMark>, LedgerUnavailable>;
}

/// What is to be written, if anything is new.
pub(super) fn writing(
    before: &Ledger,
    after: &Ledger,
    unwritten: &Unwritten,
) -> Result<Option<LedgerWriting>, LedgerUnavailable> {
    if before == after && before.stand() == after.stand() && !unwritten.cleared {
        return Ok(None);
    }
    let state = serde_json::to_string(&after.snapshot()).map_err(|error| unwritable(&error))?;
    let log = unwritten.entries.iter().map(serde_json::to_string).collect::<Result<_, _>>();
    Ok(Some(LedgerWriting {
        state,
        cleared: unwritten.cleared,
        log: log.map_err(|error| unwritable(&error))?,
    }))
}

/// What is kept, understood. What is known already need not be read again.
pub(super) fn read(
    kept: &KeptLedger,
    known: Option<LedgerMark>,
    held: &Ledger,
) -> Result<Ledger, LedgerUnavailable> {
    let snapshot = Snapshot::parse(&kept.state).map_err(|error| LedgerUnavailable::new(error.to_string()))?;
    let new = kept.log.iter().map(|line| {
        serde_json::from_str::<LedgerEntry>(line)
            .map_err(|error| LedgerUnavailable::new(format!("an entry of its log is damaged: {error}")))
    });
    let new = new.collect::<Result<Vec<_>, _>>()?;
    let goes_on = known.is_some_and(|known| {
        let added = kept.mark.calls.checked_sub(known.calls);
        known.row == kept.mark.row && added == u64::try_from(new.len()).ok()
    });
    let recent = if goes_on { held.recent().cloned().collect() } else { VecDeque::new() };
    let mut ledger = Ledger::kept(snapshot, kept.mark.calls, recent);
    for entry in new {
        ledger.remember(entry);
    }
    Ok(ledger)
}

fn unwritable(error: &serde_json::Error) -> LedgerUnavailable {
    LedgerUnavailable::new(format!("it cannot be written down: {error}"))
}
