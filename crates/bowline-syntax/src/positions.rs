//! Many offsets of one text turned into positions in one sweep. One at a time, each costs its line's length if
//! the line holds more than ASCII, and generated code may be a single line of megabytes.

use std::ops::Range;

use bowline_code::{Encoding, LineTable, Position, Span};

pub(crate) struct Positions {
    /// Sorted by offset.
    known: Vec<(usize, Position)>,
}

impl Positions {
    pub(crate) fn new(lines: &LineTable, text: &str, mut offsets: Vec<usize>) -> Self {
        offsets.sort_unstable();
        offsets.dedup();
        let mut known: Vec<(usize, Position)> = Vec::with_capacity(offsets.len());
        let mut line_end = 0;
        for offset in offsets {
            let between = known.last().and_then(|(before, at)| {
                let same_line = *before < line_end && offset <= line_end;
                same_line.then(|| text.get(*before..offset)).flatten().map(|between| (*at, between))
            });
            let position = match between {
                Some((at, between)) => {
                    let units: usize = between.chars().map(char::len_utf16).sum();
                    Position::new(at.line, at.column.saturating_add(u32::try_from(units).unwrap_or(u32::MAX)))
                }
                None => lines.position(text, offset, Encoding::Utf16),
            };
            line_end = lines.line_bytes(text, position.line).map_or(0, |bytes| bytes.end);
            known.push((offset, position));
        }
        Self { known }
    }

    /// The span of a range whose ends were given.
    pub(crate) fn span(&self, bytes: &Range<usize>) -> Span {
        Span::new(self.position(bytes.start), self.position(bytes.end))
    }

    fn position(&self, offset: usize) -> Position {
        let index = self.known.partition_point(|(known, _)| *known < offset);
        self.known.get(index).map_or(Position::new(1, 1), |(_, position)| *position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_line_table() {
        let text = "a😀é\r\n\r\u{feff}xy😀\n\nz";
        let lines = LineTable::new(text);
        let every: Vec<usize> = (0..=text.len()).collect();
        let boundaries = every.iter().copied().filter(|at| text.is_char_boundary(*at)).collect();
        let swept = Positions::new(&lines, text, every.clone());
        let sparse = Positions::new(&lines, text, boundaries);
        for offset in every {
            let expected = lines.position(text, offset, Encoding::Utf16);
            assert_eq!(swept.position(offset), expected, "{offset}");
            if text.is_char_boundary(offset) {
                assert_eq!(sparse.position(offset), expected, "{offset}");
            }
        }
    }
}
