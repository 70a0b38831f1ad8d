//! Text that is cut politely: never inside a character, and saying how much is missing.

mod shown;

pub use shown::{shown, tame};

/// The longest prefix of at most `max` bytes that ends between characters.
pub fn prefix(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The text itself, or its prefix with a note of what was left out.
pub fn cut(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let kept = prefix(text, max);
    format!("{kept}… ({} more bytes)", text.len() - kept.len())
}

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance. Words longer than any name of ours are simply far away.
fn distance(left: &str, right: &str) -> usize {
    const LONGEST: usize = 64;
    let right: Vec<char> = right.chars().collect();
    if right.len() > LONGEST || left.chars().count() > LONGEST {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_splits_a_character() {
        assert_eq!(prefix("aé😀", 2), "a");
        assert_eq!(prefix("aé😀", 3), "aé");
        assert_eq!(prefix("aé😀", 6), "aé");
        assert_eq!(cut("aé😀", 3), "aé… (4 more bytes)");
        assert_eq!(cut("short", 5), "short");
    }

    #[test]
    fn suggests_what_was_probably_meant() {
        let tools = ["find_references", "find_symbol", "list_symbols"];
        assert_eq!(nearest("find_refrences", tools), Some("find_references"));
        assert_eq!(nearest("list_symbol", tools), Some("list_symbols"));
        assert_eq!(nearest("deploy", tools), None);
    }

    proptest::proptest! {
        #[test]
        fn a_prefix_is_a_prefix(text in ".*", max in 0usize..40) {
            let kept = prefix(&text, max);
            proptest::prop_assert!(text.starts_with(kept) && kept.len() <= max);
        }
    }
}
