//! Standard input and output of a conversation, without a thread of their own where they are pipes or sockets.
//!
//! The descriptors are shared with the process that started us, so they are never made non-blocking. Instead the kernel
//! is asked before each read and each write whether it would wait; if it would, the runtime waits for readiness. A pipe
//! that is writable takes `PIPE_BUF` bytes at once, and a socket can be told not to wait. Files, terminals and everything
//! else are left to the runtime's threads.

use std::io;
use std::os::fd::BorrowedFd;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use rustix::io::{Errno, read, retry_on_intr, write};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use rustix::pipe::PIPE_BUF;
use rustix::stdio::{stdin, stdout};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

/// Returns at once.
const NOW: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// A descriptor whose reads and writes can be kept from waiting.
struct Polled {
    fd: AsyncFd<BorrowedFd<'static>>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pipe,
    Socket,
}

impl Polled {
    /// Nothing for what is neither, and for what the system cannot wait for.
    fn new(fd: BorrowedFd<'static>, interest: Interest) -> Option<Self> {
        let kind = match FileType::from_raw_mode(fstat(fd).ok()?.st_mode) {
            FileType::Fifo => Kind::Pipe,
            FileType::Socket => Kind::Socket,
            _ => return None,
        };
        #[expect(unsafe_code, reason = "the runtime wants to be told that the descriptor stays open")]
        // SAFETY: standard input and output are never closed.
        let fd = unsafe { AsyncFd::register_with_interest(fd, interest) }.ok()?;
        Some(Self { fd, kind })
    }

    /// Whether this would not wait now. An end that is closed counts: the call itself will say so.
    fn is_ready(&self, flags: PollFlags) -> io::Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(*self.fd.get_ref(), flags)];
        Ok(retry_on_intr(|| poll(&mut fds, Some(&NOW)))? > 0)
    }

    /// What is there to read, or nothing if it is not there yet.
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let fd = *self.fd.get_ref();
        let read = match self.kind {
            Kind::Pipe if !self.is_ready(PollFlags::IN)? => return Ok(None),
            Kind::Pipe => retry_on_intr(|| read(fd, &mut *buffer)),
            Kind::Socket => {
                retry_on_intr(|| recv(fd, &mut *buffer, RecvFlags::DONTWAIT)).map(|(read, _)| read)
            }
        };
        unless_waiting(read)
    }

    /// How much was written, or nothing if there is no room yet.
    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let fd = *self.fd.get_ref();
        let written = match self.kind {
            Kind::Pipe if !self.is_ready(PollFlags::OUT)? => return Ok(None),
            Kind::Pipe => retry_on_intr(|| write(fd, &bytes[..bytes.len().min(PIPE_BUF)])),
            Kind::Socket => retry_on_intr(|| send(fd, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)),
        };
        unless_waiting(written)
    }
}

fn unless_waiting(done: rustix::io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Errno::AGAIN) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Standard input. To be called inside a runtime.
pub(crate) fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    match Polled::new(stdin(), Interest::READABLE) {
        Some(polled) => Box::new(polled),
        None => Box::new(tokio::io::stdin()),
    }
}

/// Standard output. `on_full` is called when it first takes no more, or at once where that cannot be known. To be called
/// inside a runtime.
pub(crate) fn output(on_full: impl FnOnce() + Send + Unpin + 'static) -> Box<dyn AsyncWrite + Send + Unpin> {
    match Polled::new(stdout(), Interest::WRITABLE) {
        Some(polled) => Box::new(Output { polled, on_full: Some(on_full) }),
        None => {
            on_full();
            Box::new(tokio::io::stdout())
        }
    }
}

impl AsyncRead for Polled {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let mut guard = ready!(self.fd.poll_read_ready(cx))?;
            let room = buffer.initialize_unfilled();
            let asked = room.len();
            match self.read_now(room)? {
                Some(read) => {
                    // All that there was: the next byte will be news again.
                    if (1..asked).contains(&read) {
                        guard.clear_ready();
                    }
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                None => guard.clear_ready(),
            }
        }
    }
}

struct Output<F> {
    polled: Polled,
    on_full: Option<F>,
}

impl<F: FnOnce() + Send + Unpin> AsyncWrite for Output<F> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut written = 0;
            while written < bytes.len() {
                match self.polled.write_now(&bytes[written..]) {
                    Ok(Some(more)) => written += more,
                    Ok(None) => break,
                    // What was written before is told first; the next call meets the error again.
                    Err(_) if written > 0 => break,
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
            if written > 0 || bytes.is_empty() {
                return Poll::Ready(Ok(written));
            }
            if let Some(on_full) = self.on_full.take() {
                on_full();
            }
            ready!(self.polled.fd.poll_write_ready(cx))?.clear_ready();
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
