//! A client that has left without reading its answers.
//!
//! As long as answers wait for it no more of its input is read, and so the end of that input is not met either. The
//! kernel knows better: the other end of stdin is closed, and stdout takes nothing.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use tokio_util::sync::CancellationToken;

/// How often stdout is looked at once the client has closed its end, and how often in a row it must be full.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
const FULL: u32 = 8;

/// Says stop when the client has gone for good. What it still reads, it still gets.
pub(super) fn watch(stop: CancellationToken) {
    let watching = std::thread::Builder::new().name("bowline-desertion".into()).spawn(move || {
        // Asked for nothing, poll reports the one thing that it always does: that the other end was closed.
        let mut input = [PollFd::from_borrowed_fd(stdin(), PollFlags::empty())];
        if poll(&mut input, None).is_err() || !input[0].revents().contains(PollFlags::HUP) {
            return;
        }
        let mut full = 0;
        while full < FULL && !stop.is_cancelled() {
            let mut output = [PollFd::from_borrowed_fd(stdout(), PollFlags::OUT)];
            match poll(&mut output, Some(&PAUSE)) {
                Ok(0) => full += 1,
                Ok(_) => {
                    full = 0;
                    std::thread::sleep(Duration::from_millis(100));
                }
                Err(_) => return,
            }
        }
        stop.cancel();
    });
    if let Err(error) = watching {
        tracing::warn!(%error, "a client that leaves without reading will not be noticed");
    }
}
