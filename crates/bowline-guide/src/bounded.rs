//! Texts and lists that are cut to what a model can take: what counts is how long they are on the wire, escapes included.

/// Nobody needs more to choose a skill; other hosts cut their listings there, too.
pub(crate) const DESCRIPTION: usize = 1_536;

/// A description as it is listed: its first characters, and a mark where some are missing.
pub(crate) fn description(text: &str) -> String {
    if text.chars().nth(DESCRIPTION).is_none() {
        return text.to_owned();
    }
    text.chars().take(DESCRIPTION - 1).chain(['…']).collect()
}

/// The bytes that a text takes between its quotes.
pub(crate) fn on_wire(text: &str) -> usize {
    text.chars().map(escaped).sum()
}

/// The longest prefix that takes no more than `most` bytes on the wire.
pub(crate) fn prefix(text: &str, most: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, letter)| {
        taken += escaped(*letter);
        taken > most
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// As many items as fit, in their order. Says how many were left out.
pub(crate) fn list(items: &mut Vec<String>, most: usize, most_bytes: usize) -> usize {
    let mut taken = 0;
    let fitting = items.iter().take(most).take_while(|item| {
        // With its quotes and a comma.
        taken += on_wire(item) + 3;
        taken <= most_bytes
    });
    let fitting = fitting.count();
    let left_out = items.len() - fitting;
    items.truncate(fitting);
    left_out
}

fn escaped(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        letter if letter < ' ' => "\\u0000".len(),
        letter => letter.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_is_measured_as_it_is_written() {
        for text in ["", "plain", "aé€😀", "\"\\\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}/", "\u{2028}"] {
            let written = serde_json::Value::from(text).to_string();
            assert_eq!(on_wire(text) + 2, written.len(), "{text:?}");
        }
    }

    #[test]
    fn a_prefix_fits_and_splits_nothing() {
        for (text, most, kept) in [
            ("abc", 3, "abc"),
            ("abc", 2, "ab"),
            ("a\nb", 2, "a"),
            ("a\nb", 3, "a\n"),
            ("a\u{1}b", 6, "a"),
            ("aé", 2, "a"),
            ("abc", 0, ""),
        ] {
            assert_eq!(prefix(text, most), kept, "{text:?} {most}");
        }
    }

    #[test]
    fn a_description_is_cut_by_characters() {
        let (fits, over) = ("é".repeat(DESCRIPTION), "é".repeat(DESCRIPTION + 1));
        assert_eq!(description(&fits), fits);
        let cut = description(&over);
        assert_eq!((cut.chars().count(), cut.ends_with("é…")), (DESCRIPTION, true));
    }

    #[test]
    fn a_list_ends_by_number_or_by_bytes() {
        let all: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        for (most, bytes, left, left_out) in [(9, 100, 9, 0), (4, 100, 4, 5), (9, 12, 3, 6), (9, 0, 0, 9)] {
            let mut items = all.clone();
            assert_eq!((list(&mut items, most, bytes), items.len()), (left_out, left));
            assert_eq!(items, all[..left]);
        }
    }
}
