//! What people read: colours where the terminal wants them, plain text everywhere else.
//!
//! `anstream` takes colours out for pipes, files and `NO_COLOR`.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};

/// Somebody else's words, with everything taken out that could move a cursor or begin a line.
pub(crate) use bowline_std::text::tame;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// Text in a style.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A line on stdout, and whether anybody still reads. A reader that has left, as `head` does, is no reason to fail.
pub(crate) fn try_line(text: impl std::fmt::Display) -> bool {
    let written = writeln!(anstream::stdout(), "{text}");
    if written.as_ref().is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe) {
        LOST.store(true, Ordering::Relaxed);
    }
    written.is_ok()
}

/// Something that was to be read could not be written, on a full disk say.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether everything that was to be read has been written. Lines are, as soon as they end.
pub(crate) fn all_written() -> bool {
    !LOST.load(Ordering::Relaxed)
}

/// A line on stdout.
pub(crate) fn line(text: impl std::fmt::Display) {
    try_line(text);
}

/// A line on stderr, beside the answer.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", styled(DIM, text));
}

/// A mistake, on stderr.
pub(crate) fn complain(text: &str) {
    let text = text.split('\n').map(tame).collect::<Vec<_>>().join("\n");
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
