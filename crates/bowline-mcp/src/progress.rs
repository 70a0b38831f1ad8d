//! How far a call has come, told to a client that asked for it.
//!
//! Only the latest word matters: a client that reads slowly misses the ones between, and nothing piles up.

use bowline_call::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;

#[derive(Debug, Clone)]
struct Word {
    done: u64,
    total: Option<u64>,
    message: String,
}

pub(crate) struct ToClient(watch::Sender<Option<Word>>);

impl ToClient {
    /// Tells this client, under the token it gave, until dropped.
    pub(crate) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        let (sender, mut words) = watch::channel(None::<Word>);
        tokio::spawn(async move {
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
            }
        });
        Self(sender)
    }
}

impl Progress for ToClient {
    fn report(&self, done: u64, total: Option<u64>, message: &str) {
        self.0.send_replace(Some(Word {
            done,
            total,
            message: message.to_owned(),
        }));
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 files")]
fn as_f64(count: u64) -> f64 {
    count as f64
}
