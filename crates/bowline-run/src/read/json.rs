//! JSON in the output of a program that prints other things too: banners before it, warnings after it.

use serde_json::{Deserializer, Value};

/// Of text that begins like a document again and again, this many beginnings are followed beyond their line.
const MOST_BROKEN: usize = 1_000;

/// The last document at the beginning of a line that is the one wanted.
pub(crate) fn document(text: &str, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    let mut found = None;
    let mut from = 0;
    let mut broken = 0;
    while let Some(at) = next_start(text, from) {
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                from = at + values.byte_offset();
                if wanted(&value) {
                    found = Some(value);
                }
            }
            Some(Err(error)) => {
                from = at + 1;
                broken += usize::from(error.line() > 1 || error.column() > 256);
            }
            None => return found,
        }
        if broken == MOST_BROKEN {
            return found;
        }
    }
    found
}

fn next_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..bytes.len()).find(|&at| {
        matches!(bytes[at], b'{' | b'[')
            && bytes[..at]
                .iter()
                .rev()
                .find(|byte| !matches!(byte, b' ' | b'\t'))
                .is_none_or(|byte| *byte == b'\n')
    })
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(crate) fn number(value: &Value, key: &str) -> Option<u32> {
    value.get(key)?.as_u64()?.try_into().ok()
}

pub(crate) fn count(value: &Value, key: &str) -> usize {
    value.get(key).and_then(Value::as_u64).and_then(|count| count.try_into().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_found_among_other_lines() {
        let wanted = |value: &Value| value.get("tests").is_some();
        for text in [
            "> shop@1.0 test\n[warn] {odd}\n{\"a\":1}\n{\"tests\":[{}]}\nDone {in} 3 s\n",
            "{\n{\"tests\":\n[{}]}",
            "  {\"tests\":[{}]} and more",
        ] {
            assert_eq!(document(text, wanted).map(|value| list(&value, "tests").len()), Some(1), "{text}");
        }
        for text in ["", "x {\"tests\":1}", "{\"tests\":[", "{\"tests\":[\n{\"a\":1},\n{\"a\""] {
            assert_eq!(document(text, wanted), None, "{text}");
        }
    }
}
