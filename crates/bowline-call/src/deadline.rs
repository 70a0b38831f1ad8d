//! When an answer is due. The clock stands still while a person thinks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// A moment that moves on while nobody is to blame for the time that passes. All clones mean the same moment.
#[derive(Debug, Clone)]
pub struct Deadline(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    moved: Notify,
}

#[derive(Debug)]
struct State {
    due: Instant,
    pauses: usize,
    /// Since when the clock stands still, if it does.
    since: Option<Instant>,
}

impl From<Instant> for Deadline {
    fn from(due: Instant) -> Self {
        let state = Mutex::new(State { due, pauses: 0, since: None });
        Self(Arc::new(Shared { state, moved: Notify::new() }))
    }
}

impl Deadline {
    /// As it stands now.
    pub fn at(&self) -> Instant {
        let state = self.lock();
        state.due + state.since.map_or_else(Default::default, |since| since.elapsed())
    }

    /// Lets the clock stand still for as long as this is held.
    pub fn pause(&self) -> Paused {
        let mut state = self.lock();
        state.pauses += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        Paused(self.clone())
    }

    /// Returns once it has passed.
    pub async fn passed(&self) {
        loop {
            let moved = self.0.moved.notified();
            let (due, stands) = {
                let state = self.lock();
                (state.due, state.since.is_some())
            };
            if stands {
                moved.await;
                continue;
            }
            tokio::time::sleep_until(due.into()).await;
            let state = self.lock();
            if state.since.is_none() && state.due <= Instant::now() {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The clock stands still.
#[derive(Debug)]
pub struct Paused(Deadline);

impl Drop for Paused {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.pauses -= 1;
        if state.pauses == 0
            && let Some(since) = state.since.take()
        {
            state.due += since.elapsed();
        }
        drop(state);
        self.0.0.moved.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn it_passes() {
        Deadline::from(Instant::now()).passed().await;
    }

    #[tokio::test]
    async fn it_does_not_pass_while_the_clock_stands_still() {
        let begun = Instant::now();
        let deadline = Deadline::from(begun + Duration::from_millis(20));
        let (first, second) = (deadline.pause(), deadline.pause());
        drop(second);
        let early = tokio::time::timeout(Duration::from_millis(60), deadline.passed()).await;
        assert!(early.is_err() && deadline.at() > Instant::now());
        drop(first);
        deadline.passed().await;
        assert!(begun.elapsed() >= Duration::from_millis(80), "the time that stood still is given back");
    }

    #[tokio::test]
    async fn one_who_waits_hears_that_it_moves_on() {
        let deadline = Deadline::from(Instant::now() + Duration::from_millis(1));
        let paused = deadline.pause();
        let waiting = tokio::spawn({
            let deadline = deadline.clone();
            async move { deadline.passed().await }
        });
        tokio::task::yield_now().await;
        drop(paused);
        waiting.await.unwrap();
    }
}
