//! The last words of a server on its standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// Enough for the end of a stack trace.
const KEPT: usize = 4 << 10;

/// The end of what was written so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastWords {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Ends when nothing more can come.
    over: CancellationToken,
}

/// Somebody listens. Dropped, nobody does: a process that left its group may hold the stream open for ever.
pub(crate) type Listening = AbortOnDropHandle<()>;

impl LastWords {
    /// Of a server whose standard error is not ours to read.
    pub(crate) fn unheard() -> Self {
        let words = Self::default();
        words.over.cancel();
        words
    }

    /// Reads to the end, and keeps the end of it. Whoever does not read lets the server hang in a write.
    pub(crate) fn listen(&self, mut from: impl AsyncRead + Send + Unpin + 'static) -> Listening {
        let Self { kept, over } = self.clone();
        let over = over.drop_guard();
        AbortOnDropHandle::new(tokio::spawn(async move {
            let _over = over;
            let mut buffer = vec![0; 16 << 10];
            while let Ok(read @ 1..) = from.read(&mut buffer).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..read]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
        }))
    }

    /// Waits until everything was heard, or for so long. What a process wrote last may still be in the pipe when its
    /// end is known.
    pub(crate) async fn over(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.over.cancelled()).await;
    }

    pub(crate) fn text(&self) -> String {
        let kept: Vec<u8> =
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        // The first character may have been cut in two.
        text.trim_start_matches('\u{fffd}').trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn the_end_is_kept_and_waited_for() {
        let (mut server, ours) = tokio::io::duplex(1 << 10);
        let words = LastWords::default();
        let _listening = words.listen(ours);
        server.write_all("é".repeat(KEPT).as_bytes()).await.unwrap();
        server.write_all(b"fatal\n").await.unwrap();
        drop(server);
        words.over(Duration::from_secs(60)).await;
        let text = words.text();
        assert!(text.ends_with("éfatal") && text.len() <= KEPT && text.starts_with('é'));
    }

    #[tokio::test]
    async fn nobody_listens_to_a_stream_that_nobody_wants() {
        let (mut server, ours) = tokio::io::duplex(16);
        let words = LastWords::default();
        drop(words.listen(ours));
        words.over(Duration::from_secs(60)).await;
        assert!(server.write_all(&[0; 64]).await.is_err());
    }
}
