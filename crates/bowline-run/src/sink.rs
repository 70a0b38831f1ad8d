//! Where the lines of running programs go: to the log, to the beginning and the end that are shown, and to the reader.

use std::collections::VecDeque;

use crate::Raw;
use crate::log::Log;
use crate::runner::{Printed, View};

/// So much of the beginning, and of the end, is shown.
const SHOWN: usize = 8 << 10;
/// So much of the beginning, and of the end, is kept for a reader.
const READ: usize = 8 << 20;
/// A longer line is cut: nobody writes one, and some programs have no line ends at all.
const LONGEST: usize = 1 << 20;
/// So much of a line is told while it runs.
const TOLD: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipe {
    Out,
    Err,
}

pub(crate) struct Sink {
    log: Option<Log>,
    shown: Ends,
    last: String,
    stdout: Ends,
    stderr: Ends,
    both: Ends,
}

impl Sink {
    pub(crate) fn new(log: Option<Log>) -> Self {
        Self {
            log,
            shown: Ends::new(SHOWN),
            last: String::new(),
            stdout: Ends::new(READ),
            stderr: Ends::new(READ),
            both: Ends::new(READ),
        }
    }

    /// A line that a program wrote.
    pub(crate) fn line(&mut self, pipe: Pipe, line: &[u8], view: View) {
        let line = plain(&String::from_utf8_lossy(line));
        self.both.push(&line);
        let shown = match pipe {
            Pipe::Out => {
                self.stdout.push(&line);
                view(&line)
            }
            Pipe::Err => {
                self.stderr.push(&line);
                Some(line.as_str().into())
            }
        };
        let Some(shown) = shown else { return };
        // What was made for machines may hold several lines, or end its own.
        self.show(shown.strip_suffix('\n').unwrap_or(&shown));
    }

    /// A line for people.
    pub(crate) fn show(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.last.clear();
            self.last.push_str(bowline_std::text::prefix(line.trim(), TOLD));
        }
        self.shown.push(line);
        if let Some(log) = &mut self.log {
            log.line(line);
        }
    }

    /// What was said last.
    pub(crate) fn last(&self) -> &str {
        &self.last
    }

    /// What one program printed, for its reader. The next one begins anew.
    pub(crate) fn take(&mut self) -> Printed {
        let take = |ends: &mut Ends| std::mem::replace(ends, Ends::new(READ)).text().text;
        Printed {
            stdout: take(&mut self.stdout),
            stderr: take(&mut self.stderr),
            both: take(&mut self.both),
            report: String::new(),
        }
    }

    /// What is shown; and the log, and how much is not in that.
    pub(crate) fn end(self) -> (Raw, Option<(std::path::PathBuf, u64)>) {
        (self.shown.text(), self.log.and_then(Log::end))
    }
}

/// The beginning and the end of a text, whole lines of it.
struct Ends {
    most: usize,
    head: String,
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: usize,
}

impl Ends {
    fn new(most: usize) -> Self {
        Self { most, head: String::new(), tail: VecDeque::new(), tail_bytes: 0, left_out: 0 }
    }

    fn push(&mut self, line: &str) {
        if self.tail.is_empty() && self.left_out == 0 && self.head.len() + line.len() < self.most {
            self.head.push_str(line);
            self.head.push('\n');
            return;
        }
        // A single line may be longer than all that is kept.
        let kept = bowline_std::text::prefix(line, self.most);
        self.left_out += line.len() - kept.len();
        self.tail_bytes += kept.len() + 1;
        self.tail.push_back(format!("{kept}\n"));
        while self.tail_bytes > self.most + 1 {
            let Some(first) = self.tail.pop_front() else { break };
            self.tail_bytes -= first.len();
            self.left_out += first.len();
        }
    }

    fn text(self) -> Raw {
        let mut text = self.head;
        if self.left_out > 0 {
            text.push_str(&format!("… {} bytes left out …\n", self.left_out));
        }
        text.extend(self.tail);
        Raw { text, left_out: self.left_out }
    }
}

/// Without colours and without what a later part of the line has painted over.
fn plain(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let line = line.rsplit('\r').next().unwrap_or(line);
    if !line.contains('\u{1b}') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            // Up to the letter that says what is meant.
            Some('[') => while letters.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
            // A title or a link, up to a bell or to `ESC \`.
            Some(']') => {
                while let Some(c) = letters.next() {
                    if c == '\u{7}' || (c == '\u{1b}' && letters.next_if_eq(&'\\').is_some()) {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// Cuts bytes into lines as they come.
#[derive(Default)]
pub(crate) struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    pub(crate) fn feed(&mut self, bytes: &[u8], mut line: impl FnMut(&[u8])) {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        if let Some(first) = parts.next() {
            self.extend(first);
        }
        for part in parts {
            line(&self.begun);
            self.begun.clear();
            self.extend(part);
        }
    }

    fn extend(&mut self, part: &[u8]) {
        let room = LONGEST - self.begun.len();
        self.begun.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// The last line may have no end.
    pub(crate) fn end(self, mut line: impl FnMut(&[u8])) {
        if !self.begun.is_empty() {
            line(&self.begun);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(line: &str) -> Option<std::borrow::Cow<'_, str>> {
        Some(line.into())
    }

    #[test]
    fn colours_and_what_was_painted_over_are_gone() {
        assert_eq!(plain("\u{1b}[1;31merror\u{1b}[0m: x"), "error: x");
        assert_eq!(plain("10%\r20%\r100%"), "100%");
        assert_eq!(plain("windows\r"), "windows");
        assert_eq!(plain("\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{1b}\\ ä"), "link ä");
        assert_eq!(plain("cut \u{1b}["), "cut ");
    }

    #[test]
    fn lines_are_whole_whatever_the_pipe_does() {
        let mut said = Vec::new();
        let mut lines = Lines::default();
        for bytes in [&b"a"[..], b"b\nc\n\n", b"", b"d"] {
            lines.feed(bytes, |line| said.push(String::from_utf8_lossy(line).into_owned()));
        }
        lines.end(|line| said.push(String::from_utf8_lossy(line).into_owned()));
        assert_eq!(said, ["ab", "c", "", "d"]);

        let mut longest = 0;
        let mut lines = Lines::default();
        for _ in 0..40 {
            lines.feed(&vec![b'x'; 100_000], |_| unreachable!());
        }
        lines.end(|line| longest = line.len());
        assert_eq!(longest, LONGEST);
    }

    #[test]
    fn the_beginning_and_the_end_are_shown() {
        let mut sink = Sink::new(None);
        for number in 0..10_000 {
            sink.line(Pipe::Out, format!("line {number}").as_bytes(), same);
        }
        sink.line(Pipe::Err, b"the end", same);
        assert_eq!(sink.last(), "the end");
        let printed = sink.take();
        assert!(printed.stdout.ends_with("line 9999\n") && printed.stderr == "the end\n");
        assert!(printed.both.ends_with("line 9999\nthe end\n"));
        let (raw, log) = sink.end();
        assert!(raw.text.starts_with("line 0\n") && raw.text.ends_with("line 9999\nthe end\n"));
        assert!(raw.text.contains(&format!("\n… {} bytes left out …\n", raw.left_out)));
        assert!(raw.text.len() <= 2 * SHOWN + 100, "{}", raw.text.len());
        assert_eq!(log, None);
    }

    #[test]
    fn one_line_that_is_longer_than_everything_is_cut() {
        let mut ends = Ends::new(10);
        ends.push("short");
        ends.push(&"x".repeat(100));
        ends.push("last");
        let raw = ends.text();
        assert!(raw.text.starts_with("short\n…") && raw.text.ends_with("last\n"), "{}", raw.text);
    }
}
