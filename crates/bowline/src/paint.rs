//! What people read: colours where the terminal wants them, plain text everywhere else.
//!
//! `anstream` takes colours out for pipes, files and `NO_COLOR`.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// Text in a style.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A line on stdout. A reader that has left, as `head` does, is no reason to fail.
pub(crate) fn line(text: impl std::fmt::Display) {
    let _ = writeln!(anstream::stdout(), "{text}");
}

/// A line on stderr, beside the answer.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", styled(DIM, text));
}

/// A mistake, on stderr.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}: {text}", styled(BAD, "bowline"));
}

/// What goes on, on a terminal's last line; the next one takes its place.
pub(crate) fn status(text: &str) {
    let _ = write!(anstream::stderr(), "\r\u{1b}[K{}", styled(DIM, text));
}

/// Leaves the last line empty, where there is a terminal.
pub(crate) fn clear_status() {
    if std::io::stderr().is_terminal() {
        let _ = write!(anstream::stderr(), "\r\u{1b}[K");
    }
}
