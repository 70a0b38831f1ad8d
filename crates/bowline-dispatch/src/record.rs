//! One call's record while the call is on its way: shared between the walk and the second looks at what it does.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bowline_audit::{AuditError, Closing, OpenRecord};
use bowline_call::Intent;
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
    /// Where the ledger stood, if anybody knew.
    pub(crate) stand: Option<Stand>,
    /// It was recorded before anything was done.
    pub(crate) written_ahead: bool,
}

impl Judged {
    /// Refused before any rule was asked.
    pub(crate) fn by_nobody(rule: &str, intent: Intent, facts: Facts) -> Self {
        Self {
            verdict: "refuse",
            rule: rule.to_owned(),
            intent,
            facts,
            objections: Vec::new(),
            warnings: Vec::new(),
            stand: None,
            written_ahead: false,
        }
    }

    /// Whether another intent is a part of this one: it reaches no further, runs no other command, and touches no file
    /// that this does not.
    fn covers(&self, intent: &Intent, facts: &Facts) -> bool {
        let commands: HashSet<&str> = self.intent.commands().collect();
        let known: HashSet<&PathBuf> =
            self.facts.paths.iter().filter_map(|known| known.real.as_ref().ok()).collect();
        let is_among = |real: &PathBuf| known.contains(real);
        intent.effect <= self.intent.effect
            && intent.commands().all(|command| commands.contains(command))
            && !facts.paths.is_empty()
            && facts.paths.iter().all(|path| path.real.as_ref().is_ok_and(is_among))
    }
}

pub(crate) struct CallRecord {
    /// Gone once closed. The lock is an async one because writing ahead waits for the disk.
    open: tokio::sync::Mutex<Option<OpenRecord>>,
    judged: Mutex<Vec<Judged>>,
    asked: Mutex<Vec<Asked>>,
    /// What the caller is to be told besides.
    notes: Mutex<Vec<String>>,
}

/// A question that was put to a person.
#[derive(Debug, Clone)]
struct Asked {
    question: String,
    about: Judged,
    /// A word for what came of it.
    answer: &'static str,
    consented: bool,
}

impl CallRecord {
    pub(crate) fn new(open: OpenRecord) -> Self {
        Self {
            open: tokio::sync::Mutex::new(Some(open)),
            judged: Mutex::default(),
            asked: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    pub(crate) async fn note(&self, judged: Judged) {
        if let Some(open) = self.open.lock().await.as_mut() {
            open.judged(judged.verdict, &judged.rule);
        }
        lock(&self.judged).push(judged);
    }

    /// Every verdict so far, in order.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        lock(&self.judged).clone()
    }

    /// The same once the call is over: one that ended while a person was asked ended with the question.
    pub(crate) fn all_judged(&self) -> Vec<Judged> {
        let mut judged = self.judged();
        if judged.is_empty() {
            judged.extend(lock(&self.asked).last().map(|asked| asked.about.clone()));
        }
        judged
    }

    /// What stands where the call has written.
    pub(crate) fn stands_after(&self, paths: Vec<PathFact>) {
        if let Some(last) = self.judged.lock().unwrap_or_else(PoisonError::into_inner).last_mut() {
            last.facts.after = paths;
        }
    }

    /// Those that were not raised at an earlier look at the same call.
    pub(crate) fn unheard(&self, objections: &[Objection]) -> Vec<Objection> {
        let asked = lock(&self.asked).clone();
        let known: Vec<_> = self.judged().into_iter().chain(asked.into_iter().map(|one| one.about)).collect();
        let is_new = |objection: &&Objection| !known.iter().any(|one| one.objections.contains(objection));
        objections.iter().filter(is_new).cloned().collect()
    }

    /// A person is about to be asked. Until they have answered, nobody has.
    pub(crate) fn asking(&self, question: String, about: Judged) {
        lock(&self.asked).push(Asked { question, about, answer: "nobody", consented: false });
    }

    /// What came of the last question with this name.
    pub(crate) fn answered(&self, question: &str, answer: &'static str, consented: bool) {
        if let Some(asked) = lock(&self.asked).iter_mut().rfind(|asked| asked.question == question) {
            (asked.answer, asked.consented) = (answer, consented);
        }
    }

    /// Whether the person who was asked has said yes to this already: to the question, or to as much and more.
    pub(crate) fn has_consent(&self, question: &str, intent: &Intent, facts: &Facts) -> bool {
        let is_meant = |asked: &Asked| asked.question == question || asked.about.covers(intent, facts);
        lock(&self.asked).iter().any(|asked| asked.consented && is_meant(asked))
    }

    /// What came of every question so far, for the record.
    pub(crate) fn answers(&self) -> Option<String> {
        let answers: Vec<_> = lock(&self.asked).iter().map(|asked| asked.answer).collect();
        (!answers.is_empty()).then(|| answers.join(", "))
    }

    pub(crate) fn tell(&self, note: String) {
        lock(&self.notes).push(note);
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        lock(&self.notes).clone()
    }

    /// Whether that it will be done is on disk already.
    fn is_written_ahead(&self, judged: &Judged) -> bool {
        let covers = |known: &Judged| known.written_ahead && known.covers(&judged.intent, &judged.facts);
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
        if let Some(last) = lock(&self.judged).last_mut() {
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
