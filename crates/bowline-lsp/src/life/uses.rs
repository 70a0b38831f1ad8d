//! Who uses a life now, and since when nobody does.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Counts those who use a life.
#[derive(Debug)]
pub(crate) struct Uses(Mutex<State>);

#[derive(Debug)]
struct State {
    users: usize,
    last: Instant,
}

/// Somebody who uses it.
pub(crate) struct Using<'a>(&'a Uses);

impl Uses {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(State { users: 0, last: Instant::now() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self) -> Using<'_> {
        self.lock().users += 1;
        Using(self)
    }

    /// Somebody is about to use it.
    pub(crate) fn touch(&self) {
        self.lock().last = Instant::now();
    }

    /// For how long nobody has used it. A question that takes long is a use as long as it takes.
    pub(crate) fn unused_for(&self) -> Duration {
        let state = self.lock();
        if state.users > 0 { Duration::ZERO } else { state.last.elapsed() }
    }
}

impl Drop for Using<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.users -= 1;
        state.last = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_long_question_is_a_use_to_its_end() {
        let (uses, second) = (Uses::new(), Duration::from_secs(1));
        tokio::time::advance(second).await;
        assert_eq!(uses.unused_for(), second);
        let using = uses.begin();
        tokio::time::advance(second).await;
        assert_eq!(uses.unused_for(), Duration::ZERO);
        drop(using);
        tokio::time::advance(second).await;
        assert_eq!(uses.unused_for(), second);
        uses.touch();
        assert_eq!(uses.unused_for(), Duration::ZERO);
    }
}
