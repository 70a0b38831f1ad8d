//! One call's record while the call is on its way: shared between the walk and the second looks at what it does.

use std::sync::{Mutex, PoisonError};

use bowline_audit::{AuditError, Closing, OpenRecord};
use bowline_call::Intent;
use bowline_gate::Facts;

/// What the gate said to one intent.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) verdict: &'static str,
    pub(crate) rule: String,
    pub(crate) intent: Intent,
    pub(crate) facts: Facts,
}

pub(crate) struct CallRecord {
    /// Gone once closed. The lock is an async one because writing ahead waits for the disk.
    open: tokio::sync::Mutex<Option<OpenRecord>>,
    judged: Mutex<Vec<Judged>>,
}

impl CallRecord {
    pub(crate) fn new(open: OpenRecord) -> Self {
        Self { open: tokio::sync::Mutex::new(Some(open)), judged: Mutex::default() }
    }

    pub(crate) async fn note(&self, judged: Judged) {
        if let Some(open) = self.open.lock().await.as_mut() {
            open.judged(judged.verdict, &judged.rule);
        }
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).push(judged);
    }

    /// Every verdict so far, in order.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns when the intent is on disk.
    pub(crate) async fn commit_intent(&self, intent: &Intent) -> Result<(), AuditError> {
        let files: Vec<_> = intent.paths().map(Into::into).collect();
        match self.open.lock().await.as_mut() {
            Some(open) => open.commit_intent(intent.effect, &files).await,
            // A handler that outlived its call has nothing left to write under.
            None => Err(AuditError::WriterGone),
        }
    }

    pub(crate) async fn close(&self, closing: Closing) {
        let open = self.open.lock().await.take();
        if let Some(open) = open {
            open.close(closing).await;
        }
    }
}
