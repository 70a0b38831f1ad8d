//! How far a call has come, told to a client that asked for it.
//!
//! Only the latest word matters: a client that reads slowly misses the ones between, and nothing piles up.

use std::time::Duration;

use bowline_call::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

#[derive(Debug, Clone)]
struct Word {
    done: u64,
    total: Option<u64>,
    message: String,
}

/// A person sees no more than this, and a model reads none of it.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct ToClient {
    words: watch::Sender<Option<Word>>,
    /// Ends with the call: no word comes after the answer.
    _telling: AbortOnDropHandle<()>,
}

impl ToClient {
    /// Tells this client, under the token it gave, until dropped.
    pub(crate) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        let (sender, mut words) = watch::channel(None::<Word>);
        let telling = tokio::spawn(async move {
            while words.changed().await.is_ok() {
                let Some(word) = words.borrow_and_update().clone() else {
                    continue;
                };
                let mut told = ProgressNotificationParam::new(token.clone(), as_f64(word.done));
                told.total = word.total.map(as_f64);
                told.message = Some(word.message);
                if peer.notify_progress(told).await.is_err() {
                    return;
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
        Self { words: sender, _telling: AbortOnDropHandle::new(telling) }
    }
}

impl Progress for ToClient {
    fn report(&self, done: u64, total: Option<u64>, message: &str) {
        self.words.send_replace(Some(Word { done, total, message: message.to_owned() }));
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 files")]
fn as_f64(count: u64) -> f64 {
    count as f64
}
