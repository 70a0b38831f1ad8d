//! From byte offsets to lines and columns and back, in the three units that language servers count in.
//!
//! A line ends at LF, CR or CRLF. A column past the end of its line, or inside a character, is an error here:
//! what to do about it is the caller's decision.

use std::ops::Range;

use crate::{Position, Span};

/// What one column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

/// A position that the text does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfText {
    /// The text has only this many lines.
    Line { last: u32 },
    /// The line ends before this column; the largest that exists is `last`.
    Column { last: u32 },
    /// Lines and columns begin at 1.
    Zero,
}

/// Where the lines of one text begin.
#[derive(Debug, Clone)]
pub struct LineTable {
    starts: Vec<u32>,
    /// Lines that hold more than ASCII, by index: only these need counting.
    wide: Vec<bool>,
}

impl LineTable {
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut wide = vec![false];
        for (at, byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
                wide.push(false);
            } else if !byte.is_ascii()
                && let Some(last) = wide.last_mut()
            {
                *last = true;
            }
        }
        Self { starts, wide }
    }

    /// How many lines there are; an empty text has one.
    pub fn lines(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// The bytes of a 1-based line without its line end.
    pub fn line_bytes(&self, text: &str, line: u32) -> Option<Range<usize>> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(text.len(), |next| *next as usize);
        let content = text.get(start..end)?;
        let trimmed =
            content.strip_suffix("\r\n").or_else(|| content.strip_suffix(['\n', '\r'])).unwrap_or(content);
        Some(start..start + trimmed.len())
    }

    /// The position of a byte offset. Offsets past the end, inside a character or inside a line end
    /// count as the nearest place before.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let index = self.starts.partition_point(|start| *start as usize <= offset) - 1;
        let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let bytes = self.line_bytes(text, line).unwrap_or(0..0);
        let before = &text[bytes.start..offset.min(bytes.end)];
        let column = if self.wide[index] { count(before, encoding) } else { before.len() };
        Position::new(line, u32::try_from(column + 1).unwrap_or(u32::MAX))
    }

    /// The span of a byte range, in UTF-16 columns as all tools count.
    pub fn span(&self, text: &str, bytes: Range<usize>) -> Span {
        Span::new(
            self.position(text, bytes.start, Encoding::Utf16),
            self.position(text, bytes.end, Encoding::Utf16),
        )
    }

    /// The byte offset of a position.
    pub fn offset(&self, text: &str, at: Position, encoding: Encoding) -> Result<usize, OutOfText> {
        if at.line == 0 || at.column == 0 {
            return Err(OutOfText::Zero);
        }
        let bytes = self.line_bytes(text, at.line).ok_or(OutOfText::Line { last: self.lines() })?;
        let line = &text[bytes.clone()];
        let mut left = at.column as usize - 1;
        for (index, character) in line.char_indices() {
            if left == 0 {
                return Ok(bytes.start + index);
            }
            let width = width(character, encoding);
            if left < width {
                // Inside a character: its start is the only place an editor could mean.
                return Ok(bytes.start + index);
            }
            left -= width;
        }
        if left == 0 {
            return Ok(bytes.end);
        }
        let last = u32::try_from(count(line, encoding) + 1).unwrap_or(u32::MAX);
        Err(OutOfText::Column { last })
    }
}

fn width(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf32 => 1,
    }
}

fn count(text: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => text.len(),
        _ => text.chars().map(|character| width(character, encoding)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn counts_columns_in_each_unit() {
        let text = "a😀b";
        let table = LineTable::new(text);
        let columns = ALL.map(|encoding| table.position(text, 5, encoding).column);
        assert_eq!(columns, [6, 4, 3]);
    }

    #[test]
    fn knows_three_line_ends() {
        let text = "a\rb\r\nc\nd";
        let table = LineTable::new(text);
        assert_eq!(table.lines(), 4);
        let lines: Vec<_> =
            (1..=4).filter_map(|line| table.line_bytes(text, line)).map(|b| &text[b]).collect();
        assert_eq!(lines, ["a", "b", "c", "d"]);
    }

    #[test]
    fn says_what_the_text_does_not_have() {
        let text = "ab\ncdé";
        let table = LineTable::new(text);
        let ask = |line, column| table.offset(text, Position::new(line, column), Encoding::Utf16);
        assert_eq!(ask(2, 4), Ok(7));
        assert_eq!(ask(2, 5), Err(OutOfText::Column { last: 4 }));
        assert_eq!(ask(3, 1), Err(OutOfText::Line { last: 2 }));
        assert_eq!(ask(0, 1), Err(OutOfText::Zero));
    }

    /// The slow truth: walk the text character by character.
    fn naive(text: &str, offset: usize, encoding: Encoding) -> Position {
        let (mut line, mut column) = (1, 1);
        let mut characters = text[..offset].chars().peekable();
        let mut rest = text[offset..].chars();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied().or_else(|| rest.next());
            if character == '\n' || (character == '\r' && next != Some('\n')) {
                (line, column) = (line + 1, 1);
            } else if character != '\r' {
                column += u32::try_from(width(character, encoding)).unwrap();
            }
        }
        Position::new(line, column)
    }

    proptest! {
        #[test]
        fn agrees_with_a_naive_scan_and_comes_back(text in "([a-z]|\r|\n|\r\n|é|😀|\u{feff}){0,30}") {
            let table = LineTable::new(&text);
            for encoding in ALL {
                for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    let position = table.position(&text, offset, encoding);
                    prop_assert_eq!(position, naive(&text, offset, encoding));
                    let back = table.offset(&text, position, encoding);
                    // Between CR and LF there is no place of its own.
                    if !(text[..offset].ends_with('\r') && text[offset..].starts_with('\n')) {
                        prop_assert_eq!(back, Ok(offset));
                    }
                }
            }
        }
    }
}
