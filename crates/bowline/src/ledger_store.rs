//! Joins the ledgers that the gate asks for with the database that keeps them. Neither knows the other.
//!
//! Opened at the first question, and again after each failure: a person may have mended what was wrong. Nothing is made up
//! meanwhile: a ledger that cannot be read is an error, and the corridor refuses.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bowline_call::ConversationId;
use bowline_gate::{
    KeptLedger, LedgerFound, LedgerMark, LedgerStore, LedgerUnavailable, LedgerWork, LedgerWriting,
    RECENT_CALLS,
};
use bowline_std::clock::Clock;
use bowline_store::{ConversationRow, ConversationStore, NewRow, RowFound, RowMark, StoreError};

pub(crate) struct KeptLedgers {
    /// Where it is, if there is a place for it at all.
    path: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    store: Mutex<Option<Arc<ConversationStore>>>,
}

impl KeptLedgers {
    /// In this directory, of bowline's own state.
    pub(crate) fn within(state_dir: Option<&PathBuf>, clock: Arc<dyn Clock>) -> Self {
        Self { path: state_dir.map(|dir| dir.join("ledger.db")), clock, store: Mutex::default() }
    }

    fn store(&self) -> Result<Arc<ConversationStore>, LedgerUnavailable> {
        let path = self.path.as_ref().ok_or_else(|| {
            LedgerUnavailable::new("there is no directory for bowline's state; set HOME or XDG_STATE_HOME")
        })?;
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*store {
            return Ok(Arc::clone(store));
        }
        let opened = ConversationStore::open(path, self.clock.now()).map_err(|error| self.told(error))?;
        Ok(Arc::clone(store.insert(Arc::new(opened))))
    }

    fn told(&self, error: StoreError) -> LedgerUnavailable {
        let path = self.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        LedgerUnavailable::new(match error {
            StoreError::Busy => format!("another process holds `{path}` and does not let go; try again"),
            lost @ (StoreError::Lost { .. } | StoreError::Io { .. }) => lost.to_string(),
            other => format!("`{path}`: {other}"),
        })
    }

    /// What is broken may be another file by the next time.
    fn failed(&self, error: StoreError) -> LedgerUnavailable {
        if !matches!(error, StoreError::Busy) {
            *self.store.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        self.told(error)
    }
}

/// Either side of a transaction may fail.
enum Failed {
    Store(StoreError),
    Ledger(LedgerUnavailable),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl LedgerStore for KeptLedgers {
    fn read(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
    ) -> Result<LedgerFound, LedgerUnavailable> {
        let found = self.store()?.read(conversation.as_str(), known.map(row), RECENT_CALLS);
        Ok(shown(found.map_err(|error| self.failed(error))?))
    }

    fn change(
        &self,
        conversation: &ConversationId,
        known: Option<LedgerMark>,
        work: &mut LedgerWork<'_>,
    ) -> Result<Option<LedgerMark>, LedgerUnavailable> {
        let (store, name) = (self.store()?, conversation.as_str());
        let changed = store.change(name, known.map(row), RECENT_CALLS, self.clock.now(), |found| {
            let new = work(shown(found)).map_err(Failed::Ledger)?;
            Ok(new.map(|LedgerWriting { state, cleared, log }| NewRow { state, anew: cleared, log }))
        });
        match changed {
            Ok(row) => Ok(row.map(mark)),
            Err(Failed::Ledger(error)) => Err(error),
            Err(Failed::Store(error)) => Err(self.failed(error)),
        }
    }
}

fn shown(found: RowFound) -> LedgerFound {
    match found {
        RowFound::Nothing => LedgerFound::Nothing,
        RowFound::Same => LedgerFound::Same,
        RowFound::Other(ConversationRow { mark: row, state, log }) => {
            LedgerFound::Other(KeptLedger { mark: mark(row), state, log })
        }
    }
}

fn mark(RowMark { row, version, calls }: RowMark) -> LedgerMark {
    LedgerMark { row, version, calls: calls.unsigned_abs() }
}

fn row(LedgerMark { row, version, calls }: LedgerMark) -> RowMark {
    RowMark { row, version, calls: i64::try_from(calls).unwrap_or(i64::MAX) }
}
