//! Lines as people count them: LF, CRLF and a lone CR each end one.

/// How many lines end in it.
pub(crate) fn ends(bytes: &[u8]) -> usize {
    let after = bytes.iter().skip(1).copied().map(Some).chain([None]);
    bytes.iter().zip(after).filter(|(b, next)| **b == b'\n' || (**b == b'\r' && *next != Some(b'\n'))).count()
}

/// Each line, with its end.
pub(crate) fn each(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let end = match bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            None if rest.is_empty() => return None,
            None => rest.len(),
            Some(at) if bytes[at..].starts_with(b"\r\n") => at + 2,
            Some(at) => at + 1,
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_end_counts_once() {
        for (text, count) in
            [("", 0), ("a", 0), ("a\n", 1), ("a\r\nb\r\n", 2), ("a\rb\r", 2), ("\r\r\n\n", 3)]
        {
            assert_eq!(ends(text.as_bytes()), count, "{text:?}");
        }
        assert_eq!(each("a\rb\r\nc\n\nd").collect::<Vec<_>>(), ["a\r", "b\r\n", "c\n", "\n", "d"]);
        assert_eq!(each("").count(), 0);
    }
}
