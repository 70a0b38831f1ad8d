//! What readers share: text without colours, places in front of messages, messages that end somewhere.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::Report;

/// More of a message helps nobody: the whole output is in the log.
const MOST_LINES: usize = 24;
const MOST_CHARACTERS: usize = 2_000;

/// The text without escape sequences for colours, links and cursors.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = after_escape(&rest[at + 1..]);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Sequences end within their line: a stray escape must not swallow what follows.
fn after_escape(rest: &str) -> &str {
    let ends: fn(char) -> bool = match rest.as_bytes().first() {
        Some(b'[') => |c| ('@'..='~').contains(&c) || c == '\n',
        Some(b']') => |c| matches!(c, '\u{7}' | '\u{1b}' | '\n'),
        Some(_) if rest.starts_with(['(', ')']) => return rest.get(2..).unwrap_or(""),
        _ => return rest,
    };
    let Some(at) = rest[1..].find(ends).map(|at| at + 1) else { return "" };
    if rest[at..].starts_with('\n') {
        return &rest[at..];
    }
    // A link ends with `ESC \`.
    rest[at..].strip_prefix("\u{1b}\\").unwrap_or(&rest[at + 1..])
}

/// The message cut to what one reads, without empty lines around it.
pub(crate) fn bounded(text: &str) -> String {
    let text = text.trim_matches(['\n', '\r']).trim_end();
    let mut out = String::new();
    let mut characters = 0;
    for (at, line) in text.lines().enumerate() {
        if at == MOST_LINES {
            return cut(out);
        }
        if at > 0 {
            out.push('\n');
        }
        for c in line.trim_end().chars() {
            characters += 1;
            if characters > MOST_CHARACTERS {
                return cut(out);
            }
            out.push(c);
        }
    }
    out
}

fn cut(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    text.push_str(" …");
    text
}

/// Lines of a message as they come, no more than are shown.
#[derive(Debug, Default)]
pub(crate) struct Lines(String, usize);

impl Lines {
    pub(crate) fn push(&mut self, line: &str) {
        // One more than is shown, so that the cut shows.
        if self.1 <= MOST_LINES {
            let end = line.char_indices().nth(MOST_CHARACTERS + 1).map_or(line.len(), |(at, _)| at);
            self.0.push_str(&line[..end]);
            self.0.push('\n');
            self.1 += 1;
        }
    }

    pub(crate) fn text(&self) -> String {
        bounded(&self.0)
    }
}

/// What stands in front of a message: `path:3:4: message`, `path(3,4): message`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placed<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u32,
    pub(crate) column: Option<u32>,
    pub(crate) rest: &'a str,
}

impl Placed<'_> {
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(self.file)
    }
}

/// `path:3:4: rest`, `path:3: rest` and `path:3:4 rest`.
pub(crate) fn before_colons(text: &str) -> Option<Placed<'_>> {
    text.match_indices(':').filter(|(at, _)| *at > 0).find_map(|(at, _)| {
        let (line, after) = leading_number(&text[at + 1..])?;
        let second = after.strip_prefix(':').and_then(leading_number);
        let (column, after) = second.map_or((None, after), |(column, after)| (Some(column), after));
        let rest = after.strip_prefix(':').or_else(|| column.and(after.starts_with(' ').then_some(after)))?;
        Some(Placed { file: &text[..at], line, column, rest: rest.trim_start() })
    })
}

/// `path(3,4): rest`, `path(3): rest`, and `path(3,4,3,9): rest` for a range.
pub(crate) fn before_parens(text: &str) -> Option<Placed<'_>> {
    text.match_indices('(').filter(|(at, _)| *at > 0).find_map(|(at, _)| {
        let (line, mut after) = leading_number(&text[at + 1..])?;
        let mut column = None;
        for _ in 0..3 {
            let Some((number, rest)) = after.strip_prefix(',').and_then(leading_number) else { break };
            column = column.or(Some(number));
            after = rest;
        }
        let rest = after.strip_prefix(')')?.trim_start().strip_prefix(':')?;
        Some(Placed { file: &text[..at], line, column, rest: rest.trim_start() })
    })
}

/// The number that the text begins with, and what follows it.
pub(crate) fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().take(11).take_while(u8::is_ascii_digit).count();
    Some((text.get(..end)?.parse().ok()?, &text[end..]))
}

/// `a%20b` → `a b`; what is no such pair stays.
pub(crate) fn unescaped(url: &str) -> Cow<'_, str> {
    if !url.contains('%') {
        return Cow::Borrowed(url);
    }
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let [first, after @ ..] = rest {
        let pair = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = pair.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(url), Cow::Owned)
}

/// The file that a `file:` address names; anything else is a path already.
pub(crate) fn file_of(url: &str) -> Cow<'_, str> {
    let Some(path) = url.strip_prefix("file://") else { return Cow::Borrowed(url) };
    let drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
    unescaped(drive.unwrap_or(path))
}

/// The last part of a path, of either kind.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Summaries say again what was said: each problem and failure once, where it came first.
pub(crate) fn once(mut report: Report) -> Report {
    let mut seen = std::collections::HashSet::new();
    report.problems.retain(|problem| {
        let place = (problem.file.clone(), problem.line, problem.column);
        seen.insert((place, problem.code.clone(), problem.message.clone()))
    });
    let mut seen = std::collections::HashSet::new();
    report.failures.retain(|failure| {
        seen.insert((failure.test_name.clone(), failure.file.clone(), failure.line, failure.message.clone()))
    });
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_links_and_stray_escapes_go() {
        assert_eq!(
            plain("\u{1b}[31;1mred\u{1b}[0m and \u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{7}"),
            "red and link"
        );
        assert_eq!(plain("a\u{1b}[12\nb\u{1b}"), "a\nb");
        assert_eq!(plain("\u{1b}(Bkäse"), "käse");
    }

    #[test]
    fn messages_end() {
        let long = bounded(&"line\n".repeat(1_000));
        assert_eq!((long.lines().count(), long.ends_with(" …")), (MOST_LINES, true));
        assert_eq!(bounded(&"ä".repeat(5_000)).chars().count(), MOST_CHARACTERS + 2);
        assert_eq!(bounded("\n\n  two\nlines  \n\n"), "  two\nlines");
    }

    #[test]
    fn places_in_front_of_messages() {
        let placed = |file, line, column, rest| Some(Placed { file, line, column, rest });
        for (text, expected) in [
            ("a b (c):d/x.kt:3:4: error: no", placed("a b (c):d/x.kt", 3, Some(4), "error: no")),
            (r"C:\x\y.java:3: warning: w", placed(r"C:\x\y.java", 3, None, "warning: w")),
            ("/x.kt:3:4 message: 5", placed("/x.kt", 3, Some(4), "message: 5")),
            ("12:34:56 a clock", placed("12", 34, Some(56), "a clock")),
            ("x:y", None),
            (":3: nothing before", None),
            ("x:99999999999: too large", None),
        ] {
            assert_eq!(before_colons(text), expected, "{text}");
        }
        for (text, expected) in [
            (r"C:\a (b)\y.cs(3,4): error CS1: m", placed(r"C:\a (b)\y.cs", 3, Some(4), "error CS1: m")),
            ("x.cs(3,4,5,6): m", placed("x.cs", 3, Some(4), "m")),
            ("x.targets(40): m", placed("x.targets", 40, None, "m")),
            ("x.cs(3 : m", None),
            ("(3,4): m", None),
        ] {
            assert_eq!(before_parens(text), expected, "{text}");
        }
    }

    #[test]
    fn files_of_addresses() {
        assert_eq!(file_of("file:///a%20b/%C3%A4.js"), "/a b/ä.js");
        assert_eq!(file_of("file:///C:/x%ZZ%"), "C:/x%ZZ%");
        assert_eq!(file_of("/a%20b"), "/a%20b");
    }
}
