//! Lines of a file, forwards and backwards, each within bounds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use crate::chain::MAX_LINE;

/// No writer makes longer ones. What is longer is passed over, not kept.
const LONGEST: usize = 4 * MAX_LINE;
const BLOCK: u64 = 64 << 10;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where in the file it begins.
    pub(super) offset: u64,
    /// Where the next one begins.
    pub(super) next: u64,
    /// Counted from 1, where the file was read from its beginning.
    pub(super) number: Option<u64>,
    /// Without the newline; empty where the line is too long.
    pub(super) bytes: Vec<u8>,
    pub(super) size: Size,
    pub(super) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Fits,
    TooLong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Newline,
    /// The file ends before the line does.
    File,
}

/// Lines from some place on to the end.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    offset: u64,
    number: Option<u64>,
}

impl<R: Read> Lines<R> {
    /// The reader stands at this offset, which is where a line begins.
    pub(super) fn new(reader: R, offset: u64) -> Self {
        Self { reader: BufReader::new(reader), offset, number: (offset == 0).then_some(0) }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let begin = self.offset;
        let mut bytes = Vec::new();
        let mut size = Size::Fits;
        let end = loop {
            let block = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                break End::File;
            }
            let newline = block.iter().position(|byte| *byte == b'\n');
            let taken = newline.unwrap_or(block.len());
            if bytes.len() + taken > LONGEST {
                size = Size::TooLong;
                bytes.clear();
            }
            if size == Size::Fits {
                bytes.extend_from_slice(&block[..taken]);
            }
            let consumed = taken + usize::from(newline.is_some());
            self.reader.consume(consumed);
            self.offset += consumed as u64;
            if newline.is_some() {
                break End::Newline;
            }
        };
        if self.offset == begin {
            return Ok(None);
        }
        self.number = self.number.map(|number| number + 1);
        Ok(Some(Line { offset: begin, next: self.offset, number: self.number, bytes, size, end }))
    }
}

/// Lines from some place back to the beginning.
pub(super) struct Backward {
    file: File,
    /// Bytes of the file that have been read and not given out yet; they begin at `start`.
    unread: Vec<u8>,
    start: u64,
}

impl Backward {
    /// From the end of the file as it is now.
    pub(super) fn new(file: File) -> io::Result<Self> {
        let start = file.metadata()?.len();
        Ok(Self { file, unread: Vec::new(), start })
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let next = self.start + self.unread.len() as u64;
        if next == 0 {
            return Ok(None);
        }
        if self.unread.is_empty() {
            self.read_more()?;
        }
        let end = if self.unread.pop_if(|byte| *byte == b'\n').is_some() { End::Newline } else { End::File };
        let mut size = Size::Fits;
        let mut bytes = loop {
            let newline = self.unread.iter().rposition(|byte| *byte == b'\n');
            if newline.is_some() || self.start == 0 {
                break self.unread.split_off(newline.map_or(0, |newline| newline + 1));
            }
            if self.unread.len() > LONGEST {
                size = Size::TooLong;
                self.unread.clear();
            }
            self.read_more()?;
        };
        let offset = self.start + self.unread.len() as u64;
        if size == Size::TooLong || bytes.len() > LONGEST {
            size = Size::TooLong;
            bytes.clear();
        }
        Ok(Some(Line { offset, next, number: None, bytes, size, end }))
    }

    fn read_more(&mut self) -> io::Result<()> {
        let count = BLOCK.min(self.start);
        self.file.seek(SeekFrom::Start(self.start - count))?;
        let mut block = Vec::new();
        // Somebody may cut the file off while it is read.
        let read = (&self.file).take(count).read_to_end(&mut block)?;
        if read as u64 != count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        block.append(&mut self.unread);
        self.unread = block;
        self.start -= count;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
