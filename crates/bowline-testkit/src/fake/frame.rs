//! Frames: read with patience and remarks, written to the letter.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// No client has reason to send more at once; a length above it is a mistake, and no memory is given for it.
const MOST: usize = 256 << 20;

/// A body, and what was odd about its way here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) body: Vec<u8>,
    pub(crate) oddities: Vec<String>,
}

/// The next frame, or None at the end. Whatever is not a header is passed over.
pub(crate) async fn read(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Frame>> {
    let mut oddities = Vec::new();
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if !line.ends_with("\r\n") {
            oddities.push("a line of the header does not end with CRLF".to_owned());
        }
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            match length {
                Some(length) => return body(reader, length, oddities).await,
                None => oddities.push("an empty line without a length before it".to_owned()),
            }
            continue;
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok().filter(|length| *length <= MOST);
                if length.is_none() {
                    oddities.push(format!("not a length: `{value}`"));
                }
            }
            Some((name, _)) if name.eq_ignore_ascii_case("content-type") => {}
            _ => oddities.push(format!("not a header: `{line}`")),
        }
    }
}

async fn body(
    reader: &mut (impl AsyncBufRead + Unpin),
    length: usize,
    oddities: Vec<String>,
) -> io::Result<Option<Frame>> {
    let mut body = vec![0; length];
    match reader.read_exact(&mut body).await {
        Ok(_) => Ok(Some(Frame { body, oddities })),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// A frame with its true length.
pub(crate) fn bytes(body: &[u8]) -> Vec<u8> {
    with_length(body.len(), body)
}

/// A frame that states a length of its own choice.
pub(crate) fn with_length(length: usize, body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {length}\r\n\r\n").into_bytes();
    frame.extend_from_slice(body);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(mut bytes: &[u8]) -> Vec<(String, usize)> {
        let mut frames = Vec::new();
        while let Some(frame) = read(&mut bytes).await.unwrap() {
            frames.push((String::from_utf8(frame.body).unwrap(), frame.oddities.len()));
        }
        frames
    }

    #[tokio::test]
    async fn reads_what_it_writes() {
        let two = [bytes("{\"é\":1}".as_bytes()), bytes(b"")].concat();
        assert_eq!(all(&two).await, [("{\"é\":1}".to_owned(), 0), (String::new(), 0)]);
    }

    #[tokio::test]
    async fn passes_over_what_it_does_not_know_and_remarks_on_it() {
        let odd = b"hello\r\n\r\ncontent-length:2\nContent-Type: x\r\n\r\n{}";
        assert_eq!(all(odd).await, [("{}".to_owned(), 3)]);
        assert_eq!(all(b"Content-Length: 99999999999\r\n\r\n{}\r\n").await, []);
        assert_eq!(all(b"Content-Length: 9\r\n\r\n{}").await, []);
    }
}
