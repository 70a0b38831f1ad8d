//! Programs that are asked about themselves.

use crate::Word;

/// `--version` or `--help`, and nothing besides.
pub(super) fn only_asks_about_itself(words: &[Word]) -> bool {
    words.len() == 2
        && matches!(
            words[1].literal(),
            Some("--version" | "--help" | "-V" | "-version" | "-help" | "-h" | "version" | "help")
        )
}
