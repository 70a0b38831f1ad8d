//! A client that has left without reading its answers.
//!
//! As long as answers wait for it no more of its input is read, and so the end of that input is not met either. The
//! kernel knows better: the other end of stdin is closed, and stdout takes nothing.

use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::stdio::{stdin, stdout};
use tokio_util::sync::CancellationToken;

/// How often stdout is looked at once the client has closed its end, and how often in a row it must be full.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
const FULL: u32 = 30;

/// Says stop when the client has gone for good: it has closed its end, and has read nothing for three seconds.
pub(super) fn watch(stop: CancellationToken) {
    let watching =
        std::thread::Builder::new().name("bowline-desertion".into()).spawn(move || match wait_for_desertion(
            &stop,
        ) {
            Ok(true) => stop.cancel(),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "a client that leaves without reading will not be noticed"),
        });
    if let Err(error) = watching {
        tracing::warn!(%error, "a client that leaves without reading will not be noticed");
    }
}

/// Whether the client has gone for good; `false` if the conversation ended before, or stdin is nothing that closes.
fn wait_for_desertion(stop: &CancellationToken) -> rustix::io::Result<bool> {
    // Asked for nothing, poll reports the one thing that it always does: that the other end was closed.
    let mut input = [PollFd::from_borrowed_fd(stdin(), PollFlags::empty())];
    retry_on_intr(|| poll(&mut input, None))?;
    if !input[0].revents().contains(PollFlags::HUP) {
        return Ok(false);
    }
    let mut full = 0;
    while full < FULL && !stop.is_cancelled() {
        let mut output = [PollFd::from_borrowed_fd(stdout(), PollFlags::OUT)];
        if retry_on_intr(|| poll(&mut output, Some(&PAUSE)))? == 0 {
            full += 1;
        } else {
            full = 0;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(full == FULL)
}
