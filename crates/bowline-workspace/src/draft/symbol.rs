//! Edits of one symbol: its body, what stands before and behind it, and its end. Where its parts are is for
//! `bowline-syntax` to know; here is how text is fitted in, and what must hold afterwards.
//!
//! There may be several ways to read what a caller wrote: with braces or without, indented or not. Each is a candidate;
//! the first one that leaves the file readable and everything else as it was is taken, and if there is none, nothing
//! is changed.

mod body;
mod check;
mod code;
mod insert;
mod lines;
mod pick;
mod refused;
mod remove;
mod sound;

use std::ops::Range;

use bowline_syntax::{Parsed, Parts, Place, SyntaxError};

pub(super) use pick::pick;
pub use refused::Refused;

use super::lines::LineEnds;
use crate::query::Named;

/// What is to become of a symbol.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'a> {
    /// The whole of it is another text.
    Whole(&'a str),
    Body(&'a str),
    Before(&'a str),
    After(&'a str),
    Delete,
}

/// Stretches of a text and what comes in their place; none overlap.
type Splices = Vec<(Range<usize>, String)>;

/// A symbol in its text.
struct Target<'a> {
    parsed: &'a Parsed,
    named: &'a Named,
    /// Its name.
    selection: Range<usize>,
    parts: Parts,
    parse: &'a dyn Fn(&str) -> Result<Parsed, SyntaxError>,
}

impl Target<'_> {
    fn text(&self) -> &str {
        self.parsed.text()
    }
}

/// The text after the change, or why there is none.
pub(super) fn changed(
    parsed: &Parsed,
    named: &Named,
    change: Change<'_>,
    parse: &dyn Fn(&str) -> Result<Parsed, SyntaxError>,
) -> Result<String, Refused> {
    let selection = lines::bytes_of(parsed, named.selection);
    let parts = parsed.parts(&selection).ok_or(Refused::NotFound)?;
    let target = Target { parsed, named, selection, parts, parse };
    sound::check(&target)?;
    let candidates = match change {
        Change::Whole(text) => {
            let range = lines::bytes_of(parsed, named.range);
            if range.end > target.parts.whole.end && target.parts.place == Place::Alone {
                return Err(Refused::RestOfFile);
            }
            // The line end that is there is the end of its last line.
            let is_last = lines::is_last_on_line(parsed.text(), range.end);
            let text = if is_last { text.trim_end_matches(['\n', '\r']) } else { text };
            vec![vec![(range, text.to_owned())]]
        }
        Change::Body(text) => body::candidates(&target, text)?,
        Change::Before(code) => insert::before(&target, code)?,
        Change::After(code) => insert::after(&target, code)?,
        Change::Delete => remove::candidates(&target)?,
    };
    let mut first = None;
    for splices in candidates {
        match check::applied(&target, change, splices) {
            Ok(text) => return Ok(text),
            Err(refused) => first = first.or(Some(refused)),
        }
    }
    Err(first.unwrap_or(Refused::NotFound))
}

/// The text with the splices made, in the line ends of the text, and where each of them is now.
fn spliced(text: &str, mut splices: Splices) -> (String, Vec<Moved>) {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let ends = LineEnds::of(text);
    let mut after = String::with_capacity(text.len());
    let mut moved = Vec::with_capacity(splices.len());
    let mut at = 0;
    for (range, new) in splices {
        after.push_str(text.get(at..range.start).unwrap_or_default());
        let start = after.len();
        after.push_str(&ends.put(&new));
        at = range.end;
        moved.push(Moved { before: range, after: start..after.len() });
    }
    after.push_str(text.get(at..).unwrap_or_default());
    (after, moved)
}

/// One stretch before and after.
struct Moved {
    before: Range<usize>,
    after: Range<usize>,
}
