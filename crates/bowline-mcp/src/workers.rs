//! Where calls run that have to wait.
//!
//! Messages are read and written on one thread. A call that needs nothing but memory is answered there, at its first
//! poll, and no other thread wakes up for it. All others go on in a runtime of their own, so that no call keeps messages
//! from being read.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio_util::task::AbortOnDropHandle;

/// A runtime for calls, or none: then they run where messages are read.
#[derive(Clone, Default)]
pub struct Workers(Option<Arc<dyn Fn() -> Handle + Send + Sync>>);

impl Workers {
    /// `handle` is asked at each call, so the runtime can be started by the first.
    pub fn new(handle: impl Fn() -> Handle + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(handle)))
    }

    /// Runs this to its end. Nothing comes back if the runtime ended before. Dropped, it stops.
    pub(crate) async fn run<T: Send + 'static>(&self, mut work: BoxFuture<'static, T>) -> Option<T> {
        let Some(handle) = &self.0 else { return Some(work.await) };
        let handle = handle();
        let first = poll_fn(|cx| {
            // Timers and tasks that it starts belong to the other runtime from the beginning.
            let _entered = handle.enter();
            Poll::Ready(work.as_mut().poll(cx))
        });
        match first.await {
            Poll::Ready(done) => Some(done),
            Poll::Pending => AbortOnDropHandle::new(handle.spawn(work)).await.ok(),
        }
    }
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Workers").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_need_not_wait_runs_here_and_the_rest_elsewhere() {
        let other = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("elsewhere")
            .enable_all()
            .build()
            .unwrap();
        let workers = Workers::new({
            let handle = other.handle().clone();
            move || handle.clone()
        });
        let name = || thread::current().name().map(str::to_owned);
        let here = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (at_once, later, spawned) = here.block_on(async {
            let at_once = workers.run(Box::pin(async move { name() })).await;
            // Without timers of its own this runtime could not sleep.
            let later = workers.run(Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                name()
            }));
            let spawned =
                workers.run(Box::pin(async move { tokio::spawn(async move { name() }).await.unwrap() }));
            (at_once, later.await, spawned.await)
        });
        assert_eq!(at_once.unwrap(), name());
        assert_eq!(later.unwrap().as_deref(), Some("elsewhere"));
        assert_eq!(spawned.unwrap().as_deref(), Some("elsewhere"));
    }
}
