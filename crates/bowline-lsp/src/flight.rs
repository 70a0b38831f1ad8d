//! Requests that outlive the call that asked for them.
//!
//! A call answers within seconds; a search for references may take a minute. The request then goes on to its own
//! bound, and whoever asks the same question again meanwhile, or shortly after, gets its answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::LspError;

/// How long the answer to a question that nobody waited for is kept.
const KEPT: Duration = Duration::from_secs(60);

pub(crate) type Reply = Result<Arc<RawValue>, LspError>;

/// What was asked, and how much the server had been told before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) method: &'static str,
    pub(crate) params: String,
    pub(crate) told: u64,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Flights(Arc<Mutex<HashMap<Question, Arc<Flight>>>>);

#[derive(Debug)]
struct Flight {
    reply: watch::Receiver<Option<Reply>>,
    waiting: AtomicUsize,
    task: AbortHandle,
}

impl Flights {
    fn lock(&self) -> MutexGuard<'_, HashMap<Question, Arc<Flight>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reply to a question: that of an earlier asker if there is one, else `ask` is run in the background.
    pub(crate) async fn join<F>(&self, question: Question, ask: impl FnOnce() -> F) -> Reply
    where
        F: Future<Output = Reply> + Send + 'static,
    {
        let waiter = {
            let mut flights = self.lock();
            let flight = match flights.get(&question) {
                Some(flight) => Arc::clone(flight),
                None => {
                    let flight = self.take_off(question.clone(), ask());
                    flights.insert(question.clone(), Arc::clone(&flight));
                    flight
                }
            };
            flight.waiting.fetch_add(1, Ordering::Relaxed);
            Waiter { flights: self, question, flight }
        };
        let mut reply = waiter.flight.reply.clone();
        let reply = reply.wait_for(Option::is_some).await.ok().and_then(|reply| reply.clone());
        reply.unwrap_or_else(|| Err(crate::Fault::Stopped.of("the server")))
    }

    fn take_off(&self, question: Question, asking: impl Future<Output = Reply> + Send + 'static) -> Arc<Flight> {
        let (sender, reply) = watch::channel(None);
        let flights = self.clone();
        let task = tokio::spawn(async move {
            let reply = asking.await;
            sender.send_replace(Some(reply));
            // Whoever comes back for an answer that took too long finds it here.
            if flights.lock().get(&question).is_some_and(|flight| flight.waiting.load(Ordering::Relaxed) == 0) {
                tokio::time::sleep(KEPT).await;
            }
            flights.lock().remove(&question);
        });
        Arc::new(Flight { reply, waiting: AtomicUsize::new(0), task: task.abort_handle() })
    }

    /// Gives up a question if nobody else waits for its answer: the server is told to stop.
    pub(crate) fn give_up(&self, question: &Question) {
        let mut flights = self.lock();
        if let Some(flight) = flights.get(question).filter(|flight| flight.waiting.load(Ordering::Relaxed) == 0) {
            flight.task.abort();
            flights.remove(question);
        }
    }
}

/// Somebody who waits.
struct Waiter<'a> {
    flights: &'a Flights,
    question: Question,
    flight: Arc<Flight>,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let before = self.flight.waiting.fetch_sub(1, Ordering::Relaxed);
        // An answer that was heard is not kept: the next one asks anew.
        if before == 1 && self.flight.reply.borrow().is_some() {
            let mut flights = self.flights.lock();
            if flights.get(&self.question).is_some_and(|flight| Arc::ptr_eq(flight, &self.flight)) {
                self.flight.task.abort();
                flights.remove(&self.question);
            }
        }
    }
}
