//! Code that is compiled under a condition only, and whether an edit changes any of it. Told by syntax alone: the attributes
//! of Rust, and the directives of C and C++.

mod c;
mod rust;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::super::lines::{Fate, Moved};
pub(super) use c::of_c;
pub(super) use rust::{holds, of_rust};

/// The lines of a text that hold code, and those that are compiled under a condition only. Lines count from 1.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    code: BTreeSet<u32>,
    stretches: Vec<Stretch>,
}

/// Lines under one condition.
#[derive(Debug)]
struct Stretch {
    lines: RangeInclusive<u32>,
    /// As it is written.
    condition: String,
}

impl Conditions {
    /// The innermost condition around a line of code.
    fn around(&self, line: u32) -> Option<&str> {
        let around = self.stretches.iter().filter(|stretch| stretch.lines.contains(&line));
        let innermost = around.max_by_key(|stretch| *stretch.lines.start());
        innermost.filter(|_| self.code.contains(&line)).map(|stretch| stretch.condition.as_str())
    }
}

/// The first line of code that came or went under a condition, and the condition.
pub(super) fn first_changed(
    before: &str,
    after: &str,
    read: impl Fn(&str) -> Conditions,
) -> Option<(u32, String)> {
    let moved = Moved::between(before, after);
    let first = |text: &str, fate: &dyn Fn(u32) -> Fate| {
        let conditions = read(text);
        let mut changed = conditions.code.iter().filter(|line| matches!(fate(**line), Fate::Changed(_)));
        changed.find_map(|line| Some((*line, conditions.around(*line)?.to_owned())))
    };
    first(after, &|line| moved.after(line)).or_else(|| first(before, &|line| moved.before(line)))
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// A text between two of the sign that it begins with.
fn length_of_string(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if rest.starts_with(c) => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
