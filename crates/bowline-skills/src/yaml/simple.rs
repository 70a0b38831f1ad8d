//! The heads that nearly all skills have, read without a parser: `key: value` lines, and one level of them below a key.
//!
//! Listing a thousand skills is mostly the reading of heads, and a whole YAML parser is most of that. What is not plain beyond
//! doubt is left to it; a test holds both to the same answer.

use std::borrow::Cow;

use super::{Key, Node, Value};

/// None says nothing about the text: ask the parser.
pub(super) fn read(text: &str) -> Option<Node<'_>> {
    let mut pairs: Vec<(Key<'_>, Node<'_>)> = Vec::with_capacity(8);
    // The key whose value may be the indented lines that follow.
    let mut open: Option<Key<'_>> = None;
    let mut below: Vec<(Key<'_>, Node<'_>)> = Vec::new();
    let mut indent = 0;
    for (at, line) in text.split_terminator('\n').enumerate() {
        let number = at + 1;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let content = line.trim_start_matches(' ');
        let (key, value) = pair(content)?;
        let key = Key { line: number, text: Cow::Borrowed(key) };
        let blanks = line.len() - content.len();
        if blanks > 0 {
            open.as_ref()?;
            if below.is_empty() {
                indent = blanks;
            }
            let value = value?;
            if blanks != indent {
                return None;
            }
            below.push((key, node(value, number)));
            continue;
        }
        close(&mut pairs, &mut open, &mut below)?;
        match value {
            Some(value) => pairs.push((key, node(value, number))),
            None => open = Some(key),
        }
    }
    close(&mut pairs, &mut open, &mut below)?;
    (!pairs.is_empty()).then_some(Node { line: 1, value: Value::Map(pairs) })
}

fn node((text, plain): (&str, bool), line: usize) -> Node<'_> {
    Node { line, value: Value::Text { text: Cow::Borrowed(text), plain } }
}

/// Ends the lines below a key. A key with nothing below it is the parser's business.
fn close<'a>(
    pairs: &mut Vec<(Key<'a>, Node<'a>)>,
    open: &mut Option<Key<'a>>,
    below: &mut Vec<(Key<'a>, Node<'a>)>,
) -> Option<()> {
    if let Some(key) = open.take() {
        let line = below.first()?.0.line;
        pairs.push((key, Node { line, value: Value::Map(std::mem::take(below)) }));
    }
    Some(())
}

/// `key: value`, the value with whether it is plain; or `key:` alone.
fn pair(line: &str) -> Option<(&str, Option<(&str, bool)>)> {
    let end = line.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'-' || b == b'_'))?;
    let (key, rest) = line.split_at(end);
    if !key.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let rest = rest.strip_prefix(':')?;
    if rest.is_empty() {
        return Some((key, None));
    }
    let value = rest.strip_prefix(' ')?.trim_matches(' ');
    Some((key, Some(scalar(value)?)))
}

/// A value on one line, in double quotes without anything to unquote, or of letters that mean nothing to YAML.
fn scalar(value: &str) -> Option<(&str, bool)> {
    let printable = |b: u8| (0x20..0x7f).contains(&b);
    if let Some(quoted) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let fine = quoted.bytes().all(|b| printable(b) && b != b'"' && b != b'\\');
        return fine.then_some((quoted, false));
    }
    let bytes = value.as_bytes();
    if !bytes.first()?.is_ascii_alphanumeric() || bytes.last() == Some(&b':') {
        return None;
    }
    let fine = bytes.iter().enumerate().all(|(at, b)| {
        let next = bytes.get(at + 1);
        printable(*b) && !(*b == b':' && next == Some(&b' ')) && !(*b == b' ' && next == Some(&b'#'))
    });
    fine.then_some((value, true))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Limits, parse};
    use super::read;

    const LIMITS: Limits = Limits { depth: 16, nodes: 2_000 };

    #[test]
    fn reads_what_is_plain_and_leaves_the_rest() {
        let head = "name: demo\r\ndescription: Does (a) thing, well - it's *good*#1.\nmetadata:\n  author: \"me: I\"\n  x: 1.0\nlast: z\n";
        let node = read(head).unwrap();
        assert_eq!(Some(node), parse(head, &LIMITS).unwrap());
        for left in [
            "",
            "a: b: c",
            "a: 'b'",
            "a: [b]",
            "a: b # c",
            "a: |\n  b",
            "a: b\n  c",
            "a:\n- b",
            "a:",
            "a: \"b\\n\"",
            "# a: b",
            "a: b\n\nc: d",
            "a:\n  b: c\n d: e",
            "a:\n  b:\n    c: d",
            "a: *b",
            "a:b",
            "---",
            "a: b\u{e9}",
            "a: b:",
            "a:\tb",
            "\ta: b",
        ] {
            assert_eq!(read(left), None, "{left:?}");
        }
    }

    fn line() -> impl Strategy<Value = String> {
        let word = "[a-c:#\"' \\-\\[\\]{},&*!|>%@`\t~.1-2]{0,8}";
        let rest = ("[a-c1_-]{0,3}", prop_oneof![Just(": "), Just(":"), Just(" : "), Just("")], word);
        ("( {0,3})?", rest, prop_oneof![Just("\n"), Just("\r\n"), Just("")])
            .prop_map(|(blanks, (key, colon, word), end)| format!("{blanks}{key}{colon}{word}{end}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn says_the_same_as_the_parser_or_nothing(lines in proptest::collection::vec(line(), 1..5)) {
            let text = lines.concat();
            if let Some(node) = read(&text) {
                prop_assert_eq!(Ok(Some(node)), parse(&text, &LIMITS));
            }
        }

        #[test]
        fn says_the_same_of_plain_lines(
            values in proptest::collection::vec(("[a-z]{1,4}", "[a-zA-Z0-9][ -~]{0,12}", 0..3_usize), 1..6)
        ) {
            let text: String =
                values.iter().map(|(key, value, blanks)| format!("{}{key}: {value}\n", " ".repeat(*blanks))).collect();
            if let Some(node) = read(&text) {
                prop_assert_eq!(Ok(Some(node)), parse(&text, &LIMITS));
            }
        }
    }
}
