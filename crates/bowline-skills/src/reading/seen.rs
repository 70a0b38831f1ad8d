//! Characters that nobody sees, in the values of a head. They hide words from people, or turn a terminal against them.

use std::borrow::Cow;

use super::Document;
use crate::name::is_unseen;

/// Whether it is left out of a value. Line ends and tabs are blanks there, and joiners make letters and emoji of several.
pub(super) fn is_hidden(c: char) -> bool {
    is_unseen(c) && !matches!(c, '\n' | '\t' | '\u{200c}' | '\u{200d}')
}

/// The text without them. Every other reader takes them, so they are no error.
pub(super) fn seen<'a>(document: &mut Document, what: &str, line: usize, text: &'a str) -> Cow<'a, str> {
    let Some(odd) = text.chars().find(|c| is_hidden(*c)) else {
        return Cow::Borrowed(text);
    };
    let odd = odd as u32;
    document.warn(
        line,
        format!("{what} has the invisible character U+{odd:04X}; what cannot be seen is left out"),
    );
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
