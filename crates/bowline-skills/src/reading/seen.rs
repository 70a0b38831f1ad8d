//! Characters that nobody sees, in the values of a head. They hide words from people, or turn a terminal against them.

use std::borrow::Cow;

use super::{Document, Reading};
use crate::name::is_unseen;

/// Whether it may not stand in a value. Line ends and tabs are blanks there.
pub(super) fn is_hidden(c: char) -> bool {
    is_unseen(c) && !matches!(c, '\n' | '\t')
}

/// The text without them. An error where reading is strict.
pub(super) fn seen<'a>(
    document: &mut Document,
    what: &str,
    line: usize,
    text: &'a str,
    reading: Reading,
) -> Cow<'a, str> {
    let Some(odd) = text.chars().find(|c| is_hidden(*c)) else {
        return Cow::Borrowed(text);
    };
    let what = format!("{what} has the invisible character U+{:04X}", odd as u32);
    document.fault(reading, line, what, "what cannot be seen is left out");
    Cow::Owned(text.chars().filter(|c| !is_hidden(*c)).collect())
}

/// Without blanks around it. A blank is one of ASCII: the others pass for it.
pub(super) fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_ascii()),
        Cow::Owned(text) => Cow::Owned(text.trim_ascii().to_owned()),
    }
}

/// Whether a person sees nothing there.
pub(super) fn is_empty(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}
