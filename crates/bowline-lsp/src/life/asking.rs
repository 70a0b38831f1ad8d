//! How a question is put: shared with whoever asks the same, put again where that helps, and bounded.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Life;
use crate::connection::{CloseReason, Unanswered};
use crate::error::Before;
use crate::flight::{Flights, Question, Reply};
use crate::{Fault, LspError};

/// The world changed under the question; it is worth asking again.
const CONTENT_MODIFIED: i64 = -32801;
/// The server let go of the question by itself.
const SERVER_CANCELLED: i64 = -32802;
/// How long to wait before a question is put again.
const AGAIN: Duration = Duration::from_millis(50);
/// For how long a server is watched that may hang.
const WATCHED: Duration = Duration::from_secs(1);
/// Ticks of some hundred in that time that are no work: waking up for timers takes a few. More would be too many for
/// one that has to share a processor with twenty others.
const NO_WORK: u64 = 5;

impl Life {
    /// Asks, and waits. When the caller stops waiting the request goes on to its bound, unless `stop` says that the
    /// answer is no longer wanted.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
        bound: Duration,
        stop: &CancellationToken,
    ) -> Reply {
        // None of them ever shrinks, so the sum is the same only if all are.
        let told = self.told.load(Ordering::Acquire) + self.board.turns() + u64::from(self.was_ready());
        let question = Question { method, params: params.to_string(), told };
        let _given_up = GivenUp { flights: &self.flights, question: question.clone(), stop };
        let life = Arc::clone(self);
        let asking = self.flights.join(self.name(), question, move || async move {
            let _using = life.uses.begin();
            life.ask_now(method, &params, bound).await
        });
        tokio::select! {
            biased;
            reply = asking => reply,
            () = stop.cancelled() => Err(Fault::Stopped.of(self.name())),
        }
    }

    async fn ask_now(self: &Arc<Self>, method: &'static str, params: &Value, bound: Duration) -> Reply {
        let until = Instant::now() + bound;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.connection.request(method, params, left).await {
                Ok(result) => return Ok(result.into()),
                Err(Unanswered::Refused(refusal))
                    if is_worth_another(refusal.code, &refusal.data) && left > AGAIN =>
                {
                    tokio::time::sleep(AGAIN).await;
                }
                Err(unanswered) => return Err(self.unanswered(method, unanswered, bound).await),
            }
        }
    }

    /// Asks one time, whatever the answer.
    pub(super) async fn ask_once(
        self: &Arc<Self>,
        method: &'static str,
        params: &Value,
        bound: Duration,
    ) -> Reply {
        match self.connection.request(method, params, bound).await {
            Ok(result) => Ok(result.into()),
            Err(unanswered) => Err(self.unanswered(method, unanswered, bound).await),
        }
    }

    async fn unanswered(
        self: &Arc<Self>,
        method: &'static str,
        unanswered: Unanswered,
        bound: Duration,
    ) -> LspError {
        let fault = match unanswered {
            Unanswered::Refused(refusal) => {
                let message = bowline_std::text::cut(&refusal.message, 500);
                Fault::Refused { method, code: refusal.code, message }
            }
            Unanswered::Late { silent } => {
                if silent {
                    self.suspect(method, bound);
                }
                Fault::NoAnswer { method, after: bound }
            }
            Unanswered::Closed(closed) => self.why(&closed, Before::Work).await,
        };
        fault.of(self.name())
    }

    /// Looks whether it hangs, while whoever asked is told that there is no answer.
    fn suspect(self: &Arc<Self>, method: &'static str, bound: Duration) {
        if self.suspected.swap(true, Ordering::Relaxed) {
            return;
        }
        let life = Arc::clone(self);
        tokio::spawn(async move {
            if life.hangs().await {
                life.connection.close(CloseReason::Silent { method, after: bound });
            }
            life.suspected.store(false, Ordering::Relaxed);
        });
    }

    /// Whether it neither speaks nor works, although it was just told that nobody waits any more. A server that
    /// computes may be silent for long, and so may one that waits for the network; but that one takes notice of a
    /// cancellation. One that is not ours, or of whose work the system does not tell, is left alone.
    async fn hangs(&self) -> bool {
        let ticks = || self.process.as_ref()?.ticks();
        let heard = self.connection.heard();
        let Some(before) = ticks() else {
            return false;
        };
        tokio::time::sleep(WATCHED).await;
        let works = ticks().is_none_or(|after| after.saturating_sub(before) >= NO_WORK);
        !works && self.connection.heard() == heard
    }
}

/// Gives up a question with the future that asked it, if its answer is no longer wanted.
struct GivenUp<'a> {
    flights: &'a Flights,
    question: Question,
    stop: &'a CancellationToken,
}

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if self.stop.is_cancelled() {
            self.flights.give_up(&self.question);
        }
    }
}

fn is_worth_another(code: i64, data: &Value) -> bool {
    match code {
        CONTENT_MODIFIED => true,
        SERVER_CANCELLED => data.get("retriggerRequest").and_then(Value::as_bool).unwrap_or(true),
        _ => false,
    }
}
