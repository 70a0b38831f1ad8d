//! How a life ends, and what its end is called.

use std::time::{Duration, Instant};

use bowline_std::process::Process;
use serde_json::Value;

use super::Life;
use crate::Fault;
use crate::connection::{CloseReason, Closed};
use crate::error::Before;
use crate::words::LastWords;

/// How long a process may take to be gone after its output ended, or after it was killed.
const REAPED: Duration = Duration::from_millis(500);
/// How long a server may take to agree to its end. gopls takes two seconds to think about it, and has nothing to lose.
const ASKED: Duration = Duration::from_millis(600);
/// How long a server that was asked to end may take before it is told to.
const LEAVING: Duration = Duration::from_millis(300);
/// How long its last words may take to arrive after that.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Life {
    /// Waits for the end, and says what it was.
    pub(crate) async fn end(&self) -> Fault {
        let closed = self.connection.end().await;
        self.why(&closed, Before::Work).await
    }

    pub(super) async fn why(&self, closed: &Closed, before: Before) -> Fault {
        why(closed, self.process.as_ref(), &self.words, before).await
    }

    /// Ends it: politely, then firmly. One that is not ours is only left.
    pub(crate) async fn stop(&self) {
        let until = Instant::now() + self.limits().shutdown;
        let left = || until.saturating_duration_since(Instant::now());
        if self.process.is_some() {
            let asked = self.connection.request("shutdown", &Value::Null, left().min(ASKED)).await;
            if asked.is_ok() {
                self.connection.notify("exit", &Value::Null);
            }
        }
        self.connection.close(CloseReason::Stopped);
        let Some(process) = &self.process else {
            return;
        };
        // It has had its say; some take a second to leave of their own accord.
        if tokio::time::timeout(left().min(LEAVING), process.ended()).await.is_ok() {
            return;
        }
        process.terminate();
        if tokio::time::timeout(left(), process.ended()).await.is_err() {
            process.kill();
            // Not for ever: the kernel may be unable to end one that waits for a dead disk.
            let _ = tokio::time::timeout(REAPED, process.ended()).await;
        }
    }

    /// Ends it at once, on purpose.
    pub(crate) fn abandon(&self) {
        self.connection.close(CloseReason::Stopped);
        self.kill();
    }

    /// Ends it at once, for a reason that its requests are told.
    pub(crate) fn end_for_memory(&self, used: u64, most: u64) {
        self.connection.close(CloseReason::Memory { used, most });
        self.kill();
    }

    pub(crate) fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What the end of a connection means, once it is known how the process ended.
pub(super) async fn why(
    closed: &Closed,
    process: Option<&Process>,
    words: &LastWords,
    before: Before,
) -> Fault {
    let ending = match process {
        Some(process) if *closed == Closed::Ended => {
            let ending = tokio::time::timeout(REAPED, process.ended()).await.ok();
            if ending.is_some() {
                words.over(LAST_WORDS).await;
            }
            ending
        }
        _ => None,
    };
    closed.fault(|| Fault::Ended { ending, before, words: words.text() }, || words.text())
}
