//! How answers leave: late, twice, in the wrong order or under a wrong id, and not at all once they are cancelled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use super::fault::Fault;
use super::post::{self, Answer, Failure, Out, Post};
use super::script::Script;

const BATCH: usize = 4;
const BATCH_TIME: Duration = Duration::from_millis(100);

/// How one answer is to leave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) delay: Duration,
    pub(crate) part: Part,
    pub(crate) then: Then,
}

/// `initialize` and `shutdown` are answered under their own ids and in their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Handshake,
    Work,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    GoOn,
    Exit,
}

#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    post: Post,
    wrong_ids: bool,
    twice: bool,
    out_of_order: bool,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Answers that wait for their time, by their id.
    late: BTreeMap<String, AbortHandle>,
    /// Answers that wait for company.
    batch: Vec<Value>,
    /// How many batches have left.
    batches: u64,
}

impl Delivery {
    pub(crate) fn new(script: &Script, post: Post) -> Self {
        Self {
            post,
            wrong_ids: script.has(&Fault::WrongIds),
            twice: script.has(&Fault::DoubleAnswers),
            out_of_order: script.has(&Fault::OutOfOrder),
            shared: Arc::default(),
        }
    }

    pub(crate) fn deliver(&self, id: &Value, answer: Answer, terms: Terms) {
        let wrong = self.wrong_ids && terms.part == Part::Work;
        let message = if wrong { post::answer(&never_asked(id), answer) } else { post::answer(id, answer) };
        if terms.delay.is_zero() {
            self.leave(message, terms);
            return;
        }
        let (late, key) = (self.clone(), id.to_string());
        let mut shared = self.shared();
        // Whoever takes the entry out, the clock or the client's cancellation, sends the one answer.
        let task = tokio::spawn({
            let key = key.clone();
            async move {
                sleep(terms.delay).await;
                let due = late.shared().late.remove(&key).is_some();
                if due {
                    late.leave(message, terms);
                }
            }
        });
        shared.late.insert(key, task.abort_handle());
    }

    /// An answer that is still waiting becomes an error at once.
    pub(crate) fn cancel(&self, id: &Value) {
        let waiting = self.shared().late.remove(&id.to_string());
        if let Some(task) = waiting {
            task.abort();
            self.post.send(post::answer(id, Err(Failure::new(Failure::REQUEST_CANCELLED, "cancelled"))));
        }
    }

    fn leave(&self, message: Value, terms: Terms) {
        if self.out_of_order && terms.part == Part::Work {
            self.join_batch(message);
        } else {
            if self.twice {
                self.post.send(message.clone());
            }
            self.post.send(message);
        }
        if terms.then == Then::Exit {
            self.post.put(Out::Exit(1));
        }
    }

    fn join_batch(&self, message: Value) {
        let mut shared = self.shared();
        shared.batch.push(message);
        if shared.batch.len() == BATCH {
            self.send_batch(&mut shared);
        } else if shared.batch.len() == 1 {
            let (late, batch) = (self.clone(), shared.batches);
            tokio::spawn(async move {
                sleep(BATCH_TIME).await;
                let mut shared = late.shared();
                if shared.batches == batch {
                    late.send_batch(&mut shared);
                }
            });
        }
    }

    fn send_batch(&self, shared: &mut Shared) {
        shared.batches += 1;
        for message in shared.batch.drain(..).rev() {
            self.post.send(message);
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn never_asked(id: &Value) -> Value {
    id.as_i64().map_or_else(|| json!("never-asked"), |id| json!(id + 1_000_000))
}
