//! Requests that outlive the call that asked for them.
//!
//! A call answers within seconds; a search for references may take a minute. The request then goes on to its own
//! bound, and whoever asks the same question again meanwhile, or shortly after, gets its answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::{Fault, LspError};

/// How long the answer to a question that nobody waited for is kept.
const KEPT: Duration = Duration::from_secs(60);
/// How much of such answers is kept, in bytes.
const MOST_KEPT: usize = 32 << 20;

pub(crate) type Reply = Result<Arc<RawValue>, LspError>;

/// What was asked, and how much the server had been told before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) method: &'static str,
    pub(crate) params: String,
    pub(crate) told: u64,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct Flights(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    flights: HashMap<Question, Flight>,
    /// Counts flights: the same question may be asked again while the end of an earlier one is still dealt with.
    number: u64,
}

#[derive(Debug)]
struct Flight {
    number: u64,
    reply: watch::Receiver<Option<Reply>>,
    waiting: usize,
    task: AbortHandle,
    kept: Option<Kept>,
}

/// An answer that nobody waited for.
#[derive(Debug, Clone, Copy)]
struct Kept {
    since: Instant,
    bytes: usize,
}

impl Flights {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reply to a question: that of an earlier asker if there is one, else `ask` is run in the background.
    pub(crate) async fn join<F>(&self, server: &str, question: Question, ask: impl FnOnce() -> F) -> Reply
    where
        F: Future<Output = Reply> + Send + 'static,
    {
        let (_waiter, mut reply) = self.board(question, ask);
        let reply = reply.wait_for(Option::is_some).await.ok().and_then(|reply| reply.clone());
        // Only a flight that was given up by its last waiter, or crashed, ends without a reply.
        reply.unwrap_or_else(|| Err(Fault::Stopped.of(server)))
    }

    fn board<F>(
        &self,
        question: Question,
        ask: impl FnOnce() -> F,
    ) -> (Waiter<'_>, watch::Receiver<Option<Reply>>)
    where
        F: Future<Output = Reply> + Send + 'static,
    {
        let mut table = self.lock();
        table.let_go_of_old_answers();
        let Table { flights, number } = &mut *table;
        let flight = flights.entry(question.clone()).or_insert_with(|| {
            *number += 1;
            self.take_off(*number, question.clone(), ask())
        });
        flight.waiting += 1;
        let (number, reply) = (flight.number, flight.reply.clone());
        (Waiter { flights: self, question, number }, reply)
    }

    fn take_off(
        &self,
        number: u64,
        question: Question,
        asking: impl Future<Output = Reply> + Send + 'static,
    ) -> Flight {
        let (sender, reply) = watch::channel(None);
        let crash = Crash { flights: self.clone(), question, number };
        let task = tokio::spawn(async move {
            let reply = asking.await;
            let bytes = reply.as_ref().map_or(0, |answer| answer.get().len());
            sender.send_replace(Some(reply));
            crash.flights.lock().land(&crash.question, number, bytes);
        });
        Flight { number, reply, waiting: 0, task: task.abort_handle(), kept: None }
    }

    /// Gives up a question if nobody else waits for its answer: the server is told to stop.
    pub(crate) fn give_up(&self, question: &Question) {
        let mut table = self.lock();
        if table.flights.get(question).is_some_and(|flight| flight.waiting == 0)
            && let Some(flight) = table.flights.remove(question)
        {
            flight.task.abort();
        }
    }
}

impl Table {
    fn get(&mut self, question: &Question, number: u64) -> Option<&mut Flight> {
        self.flights.get_mut(question).filter(|flight| flight.number == number)
    }

    /// Whoever comes back for an answer that took too long finds it here; one that is waited for is on its way.
    fn land(&mut self, question: &Question, number: u64, bytes: usize) {
        let all: usize = self.flights.values().filter_map(|flight| flight.kept).map(|kept| kept.bytes).sum();
        let Some(flight) = self.get(question, number) else {
            return;
        };
        if flight.waiting == 0 && all + bytes <= MOST_KEPT {
            flight.kept = Some(Kept { since: Instant::now(), bytes });
        } else {
            self.flights.remove(question);
        }
    }

    fn let_go_of_old_answers(&mut self) {
        self.flights.retain(|_, flight| flight.kept.is_none_or(|kept| kept.since.elapsed() < KEPT));
    }

    fn leave(&mut self, question: &Question, number: u64) {
        let Some(flight) = self.get(question, number) else {
            return;
        };
        flight.waiting -= 1;
        // An answer that was heard is not kept: the next one asks anew.
        if flight.waiting == 0 && flight.reply.borrow().is_some() {
            self.flights.remove(question);
        }
    }
}

/// Somebody who waits.
struct Waiter<'a> {
    flights: &'a Flights,
    question: Question,
    number: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.flights.lock().leave(&self.question, self.number);
    }
}

/// A flight that ends without having landed leaves nothing that others would wait for in vain.
struct Crash {
    flights: Flights,
    question: Question,
    number: u64,
}

impl Drop for Crash {
    fn drop(&mut self) {
        let mut table = self.flights.lock();
        if table.get(&self.question, self.number).is_some_and(|flight| flight.reply.borrow().is_none()) {
            table.flights.remove(&self.question);
        }
    }
}

#[cfg(test)]
mod tests;
