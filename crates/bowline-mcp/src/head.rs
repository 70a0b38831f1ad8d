//! Whose request was it? Finds the id of a message that cannot be parsed whole, because it is nested too deeply,
//! too long, or broken further on. Without it the client would wait for an answer until its own patience ends.

use serde_json::Value;

/// The `id` of the outermost object, if it can be read from these first bytes.
pub(crate) fn find_id(head: &[u8]) -> Option<Value> {
    let mut depth = 0u32;
    let mut at = 0;
    while let Some(byte) = head.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => {
                let end = string_end(head, at)?;
                let is_key = depth == 1 && next_byte(head, end) == Some(b':');
                if is_key && &head[at..end] == br#""id""# {
                    return scalar(head, skip_to_value(head, end)?);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The `id` that an object ends with, if these last bytes show it: `…,"id":7}`.
pub(crate) fn find_last_id(tail: &[u8]) -> Option<Value> {
    let tail = tail.trim_ascii_end().strip_suffix(b"}")?;
    let key = br#""id""#;
    let at = tail.windows(key.len()).rposition(|window| window == key)?;
    let value = tail[at + key.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii();
    serde_json::from_slice(value).ok().filter(super::envelope::is_id)
}

/// The index behind the closing quote.
fn string_end(head: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        match head.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn next_byte(head: &[u8], from: usize) -> Option<u8> {
    head[from..].iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn skip_to_value(head: &[u8], from: usize) -> Option<usize> {
    let colon = from + head[from..].iter().position(|byte| *byte == b':')? + 1;
    Some(colon + head[colon..].iter().position(|byte| !byte.is_ascii_whitespace())?)
}

fn scalar(head: &[u8], start: usize) -> Option<Value> {
    let end = if head[start] == b'"' {
        string_end(head, start)?
    } else {
        start
            + head[start..]
                .iter()
                .position(|byte| matches!(byte, b',' | b'}') || byte.is_ascii_whitespace())?
    };
    serde_json::from_slice(&head[start..end]).ok().filter(super::envelope::is_id)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_the_outermost_id_only() {
        let found = |text: &str| find_id(text.as_bytes());
        assert_eq!(found(r#"{"jsonrpc":"2.0", "id" : 7 ,"params":[[[["#), Some(json!(7)));
        assert_eq!(found(r#"{"params":{"id":1},"id":"a\"b","x":"#), Some(json!("a\"b")));
        assert_eq!(found(r#"{"params":{"id":1},"x":"#), None);
        assert_eq!(found(r#"{"x":"id","y":{"#), None);
        assert_eq!(found(r#"[{"id":7}]"#), None);
        assert_eq!(found(r#"{"id":{"a":1}}"#), None);
        assert_eq!(found(r#"{"id":12"#), None);
        assert_eq!(found("not json"), None);
    }

    #[test]
    fn reads_the_last_id_of_what_was_cut_off() {
        let found = |text: &str| find_last_id(text.as_bytes());
        assert_eq!(found(r#"xxx"},"id": 7 }"#), Some(json!(7)));
        assert_eq!(found(r#"xxx"},"id":"a"}"#), Some(json!("a")));
        assert_eq!(found(r#""id":7},"params":{}}"#), None);
        assert_eq!(found(r#""id":7}}"#), None);
        assert_eq!(found("x"), None);
    }

    proptest! {
        #[test]
        fn never_panics(bytes in prop::collection::vec(prop::sample::select(br#"{}[]":,id\ 7"#.to_vec()), 0..60)) {
            find_id(&bytes);
            find_last_id(&bytes);
        }
    }
}
