//! What the watcher's thread is told, in order. Never so much that memory fills: then it is told that it missed
//! something.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

/// How many signs may wait to be read.
const MOST: usize = 65_536;

/// Something happened on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sign {
    At(What, PathBuf),
    /// Some signs are missing.
    Lost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Created, or moved here.
    Appeared,
    Written,
    /// Something about it other than its content, or that cannot be told.
    Touched,
    /// Removed, or moved away.
    Vanished,
    /// Removed, and it was a directory. Of what was moved away nobody says what it was.
    DirectoryVanished,
    /// One must look.
    Unclear,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// From the watcher of this generation.
    Sign(u64, Sign),
    /// The cookie could not be used.
    NewCookie,
    Stop,
    /// The time waited for has come.
    Due,
}

pub(super) fn inbox() -> (Slot, Inbox) {
    let (sender, receiver) = mpsc::channel();
    let level = Arc::new(Level::default());
    (Slot { sender, level: Arc::clone(&level) }, Inbox { receiver, level })
}

#[derive(Default)]
struct Level {
    waiting: AtomicUsize,
    spilled: AtomicBool,
}

#[derive(Clone)]
pub(super) struct Slot {
    sender: Sender<Message>,
    level: Arc<Level>,
}

impl Slot {
    pub(super) fn put(&self, generation: u64, sign: Sign) {
        if self.level.waiting.load(Ordering::Relaxed) >= MOST {
            self.level.spilled.store(true, Ordering::Release);
        } else {
            self.send(Message::Sign(generation, sign));
        }
    }

    /// Puts what must arrive. If nobody reads any more, nobody needs it.
    pub(super) fn send(&self, message: Message) {
        self.level.waiting.fetch_add(1, Ordering::Relaxed);
        let _ = self.sender.send(message);
    }
}

pub(super) struct Inbox {
    receiver: Receiver<Message>,
    level: Arc<Level>,
}

impl Inbox {
    /// Waits for the next message, at most until `due`.
    pub(super) fn next(&self, generation: u64, due: Option<Instant>) -> Message {
        if self.level.spilled.swap(false, Ordering::Acquire) {
            return Message::Sign(generation, Sign::Lost);
        }
        let received = match due.map(|due| due.saturating_duration_since(Instant::now())) {
            Some(rest) if rest.is_zero() => return Message::Due,
            Some(rest) => self.receiver.recv_timeout(rest),
            None => self.receiver.recv().map_err(RecvTimeoutError::from),
        };
        match received {
            Ok(message) => {
                self.level.waiting.fetch_sub(1, Ordering::Relaxed);
                message
            }
            Err(RecvTimeoutError::Timeout) => Message::Due,
            Err(RecvTimeoutError::Disconnected) => Message::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_and_says_when_it_could_not_keep_all() {
        let (slot, inbox) = inbox();
        let sign = |number: usize| Sign::At(What::Written, number.to_string().into());
        for number in 0..MOST {
            slot.put(1, sign(number));
        }
        assert_eq!(inbox.next(1, None), Message::Sign(1, sign(0)));
        slot.put(1, sign(MOST));
        slot.put(1, sign(MOST + 1));
        assert_eq!(inbox.next(1, None), Message::Sign(1, Sign::Lost));
        assert_eq!(inbox.next(1, None), Message::Sign(1, sign(1)));
    }

    #[test]
    fn what_is_due_does_not_wait_behind_signs() {
        let (slot, inbox) = inbox();
        slot.send(Message::NewCookie);
        assert_eq!(inbox.next(1, Some(Instant::now())), Message::Due);
        assert_eq!(inbox.next(1, None), Message::NewCookie);
        drop(slot);
        assert_eq!(inbox.next(1, None), Message::Stop);
    }
}
