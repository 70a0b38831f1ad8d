//! Content-Length framing: what a stream of bytes says, and where it stops making sense.
//!
//! Servers print what does not belong on their standard output: a greeting, a stray warning. A line of text between
//! two messages is skipped and counted. What shows that the lengths themselves are wrong ends the stream: nobody can
//! say any more where the next message begins, and a guess would be an answer to another question.

use std::fmt;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// Longer messages are refused before anything is allocated for them.
const MAX_BODY: u64 = 64 << 20;
/// Text that is skipped before or between messages, at most.
const MAX_STRAY: usize = 64 << 10;
/// Servers write a message in one go. One that stops in the middle of it will not go on.
const STALL: Duration = Duration::from_secs(2);

/// Why nothing more can be read.
#[derive(Debug)]
pub(crate) enum FrameError {
    /// The stream ended, between two messages or inside one. Why is known to whoever started the process.
    Ended,
    /// It stood still inside a message.
    Stalled,
    TooLong(u64),
    /// What was found where a header should be.
    NoHeader(String),
    Io(io::Error),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ended => f.write_str("it closed its output"),
            Self::Stalled => f.write_str("it stopped in the middle of a message"),
            Self::TooLong(length) => {
                write!(f, "it announced a message of {length} bytes; at most {MAX_BODY} are read")
            }
            Self::NoHeader(found) => write!(f, "it sent `{found}` where the header of a message should be"),
            Self::Io(error) => write!(f, "its output cannot be read: {error}"),
        }
    }
}

/// Takes a stream of bytes apart.
pub(crate) struct FrameReader<R> {
    from: R,
    /// The line that is being read.
    line: Vec<u8>,
    /// A message has been read, so greetings are over.
    greeted: bool,
    doubtful: bool,
    stray: usize,
}

impl<R: AsyncBufRead + Unpin> FrameReader<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, line: Vec::new(), greeted: false, doubtful: false, stray: 0 }
    }

    /// The last body made no sense. Either it was nonsense, and a header follows; or its length was wrong, and what
    /// follows is the rest of it.
    pub(crate) fn doubt(&mut self) {
        self.doubtful = true;
    }

    /// The body of the next message. Not safe to cancel: what was read of a message would be lost.
    pub(crate) async fn next(&mut self) -> Result<Vec<u8>, FrameError> {
        let length = self.header().await?;
        if length > MAX_BODY {
            return Err(FrameError::TooLong(length));
        }
        let body = self.body(usize::try_from(length).unwrap_or(0)).await?;
        self.greeted = true;
        self.doubtful = false;
        self.stray = 0;
        Ok(body)
    }

    async fn header(&mut self) -> Result<u64, FrameError> {
        let mut length = None;
        loop {
            match (length, self.doubtful) {
                // Between two messages a server may be silent for as long as it likes.
                (None, false) => self.read_line().await?,
                (None, true) => self.read_doubtful_line().await?,
                (Some(_), _) => unless_stalled(self.read_line()).await?,
            }
            let line = std::mem::take(&mut self.line);
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\r', '\n']);
            match (Header::of(text), length) {
                (Header::Length(value), _) => length = Some(value),
                (Header::End, Some(length)) => return Ok(length),
                (Header::End, None) | (Header::Other, _) => {}
                (Header::None, _) => self.skip(text, line.len())?,
            }
        }
    }

    fn skip(&mut self, text: &str, bytes: usize) -> Result<(), FrameError> {
        self.stray += bytes;
        // A piece of a message is no stray text: the length before it was wrong, or there was none.
        let piece = self.doubtful
            || text.starts_with("{\"")
            || text.contains("Content-Length:")
            || text.contains("\"jsonrpc\"");
        if self.stray > MAX_STRAY || piece {
            return Err(no_header(text.as_bytes()));
        }
        tracing::debug!(text, greeted = self.greeted, "a line between two messages was skipped");
        Ok(())
    }

    async fn read_line(&mut self) -> Result<(), FrameError> {
        let most = MAX_STRAY as u64 + 1;
        let read = (&mut self.from).take(most).read_until(b'\n', &mut self.line).await;
        let read = read.map_err(FrameError::Io)?;
        match self.line.last() {
            Some(b'\n') => Ok(()),
            Some(_) if read as u64 == most => Err(no_header(&self.line)),
            Some(_) | None => Err(FrameError::Ended),
        }
    }

    /// A header comes whole. A rest of the body before it may have no end of line, and would be waited for until the
    /// next message.
    async fn read_doubtful_line(&mut self) -> Result<(), FrameError> {
        self.from.fill_buf().await.map_err(FrameError::Io)?;
        match unless_stalled(self.read_line()).await {
            Err(FrameError::Stalled) => Err(no_header(&self.line)),
            read => read,
        }
    }

    async fn body(&mut self, length: usize) -> Result<Vec<u8>, FrameError> {
        // The announced length is only believed as far as bytes arrive.
        let mut body = Vec::with_capacity(length.min(1 << 20));
        while body.len() < length {
            let chunk = unless_stalled(async { self.from.fill_buf().await.map_err(FrameError::Io) }).await?;
            if chunk.is_empty() {
                return Err(FrameError::Ended);
            }
            let taken = chunk.len().min(length - body.len());
            body.extend_from_slice(&chunk[..taken]);
            self.from.consume(taken);
        }
        Ok(body)
    }
}

fn no_header(found: &[u8]) -> FrameError {
    FrameError::NoHeader(bowline_std::text::cut(&String::from_utf8_lossy(found), 60))
}

async fn unless_stalled<T>(reading: impl Future<Output = Result<T, FrameError>>) -> Result<T, FrameError> {
    tokio::time::timeout(STALL, reading).await.unwrap_or(Err(FrameError::Stalled))
}

enum Header {
    Length(u64),
    Other,
    /// The empty line behind the headers.
    End,
    None,
}

impl Header {
    fn of(line: &str) -> Self {
        if line.is_empty() {
            return Self::End;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Self::None;
        };
        if name.eq_ignore_ascii_case("content-length") {
            return match value.trim().parse() {
                Ok(length) => Self::Length(length),
                // More digits than any number has are a length, and a bad one.
                Err(_)
                    if !value.trim().is_empty() && value.trim().bytes().all(|byte| byte.is_ascii_digit()) =>
                {
                    Self::Length(u64::MAX)
                }
                Err(_) => Self::None,
            };
        }
        if name.eq_ignore_ascii_case("content-type") { Self::Other } else { Self::None }
    }
}

/// A message as it travels.
pub(crate) fn frame(body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[cfg(test)]
mod tests;
