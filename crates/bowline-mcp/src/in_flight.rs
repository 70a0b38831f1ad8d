//! Requests that are still being answered.
//!
//! Behind this door requests carry numbers of ours: a client may use any string as an id, use one twice, or use
//! it again while the cancelled first one is still winding down, and no answer goes astray. A client that sends
//! without reading is held back, so that what waits for it stays bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::recorder::What;

/// At most this many requests are answered at once.
const REQUESTS: usize = 256;
/// And at most this many KiB of them are held.
const KIBIBYTES: u32 = 32 * 1024;

/// The room a request takes up until its answer is written.
#[derive(Debug)]
pub(crate) struct Room {
    _request: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Waiting {
    id: Value,
    room: Room,
    /// What it asks for, until the corridor has taken it over and will remember it itself.
    what: Option<What>,
}

/// A request whose answer is ready.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) id: Value,
    /// To be given up once the answer is written.
    pub(crate) room: Room,
    /// What it asked for, if nobody else remembers it.
    pub(crate) what: Option<What>,
}

#[derive(Debug, Default)]
struct Table {
    last: i64,
    by_number: HashMap<i64, Waiting>,
    /// By the id's JSON text, which tells `7` from `"7"`.
    by_id: HashMap<String, i64>,
}

#[derive(Debug)]
pub(crate) struct InFlight {
    table: Mutex<Table>,
    requests: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
}

impl Default for InFlight {
    fn default() -> Self {
        Self {
            table: Mutex::default(),
            requests: Arc::new(Semaphore::new(REQUESTS)),
            bytes: Arc::new(Semaphore::new(KIBIBYTES as usize)),
        }
    }
}

impl InFlight {
    /// Waits until there is room for a request of this size.
    pub(crate) async fn room(&self, bytes: usize) -> Option<Room> {
        let kibibytes = u32::try_from(bytes / 1024 + 1).unwrap_or(KIBIBYTES).min(KIBIBYTES);
        let request = Arc::clone(&self.requests).acquire_owned().await.ok()?;
        let bytes = Arc::clone(&self.bytes).acquire_many_owned(kibibytes).await.ok()?;
        Some(Room { _request: request, _bytes: bytes })
    }

    /// Our number for a request, or `None` if its id is still taken.
    pub(crate) fn enter(&self, id: &Value, what: What, room: Room) -> Option<i64> {
        let mut table = self.lock();
        let text = id.to_string();
        if table.by_id.contains_key(&text) {
            return None;
        }
        table.last += 1;
        let number = table.last;
        table.by_id.insert(text, number);
        table.by_number.insert(number, Waiting { id: id.clone(), room, what: Some(what) });
        Some(number)
    }

    /// The corridor remembers this one from here on, unless it has been cancelled meanwhile.
    pub(crate) fn taken_over(&self, number: i64) -> bool {
        let mut table = self.lock();
        let waiting = table.by_number.get_mut(&number);
        waiting.map(|waiting| waiting.what = None).is_some()
    }

    /// The request that an answer is for, under the client's own id.
    pub(crate) fn leave(&self, number: i64) -> Option<Answered> {
        let mut table = self.lock();
        let waiting = table.by_number.remove(&number)?;
        let text = waiting.id.to_string();
        if table.by_id.get(&text) == Some(&number) {
            table.by_id.remove(&text);
        }
        Some(Answered { id: waiting.id, room: waiting.room, what: waiting.what })
    }

    /// Our number for a request that the client no longer wants, and what it asked for if nobody else remembers it.
    /// It will not be answered.
    pub(crate) fn cancel(&self, id: &Value) -> Option<(i64, Option<What>)> {
        let number = self.lock().by_id.get(&id.to_string()).copied()?;
        Some((number, self.leave(number)?.what))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn an_id_is_free_again_once_answered_or_cancelled() {
        let flight = InFlight::default();
        let room = async || flight.room(10).await.unwrap();
        let first = flight.enter(&json!(7), What::default(), room().await).unwrap();
        assert_eq!(flight.enter(&json!(7), What::default(), room().await), None);
        let text = flight.enter(&json!("7"), What::default(), room().await).unwrap();
        assert_eq!(flight.leave(first).unwrap().id, json!(7));
        let again = flight.enter(&json!(7), What::default(), room().await).unwrap();
        assert_ne!(first, again);
        assert_eq!(flight.cancel(&json!("7")), Some((text, Some(What::default()))));
        assert_eq!(flight.cancel(&json!("7")), None);
        assert!(flight.leave(text).is_none(), "a cancelled request is never answered");
    }

    #[tokio::test]
    async fn large_requests_wait_for_each_other() {
        let flight = InFlight::default();
        let large = flight.room(usize::MAX).await.unwrap();
        assert!(futures_poll(flight.room(1)).await.is_none(), "no room while it is held");
        drop(large);
        assert!(flight.room(1).await.is_some());
    }

    /// Polls once.
    async fn futures_poll<T>(future: impl Future<Output = Option<T>>) -> Option<T> {
        tokio::select! { biased; done = future => done, () = std::future::ready(()) => None }
    }
}
