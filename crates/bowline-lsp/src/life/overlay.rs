//! Showing a server what is not on disk: alone, for a while, and never longer than somebody looks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard};

use super::Life;
use crate::{Sheet, Shown};

/// While it is held, the server is shown no draft.
#[must_use]
pub struct Attendance(#[expect(dead_code, reason = "held, not read")] OwnedRwLockReadGuard<()>);

/// The server, to oneself. Dropped, every draft that was shown is taken back: whatever happened meanwhile.
#[must_use]
pub struct Overlay {
    life: Arc<Life>,
    /// Given up after the drafts are taken back: fields are dropped after `drop` has run.
    _floor: OwnedRwLockWriteGuard<()>,
}

/// Counts those who wait.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Life {
    /// Waits until no draft is shown, and keeps the server so. Whoever asks holds it, and asks for nothing else that
    /// would wait for it again: a draft may be waiting in between.
    pub async fn attend(&self) -> Attendance {
        let _waiting = Waiting::begin(&self.waiting);
        Attendance(Arc::clone(&self.floor).read_owned().await)
    }

    /// Whether a question or another draft waits for the shown draft to be taken back.
    pub fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Whether an evaluation that gave way waits to have the server back.
    pub fn is_wanted_back(&self) -> bool {
        self.returning.load(Ordering::Relaxed) > 0
    }

    /// Waits until nobody asks, and then has the server alone.
    pub async fn overlay(self: &Arc<Self>) -> Overlay {
        let _waiting = Waiting::begin(&self.waiting);
        self.take_floor().await
    }

    /// The same for one who let others in: those are not to be interrupted for it as soon as for a newcomer, or two
    /// long pieces of work would interrupt each other all the time.
    pub async fn overlay_again(self: &Arc<Self>) -> Overlay {
        let _returning = Waiting::begin(&self.returning);
        self.take_floor().await
    }

    /// Whoever came first is first: one who comes back is behind all whom it let in.
    async fn take_floor(self: &Arc<Self>) -> Overlay {
        let floor = Arc::clone(&self.floor).write_owned().await;
        Overlay { life: Arc::clone(self), _floor: floor }
    }
}

impl Overlay {
    pub fn life(&self) -> &Arc<Life> {
        &self.life
    }

    /// Shows a draft of a document, which is opened if it was not.
    pub fn lay(&self, sheet: &Sheet) -> Shown {
        let life = &self.life;
        let mut documents = life.documents();
        let (notices, shown) =
            documents.lay(sheet, life.capabilities.encoding(), life.capabilities.changes());
        if !notices.is_empty() {
            life.note_sent(&shown, life.world() + 1, &notices);
            for (method, params) in &notices {
                life.tell(method, params);
            }
            life.proofs().forget(|path| documents.get(path).is_none());
            life.turn_the_world();
        }
        shown
    }

    /// Takes every draft back.
    pub fn lift(&self) {
        let life = &self.life;
        let mut documents = life.documents();
        // A text that was there before, it may have no word to say about: unless it is opened.
        let lifted = documents.lift(life.capabilities.encoding(), life.changes_anew());
        if lifted.notices.is_empty() {
            return;
        }
        for shown in &lifted.back {
            life.note_sent(shown, life.world() + 1, &lifted.notices);
        }
        for (method, params) in &lifted.notices {
            life.tell(method, params);
        }
        lifted.closed.iter().for_each(|path| life.board.forget(path));
        life.proofs().forget(|path| documents.get(path).is_none());
        life.turn_the_world();
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        self.lift();
        self.life.make_up_for_losses();
    }
}
