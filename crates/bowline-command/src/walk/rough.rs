//! What to make of a text that cannot be read: every word that might be a command, so that a denying entry may match.

use std::collections::{BTreeSet, HashSet};

/// Words of one command that are listed; those that follow it decide nothing more.
const MAX_WORDS: usize = 64;

/// Commands that are listed. A text that may hold more is refused for its length anyway.
const MAX_COMMANDS: usize = 4096;

/// Words that may stand before a command.
const BEFORE: &[&str] = &[
    "if", "then", "elif", "else", "while", "until", "do", "time", "coproc", "!", "{", "function", "exec",
    "in",
];

/// Everything that looks like a command, wherever it stands.
pub(super) fn commands(text: &str) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let joined = text.replace("\\\n", "");
    let mut chunks = HashSet::new();
    for chunk in joined.split([';', '|', '&', '\n', '(', ')', '{', '}', '`', '"', '\'', '<', '>', '$', '=']) {
        if found.len() == MAX_COMMANDS {
            break;
        }
        if !chunks.insert(chunk) {
            continue;
        }
        let mut words: Vec<String> = chunk
            .split(|letter: char| letter.is_whitespace() || letter.is_control())
            .map(|word| word.replace('\\', ""))
            .filter(|word| !word.is_empty())
            .take(MAX_WORDS)
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
