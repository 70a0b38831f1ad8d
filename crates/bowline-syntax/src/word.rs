//! A name as a number.

/// The hash of one name: FNV-1a over its bytes. It is stored on disk, so it never changes.
pub fn word_hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The names in text that no grammar has taken apart, as byte ranges.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let start = at + rest.find(is_name_character)?;
            let end =
                text[start..].find(|c| !is_name_character(c)).map_or(text.len(), |length| start + length);
            at = end;
            if !text[start..].starts_with(|c: char| c.is_ascii_digit()) {
                return Some(start..end);
            }
        }
    })
}

pub(crate) fn is_name_character(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_on_disk() {
        assert_eq!(word_hash(""), 0x811c_9dc5);
        assert_eq!(word_hash("a"), 0xe40c_292c);
        assert_eq!(word_hash("foobar"), 0xbf9c_f968);
    }

    #[test]
    fn finds_names_between_other_text() {
        let text = "(a_1 + 22x) * größe";
        let found: Vec<_> = names_in(text).map(|bytes| &text[bytes]).collect();
        assert_eq!(found, ["a_1", "größe"]);
    }
}
