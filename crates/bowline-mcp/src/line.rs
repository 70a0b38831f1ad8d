//! Lines out of a byte stream, none longer than a limit.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// How much of an oversized line's beginning and end is kept, to find out whose request it was.
const HEAD_BYTES: usize = 64 * 1024;
const TAIL_BYTES: usize = 1024;

/// One line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Whole(Vec<u8>),
    /// Longer than the limit; the rest of it was skipped.
    Oversized {
        head: Vec<u8>,
        tail: Vec<u8>,
        bytes: u64,
    },
}

/// The next line, or `None` at the end of the stream. A last line without an end counts.
pub(crate) async fn next_line<R: AsyncBufRead + Unpin>(
    reader: &mut R,
    max: usize,
) -> std::io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let mut tail = Vec::new();
    let mut total: u64 = 0;
    loop {
        let chunk = reader.fill_buf().await?;
        if chunk.is_empty() {
            return Ok((total > 0).then(|| finish(kept, tail, total, max)));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let content = &chunk[..end.unwrap_or(chunk.len())];
        total += content.len() as u64;
        if total <= max as u64 {
            kept.extend_from_slice(content);
        } else if kept.len() > HEAD_BYTES {
            // The memory is given back now, not when the line ends: it may never end.
            kept.truncate(HEAD_BYTES);
            kept.shrink_to_fit();
        }
        if total > max as u64 {
            tail.extend_from_slice(&content[content.len().saturating_sub(TAIL_BYTES)..]);
            tail.drain(..tail.len().saturating_sub(TAIL_BYTES));
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(finish(kept, tail, total, max)));
        }
    }
}

fn finish(mut kept: Vec<u8>, tail: Vec<u8>, total: u64, max: usize) -> Line {
    if total > max as u64 {
        kept.truncate(HEAD_BYTES);
        return Line::Oversized { head: kept, tail, bytes: total };
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Line::Whole(kept)
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    async fn lines(input: &[u8], max: usize, buffer: usize) -> Vec<String> {
        let mut reader = BufReader::with_capacity(buffer, input);
        let mut out = Vec::new();
        while let Some(line) = next_line(&mut reader, max).await.unwrap() {
            out.push(match line {
                Line::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                Line::Oversized { bytes, .. } => format!("<{bytes} bytes>"),
            });
        }
        out
    }

    #[tokio::test]
    async fn splits_however_the_bytes_arrive() {
        for buffer in 1..20 {
            assert_eq!(lines(b"one\r\n\ntwo\nthree", 10, buffer).await, ["one", "", "two", "three"]);
        }
    }

    #[tokio::test]
    async fn skips_an_oversized_line_and_reads_on() {
        for buffer in 1..20 {
            assert_eq!(
                lines(b"0123456789x\nok\n0123456789", 10, buffer).await,
                ["<11 bytes>", "ok", "0123456789"]
            );
        }
    }
}
