//! Where the head of a `SKILL.md` begins and ends, by lines alone: YAML is not asked.

use std::ops::Range;

/// So much of a file is looked at for the end of its head.
pub(crate) const MOST: usize = 50_000;

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Split {
    Head(Head),
    /// The first line is not `---`.
    NotOpened(String),
    /// The file ended first. The line of a `...`, which others take for an end.
    NotClosed {
        dots: Option<usize>,
    },
    /// The bytes ended first: there are more in the file.
    More,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The YAML. Its first line is the second of the file.
    pub yaml: Range<usize>,
    /// Where the body begins.
    pub body: usize,
    /// The line of the file that the body begins with.
    pub body_line: usize,
    pub byte_order_mark: bool,
    /// Blanks before the first `---`.
    pub indented: bool,
    /// The first line that ends with a lone carriage return.
    pub lone_return: Option<usize>,
}

/// Splits all of a file.
pub(crate) fn split_all(bytes: &[u8]) -> Split {
    let beginning = &bytes[..bytes.len().min(MOST)];
    split(beginning, beginning.len() == bytes.len())
}

/// Splits what there is of a file. `whole` says that nothing follows.
pub(crate) fn split(bytes: &[u8], whole: bool) -> Split {
    let byte_order_mark = bytes.starts_with(b"\xef\xbb\xbf");
    let mut lines = Lines { bytes, at: if byte_order_mark { 3 } else { 0 }, line: 0, lone_return: None };
    let Some(first) = lines.next(whole) else {
        return if whole { Split::NotOpened("it is empty".into()) } else { Split::More };
    };
    let first = &bytes[first];
    if first.trim_ascii() != b"---" {
        return Split::NotOpened(not_opened(first));
    }
    let yaml = lines.at;
    let mut dots = None;
    while let Some(line) = lines.next(whole) {
        let start = line.start;
        match bytes[line].trim_ascii_end() {
            b"---" => {
                return Split::Head(Head {
                    yaml: yaml..start,
                    body: lines.at,
                    body_line: lines.line + 1,
                    byte_order_mark,
                    indented: first.first() != Some(&b'-'),
                    lone_return: lines.lone_return,
                });
            }
            b"..." => dots = dots.or(Some(lines.line)),
            _ => {}
        }
    }
    if whole { Split::NotClosed { dots } } else { Split::More }
}

fn not_opened(first: &[u8]) -> String {
    if first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff") {
        return "it is in UTF-16: save it as UTF-8".into();
    }
    if first.trim_ascii().is_empty() {
        return "the first line is empty; it must be `---`".into();
    }
    if first.starts_with(b"---") {
        return "something follows `---` in the first line, which must be `---` alone".into();
    }
    "the first line must be `---`".into()
}

struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    lone_return: Option<usize>,
}

impl Lines<'_> {
    /// The next line without its end. None where there is no more, or its end may still come.
    fn next(&mut self, whole: bool) -> Option<Range<usize>> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let (length, taken) = match end {
            None if rest.is_empty() || !whole => return None,
            None => (rest.len(), rest.len()),
            Some(end) if rest[end] == b'\n' => (end, end + 1),
            Some(end) => match rest.get(end + 1) {
                Some(b'\n') => (end, end + 2),
                None if !whole => return None,
                _ => {
                    self.lone_return = self.lone_return.or(Some(self.line + 1));
                    (end, end + 1)
                }
            },
        };
        let start = self.at;
        self.at += taken;
        self.line += 1;
        Some(start..start + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> String {
        match split(text.as_bytes(), true) {
            Split::Head(head) => {
                format!("{:?} {:?} {}", &text[head.yaml.clone()], &text[head.body..], head.body_line)
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_line_of_dashes_at_the_margin_ends_the_head() {
        assert_eq!(parts("---\na: b\n---\nBody\n---\n"), r#""a: b\n" "Body\n---\n" 4"#);
        assert_eq!(parts("---\na: b\n---"), r#""a: b\n" "" 4"#);
        assert_eq!(parts("--- \t\r\na: b\r\n---  \r\nBody"), r#""a: b\r\n" "Body" 4"#);
        assert_eq!(
            parts("---\na: x --- y\nb: |\n  ---\n----\n--- z\n---\n"),
            r#""a: x --- y\nb: |\n  ---\n----\n--- z\n" "" 8"#
        );
        assert_eq!(parts("---\n---\n"), r#""" "" 3"#);
    }

    #[test]
    fn says_what_is_missing() {
        for (text, says) in [
            ("", "NotOpened(\"it is empty\")"),
            ("\n---\n---\n", "NotOpened(\"the first line is empty; it must be `---`\")"),
            ("# Title\n", "NotOpened(\"the first line must be `---`\")"),
            (
                "---name: x\n---\n",
                "NotOpened(\"something follows `---` in the first line, which must be `---` alone\")",
            ),
            ("---\na: b\n", "NotClosed { dots: None }"),
            ("---\na: b\n...\nBody\n", "NotClosed { dots: Some(3) }"),
        ] {
            assert_eq!(parts(text), says);
        }
    }

    #[test]
    fn notes_marks_blanks_and_lone_returns() {
        let Split::Head(head) = split(b"\xef\xbb\xbf ---\ra: b\r---\rBody\r", true) else { panic!() };
        assert!(head.byte_order_mark && head.indented);
        assert_eq!((head.lone_return, head.yaml), (Some(1), 8..13));
    }

    #[test]
    fn every_prefix_asks_for_more_or_finds_the_same_head() {
        let text = b"\xef\xbb\xbf---\r\nname: x\r\n---\r\nBody\r\n";
        let Split::Head(head) = split(text, true) else { panic!() };
        for end in 0..text.len() {
            match split(&text[..end], false) {
                Split::More => {}
                found => assert_eq!(
                    found,
                    Split::Head(Head { yaml: head.yaml.clone(), ..head_like(&head) }),
                    "{end}"
                ),
            }
        }
    }

    fn head_like(head: &Head) -> Head {
        Head { yaml: head.yaml.clone(), ..*head }
    }
}
