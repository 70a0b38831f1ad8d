//! When a server has seen the whole project, and how we know.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Life, about};
use crate::{Fault, Shown, Task};

/// After its last task a server may begin the next within this time: loading is followed by indexing.
const SETTLE: Duration = Duration::from_millis(250);
/// A server that reports progress at all begins to within this time.
const GRACE: Duration = Duration::from_millis(500);
/// How often time alone may have changed the answer.
const LOOK: Duration = Duration::from_millis(50);

/// Whether everything that answers depend on is known to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// What it is still doing.
    Busy(String),
    /// It knows a part of the project, and will not know more by itself: why.
    Stuck(String),
}

/// Remembers whether a first question has been answered, for servers that report no progress.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    asked: AtomicBool,
    answered: AtomicBool,
    /// It was ready once.
    was: AtomicBool,
    /// It reads changed files until then, as far as anybody knows.
    reading: Mutex<Option<Instant>>,
}

impl Watch {
    pub(super) fn read_until(&self, then: Instant) {
        *self.reading.lock().unwrap_or_else(PoisonError::into_inner) = Some(then);
    }

    fn is_reading(&self) -> bool {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        *reading = reading.filter(|then| *then > Instant::now());
        reading.is_some()
    }
}

impl Life {
    /// As it is now.
    pub fn readiness(&self) -> Readiness {
        let now = self.look();
        if now == Readiness::Ready {
            self.ready.was.store(true, Ordering::Relaxed);
        }
        now
    }

    /// Whether it was ready once. What it answered before may have been about a part of the project.
    pub(super) fn was_ready(&self) -> bool {
        self.ready.was.load(Ordering::Relaxed)
    }

    fn look(&self) -> Readiness {
        let work = self.board.work();
        let busy =
            |tasks: &[Task]| Readiness::Busy(tasks.first().map_or_else(|| "starting".to_owned(), describe));
        if self.ready.is_reading() {
            return Readiness::Busy("reading changed files".to_owned());
        }
        if let Some(why) = self.stuck(&work.tasks) {
            return Readiness::Stuck(why);
        }
        match work.quiescent {
            Some(true) => return Readiness::Ready,
            Some(false) => return busy(&work.tasks),
            None if self.quirks().says_quiescent => return busy(&work.tasks),
            None => {}
        }
        if let Some(words) = self.quirks().ready_when_it_logs {
            // Its progress is about single requests.
            return if self.board.has_logged(words) { Readiness::Ready } else { busy(&[]) };
        }
        if !work.tasks.is_empty() {
            return busy(&work.tasks);
        }
        let settled = match work.drained {
            // Once it was ready, the end of a task is the end of it.
            Some(_) if self.was_ready() || self.quirks().loads_in_one_task => true,
            Some(drained) => drained.elapsed() >= SETTLE,
            None => {
                let evidence = work.published_any || self.ready.answered.load(Ordering::Relaxed);
                evidence && self.began.elapsed() >= GRACE
            }
        };
        if settled { Readiness::Ready } else { busy(&[]) }
    }

    /// Why it cannot load the project, where it says so: in a task that never ends, in the last words of one that did,
    /// or of its own health.
    fn stuck(&self, tasks: &[Task]) -> Option<String> {
        if let Some(message) = self.board.ill() {
            return Some(message);
        }
        let words = self.quirks().cannot_load?;
        let task = tasks.iter().find(|task| task.title.starts_with(words)).map(describe);
        let ended = || self.board.last_end().filter(|message| message.starts_with(words));
        task.or_else(ended).or_else(|| {
            let (files, words) = self.quirks().load_errors?;
            let says = |file: &&&str| {
                let published = self.board.published(&self.root.join(file));
                published.is_some_and(|published| published.diagnostics.get().contains(words))
            };
            files.iter().find(says).map(|file| format!("its {file} has errors"))
        })
    }

    /// Waits until it is ready, or is known never to be. Whoever waits no longer drops the future.
    pub async fn ready(self: &Arc<Self>, shown: Option<&Shown>) {
        let _using = self.uses.begin();
        let mut changes = self.board.subscribe();
        self.release_canary(shown);
        while matches!(self.readiness(), Readiness::Busy(_)) && !self.is_over() {
            // Some of it is a matter of time alone.
            let _ = tokio::time::timeout(LOOK, changes.changed()).await;
        }
    }

    /// Waits until what the server was shown counts for questions across files, where that takes time.
    pub async fn settled(&self) {
        if !self.quirks().settles_by_publishing {
            return;
        }
        let mut changes = self.board.subscribe();
        while !self.is_over() && !self.is_published() {
            let _ = tokio::time::timeout(LOOK, changes.changed()).await;
        }
    }

    /// Asks a first question, once: a server that answers it works.
    fn release_canary(self: &Arc<Self>, shown: Option<&Shown>) {
        let Some(shown) = shown else {
            return;
        };
        if self.ready.asked.swap(true, Ordering::Relaxed) {
            return;
        }
        let (life, document) = (Arc::clone(self), about(shown));
        tokio::spawn(async move {
            let params = json!({"textDocument": document, "position": {"line": 0, "character": 0}});
            let never = CancellationToken::new();
            let method = if life.capabilities.offers("hoverProvider") {
                "textDocument/hover"
            } else {
                "textDocument/documentSymbol"
            };
            let bound = life.limits().initialize;
            match life.ask(method, params, bound, &never).await.map_err(|error| error.fault) {
                // Whoever refuses has heard the question.
                Ok(_) | Err(Fault::Refused { .. }) => life.ready.answered.store(true, Ordering::Relaxed),
                Err(_) => life.ready.asked.store(false, Ordering::Relaxed),
            }
        });
    }
}

fn describe(task: &Task) -> String {
    let mut text = task.title.clone();
    if let Some(percentage) = task.percentage {
        text.push_str(&format!(" {percentage}%"));
    }
    if let Some(message) = task.message.as_deref().filter(|message| !message.is_empty()) {
        text.push_str(&format!(" ({message})"));
    }
    text
}
