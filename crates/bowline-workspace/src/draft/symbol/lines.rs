//! Lines, and what they begin with.

use std::ops::Range;

use bowline_code::{Encoding, Span};
use bowline_syntax::{Language, Parsed};

pub(super) fn bytes_of(parsed: &Parsed, span: Span) -> Range<usize> {
    let offset =
        |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or(parsed.text().len());
    offset(span.start)..offset(span.end)
}

/// The number of the line that a byte is in, from 1.
pub(super) fn line_of(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or(text);
    u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX)
}

/// Where the line of this byte begins. A byte order mark is before the first line.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    if start == 0 && text.starts_with('\u{feff}') && at >= '\u{feff}'.len_utf8() {
        '\u{feff}'.len_utf8()
    } else {
        start
    }
}

/// Where the line of this byte ends, its line end left out.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let line = if line.len() < rest.len() { line.strip_suffix('\r').unwrap_or(line) } else { line };
    at + line.len()
}

/// Where the next line begins: the end of the text, if there is none.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find('\n').map_or(rest.len(), |newline| newline + 1)
}

pub(super) fn leading_space(line: &str) -> &str {
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}

/// The white space that the line of this byte begins with.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    leading_space(text.get(line_start(text, at)..).unwrap_or_default())
}

/// Nothing but white space is before it on its line.
pub(super) fn is_first_on_line(text: &str, at: usize) -> bool {
    text.get(line_start(text, at)..at).is_some_and(|before| before.trim().is_empty())
}

/// Nothing but white space is behind it on its line.
pub(super) fn is_last_on_line(text: &str, at: usize) -> bool {
    text.get(at..line_end(text, at)).is_some_and(|behind| behind.trim().is_empty())
}

/// How many empty lines there are directly before the line of this byte.
pub(super) fn blank_before(text: &str, at: usize) -> usize {
    let before = text.get(..line_start(text, at)).unwrap_or_default();
    let lines = before.split('\n').rev().skip(1);
    lines.take_while(|line| line.trim().is_empty()).count()
}

/// How many empty lines there are directly behind the line of this byte.
pub(super) fn blank_behind(text: &str, at: usize) -> usize {
    let behind = text.get(next_line(text, at)..).unwrap_or_default();
    let mut lines = behind.split('\n').peekable();
    let mut blank = 0;
    while let Some(line) = lines.next() {
        // What is behind the last line end is no line.
        if !line.trim().is_empty() || lines.peek().is_none() {
            break;
        }
        blank += 1;
    }
    blank
}

/// One step of indentation, as the file has it.
pub(super) fn unit(parsed: &Parsed) -> String {
    let mut tabs = 0_usize;
    let mut steps = [0_usize; 9];
    let mut last = 0_usize;
    for line in parsed.text().lines().filter(|line| !line.trim().is_empty()).take(20_000) {
        let space = leading_space(line);
        if space.starts_with('\t') {
            tabs += 1;
            last = 0;
            continue;
        }
        let step = space.len().saturating_sub(last);
        if (2..=8).contains(&step) {
            steps[step] += 1;
        }
        last = space.len();
    }
    let spaces: usize = steps.iter().sum();
    let most = steps.iter().enumerate().max_by_key(|(step, count)| (**count, 9 - step));
    match most {
        _ if tabs > spaces => "\t".to_owned(),
        Some((step, count)) if *count > 0 => " ".repeat(step),
        _ => default_unit(parsed.language()),
    }
}

fn default_unit(language: Language) -> String {
    match language {
        Language::Go => "\t".to_owned(),
        Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Ruby | Language::Bash => {
            "  ".to_owned()
        }
        _ => "    ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_ends() {
        let text = "\u{feff}a\r\n  b\r\n\r\n\r\nc";
        assert_eq!(line_start(text, 4), 3);
        assert_eq!(line_end(text, 3), 4);
        assert_eq!(next_line(text, 3), 6);
        assert_eq!(indent_at(text, 8), "  ");
        let c = text.len() - 1;
        assert_eq!((blank_before(text, c), blank_behind(text, 8)), (2, 2));
        assert_eq!(blank_behind("a\n", 0), 0);
        assert_eq!(blank_behind("a\n\n\n", 0), 2);
        assert_eq!(line_of(text, c), 5);
    }
}
