//! Lines, positions and words of one text. A position that the text does not have is an error, never a guess.

use std::ops::Range;

use serde_json::{Value, json};

use super::script::PositionEncoding;

/// A text and where its lines are, line ends not counted.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    pub(crate) text: &'t str,
    pub(crate) ranges: Vec<Range<usize>>,
    unit: PositionEncoding,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str, unit: PositionEncoding) -> Self {
        let bytes = text.as_bytes();
        let mut ranges = Vec::new();
        let (mut start, mut at) = (0, 0);
        while let Some(byte) = bytes.get(at) {
            let line_end = match byte {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
                b'\r' | b'\n' => 1,
                _ => 0,
            };
            if line_end > 0 {
                ranges.push(start..at);
                start = at + line_end;
            }
            at += line_end.max(1);
        }
        ranges.push(start..text.len());
        Self { text, ranges, unit }
    }

    /// The byte of a position of the protocol's.
    pub(crate) fn offset(&self, position: &Value) -> Result<usize, String> {
        let number =
            |name: &str| position[name].as_u64().ok_or_else(|| format!("not a position: {position}"));
        let (line, character) = (number("line")?, number("character")?);
        let range = usize::try_from(line)
            .ok()
            .and_then(|line| self.ranges.get(line))
            .ok_or_else(|| format!("line {line} of a text with {} lines", self.ranges.len()))?;
        let mut seen = 0;
        for (at, letter) in self.text[range.clone()].char_indices() {
            if seen >= character {
                return exactly(range.start + at, seen, character);
            }
            seen += width(letter, self.unit);
        }
        if seen < character {
            return Err(format!("character {character} of line {line}, which has {seen}"));
        }
        exactly(range.end, seen, character)
    }

    /// The bytes of a range of the protocol's.
    pub(crate) fn bytes(&self, range: &Value) -> Result<Range<usize>, String> {
        let (start, end) = (self.offset(&range["start"])?, self.offset(&range["end"])?);
        if start > end {
            return Err(format!("the range ends before it starts: {range}"));
        }
        Ok(start..end)
    }

    pub(crate) fn position(&self, offset: usize) -> Value {
        let line = self.line_of(offset);
        let range = &self.ranges[line];
        let before = &self.text[range.start..offset.min(range.end)];
        let character: u64 = before.chars().map(|letter| width(letter, self.unit)).sum();
        json!({ "line": line, "character": character })
    }

    pub(crate) fn range(&self, bytes: &Range<usize>) -> Value {
        json!({ "start": self.position(bytes.start), "end": self.position(bytes.end) })
    }

    /// The index of the line that holds this byte.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.ranges.partition_point(|range| range.start <= offset) - 1
    }
}

fn exactly(offset: usize, seen: u64, character: u64) -> Result<usize, String> {
    if seen == character { Ok(offset) } else { Err(format!("character {character} is inside a letter")) }
}

fn width(letter: char, unit: PositionEncoding) -> u64 {
    let width = match unit {
        PositionEncoding::Utf8 => letter.len_utf8(),
        PositionEncoding::Utf16 => letter.len_utf16(),
        PositionEncoding::Utf32 => 1,
    };
    width as u64
}

/// Every identifier of the text, in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(is_part)?;
        let end = text[start..].find(|letter| !is_part(letter)).map_or(text.len(), |length| start + length);
        from = end;
        Some((start..end, &text[start..end]))
    })
}

/// The identifier at a byte; a cursor just behind it is still on it.
pub(crate) fn word_at(text: &str, offset: usize) -> Option<(Range<usize>, &str)> {
    words(text).find(|(range, _)| range.start <= offset && offset <= range.end)
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Applies one `TextDocumentContentChangeEvent`. The text stays as it is if the range is not in it.
pub(crate) fn apply(text: &mut String, change: &Value, unit: PositionEncoding) -> Result<(), String> {
    let new = change["text"].as_str().ok_or("a change without a text")?;
    match change.get("range") {
        None => new.clone_into(text),
        Some(range) => {
            let bytes = Lines::new(text, unit).bytes(range)?;
            text.replace_range(bytes, new);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: [PositionEncoding; 3] =
        [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];

    #[test]
    fn positions_go_there_and_back_in_every_unit() {
        let text = "a😀b\r\né\rx\n";
        for unit in UNITS {
            let lines = Lines::new(text, unit);
            assert_eq!(lines.ranges.len(), 4);
            for (at, _) in text.char_indices().filter(|(at, _)| *at != 7).chain([(text.len(), ' ')]) {
                assert_eq!(lines.offset(&lines.position(at)), Ok(at), "{unit:?} {at}");
            }
        }
        let characters = UNITS.map(|unit| Lines::new(text, unit).position(5)["character"].clone());
        assert_eq!(characters, [json!(5), json!(3), json!(2)]);
    }

    #[test]
    fn positions_outside_the_text_are_refused() {
        let lines = Lines::new("a😀\r\nb", PositionEncoding::Utf16);
        let ask = |line: i64, character: i64| {
            lines.offset(&json!({ "line": line, "character": character })).unwrap_err()
        };
        assert_eq!(ask(0, 2), "character 2 is inside a letter");
        assert_eq!(ask(0, 4), "character 4 of line 0, which has 3");
        assert_eq!(ask(2, 0), "line 2 of a text with 2 lines");
        assert!(ask(-1, 0).starts_with("not a position"));
    }

    #[test]
    fn changes_are_applied_in_every_unit() {
        for (unit, column) in UNITS.into_iter().zip([5, 3, 2]) {
            let mut text = "a😀bc\r\nd\r\n".to_owned();
            let range = json!({
                "start": { "line": 0, "character": column },
                "end": { "line": 1, "character": 1 },
            });
            apply(&mut text, &json!({ "range": range, "text": "é\r\nX" }), unit).unwrap();
            assert_eq!(text, "a😀é\r\nX\r\n", "{unit:?}");
        }
    }

    #[test]
    fn words_are_whole_and_know_letters() {
        let found: Vec<&str> = words("fn größe_1(x) { größe }").map(|(_, word)| word).collect();
        assert_eq!(found, ["fn", "größe_1", "x", "größe"]);
        assert_eq!(word_at("ab cd", 2).map(|(_, word)| word), Some("ab"));
        assert_eq!(word_at("a  b", 2), None);
    }
}
