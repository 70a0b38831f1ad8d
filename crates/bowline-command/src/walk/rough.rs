//! What to make of a text that cannot be read: every word that might be a command, so that a denying entry may match.

use std::collections::BTreeSet;

/// Words that may stand before a command.
const BEFORE: &[&str] = &[
    "if", "then", "elif", "else", "while", "until", "do", "time", "coproc", "!", "{", "function", "exec",
    "in",
];

/// Everything that looks like a command, wherever it stands.
pub(super) fn commands(text: &str) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let joined = text.replace("\\\n", "");
    for chunk in joined.split([';', '|', '&', '\n', '(', ')', '{', '}', '`', '"', '\'', '<', '>', '$', '=']) {
        let mut words: Vec<String> = chunk
            .split(|letter: char| letter.is_whitespace() || letter.is_control())
            .map(|word| word.replace('\\', ""))
            .filter(|word| !word.is_empty())
            .collect();
        while words.first().is_some_and(|word| BEFORE.contains(&word.as_str())) {
            words.remove(0);
        }
        if !words.is_empty() {
            found.insert(words);
        }
    }
    found
}
