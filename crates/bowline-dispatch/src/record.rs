//! One call's record while the call is on its way: shared between the walk and the second looks at what it does.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bowline_audit::{AuditError, Closing, OpenRecord};
use bowline_call::{Effect, Intent};
use bowline_gate::{Facts, Objection, PathFact, Stand};

/// What the gate said to one intent.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) verdict: &'static str,
    pub(crate) rule: String,
    pub(crate) intent: Intent,
    pub(crate) facts: Facts,
    /// What any rule has against it.
    pub(crate) objections: Vec<Objection>,
    /// Those of them that let it run.
    pub(crate) warnings: Vec<Objection>,
    /// Where the ledger stood.
    pub(crate) stand: Stand,
    /// A person was asked, and said yes.
    pub(crate) consented: bool,
    /// It was recorded before anything was done.
    pub(crate) written_ahead: bool,
}

impl Judged {
    /// Whether another intent is a part of this one: it reaches no further, and touches no file that this does not.
    fn covers(&self, effect: Effect, facts: &Facts) -> bool {
        let known: HashSet<&PathBuf> =
            self.facts.paths.iter().filter_map(|known| known.real.as_ref().ok()).collect();
        let is_among = |real: &PathBuf| known.contains(real);
        effect <= self.intent.effect
            && !facts.paths.is_empty()
            && facts.paths.iter().all(|path| path.real.as_ref().is_ok_and(is_among))
    }
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

    /// What stands where the call has written.
    pub(crate) fn stands_after(&self, paths: Vec<PathFact>) {
        if let Some(last) = self.judged.lock().unwrap_or_else(PoisonError::into_inner).last_mut() {
            last.facts.after = paths;
        }
    }

    /// Those that were not raised at an earlier look at the same call.
    pub(crate) fn unheard(&self, objections: &[Objection]) -> Vec<Objection> {
        let known = self.judged();
        let is_new = |objection: &&Objection| !known.iter().any(|one| one.objections.contains(objection));
        objections.iter().filter(is_new).cloned().collect()
    }

    /// Whether the person who was asked has said yes to this already.
    pub(crate) fn has_consent(&self, effect: Effect, facts: &Facts) -> bool {
        self.judged().iter().any(|judged| judged.consented && judged.covers(effect, facts))
    }

    /// Whether that it will be done is on disk already.
    fn is_written_ahead(&self, judged: &Judged) -> bool {
        let covers =
            |known: &Judged| known.written_ahead && known.covers(judged.intent.effect, &judged.facts);
        self.judged().iter().any(covers)
    }

    /// Returns when the intent is on disk.
    pub(crate) async fn commit_intent(&self) -> Result<(), AuditError> {
        let Some(judged) = self.judged().pop().filter(|judged| !self.is_written_ahead(judged)) else {
            return Ok(());
        };
        let files: Vec<_> = judged.intent.paths().map(Into::into).collect();
        match self.open.lock().await.as_mut() {
            Some(open) => open.commit_intent(judged.intent.effect, &files).await?,
            // A handler that outlived its call has nothing left to write under.
            None => return Err(AuditError::WriterGone),
        }
        if let Some(last) = self.judged.lock().unwrap_or_else(PoisonError::into_inner).last_mut() {
            last.written_ahead = true;
        }
        Ok(())
    }

    pub(crate) async fn close(&self, closing: Closing) {
        let open = self.open.lock().await.take();
        if let Some(open) = open {
            open.close(closing).await;
        }
    }
}
