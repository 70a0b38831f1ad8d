//! Line ends, and the lines that two texts share.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// No comparison of two texts takes longer; what is left is taken for changed.
const LONGEST: Duration = Duration::from_millis(500);

/// How the lines of a text end, where all of them end alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnds {
    Unix,
    Windows,
    /// Both, or there is one line only: whatever is put in stays as it is.
    Any,
}

impl LineEnds {
    pub(crate) fn of(text: &str) -> Self {
        let all = text.matches('\n').count();
        match text.matches("\r\n").count() {
            _ if all == 0 => Self::Any,
            0 => Self::Unix,
            windows if windows == all => Self::Windows,
            _ => Self::Any,
        }
    }

    /// The same text with these line ends.
    pub(crate) fn put(self, text: &str) -> String {
        match self {
            Self::Any => text.to_owned(),
            Self::Unix => text.replace("\r\n", "\n"),
            Self::Windows => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        }
    }
}

/// Where the lines of one text are in the next. Lines count from 1.
#[derive(Debug)]
pub(super) struct Moved {
    ops: Vec<DiffOp>,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is now the line of this number.
    Kept(u32),
    /// It stood in this stretch, which was changed.
    Changed(usize),
}

impl Moved {
    pub(super) fn between(before: &str, after: &str) -> Self {
        let (before, after): (Vec<&str>, Vec<&str>) = (split(before), split(after));
        let until = Instant::now() + LONGEST;
        Self { ops: capture_diff_slices_deadline(Algorithm::Myers, &before, &after, Some(until)) }
    }

    /// What became of a line of the text before.
    pub(super) fn before(&self, line: u32) -> Fate {
        self.fate(line, |op| (op.old_range(), op.new_range()))
    }

    /// Where a line of the text after stood before.
    pub(super) fn after(&self, line: u32) -> Fate {
        self.fate(line, |op| (op.new_range(), op.old_range()))
    }

    fn fate(
        &self,
        line: u32,
        sides: impl Fn(&DiffOp) -> (std::ops::Range<usize>, std::ops::Range<usize>),
    ) -> Fate {
        let index = line.saturating_sub(1) as usize;
        let mut stretch = 0;
        let mut was_equal = true;
        for op in &self.ops {
            let (here, there) = sides(op);
            let equal = matches!(op, DiffOp::Equal { .. });
            // A deletion beside an insertion is one change.
            if !equal && was_equal {
                stretch += 1;
            }
            was_equal = equal;
            if here.contains(&index) {
                let moved = there.start + (index - here.start);
                return if equal {
                    Fate::Kept(u32::try_from(moved + 1).unwrap_or(u32::MAX))
                } else {
                    Fate::Changed(stretch)
                };
            }
        }
        // Beyond the last line: the end of the text.
        Fate::Changed(usize::MAX)
    }
}

/// The lines of a text, so that the end of its last line does not make another line of it.
fn split(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_those_of_the_file() {
        assert_eq!(LineEnds::of("a\r\nb\r\n").put("x\ny\r\n"), "x\r\ny\r\n");
        assert_eq!(LineEnds::of("a\nb").put("x\r\ny"), "x\ny");
        assert_eq!(LineEnds::of("a\r\nb\n").put("x\ny"), "x\ny");
        assert_eq!(LineEnds::of("a").put("x\r\ny"), "x\r\ny");
    }

    #[test]
    fn lines_are_found_again_where_they_moved_to() {
        let moved = Moved::between("a\nb\nc\nd\n", "a\nnew\nb\nC\nd\n");
        assert_eq!(moved.before(1), Fate::Kept(1));
        assert_eq!(moved.before(2), Fate::Kept(3));
        assert_eq!(moved.before(4), Fate::Kept(5));
        assert_eq!(moved.before(3), moved.after(4), "both stand in the same change");
        assert_ne!(moved.after(2), moved.after(4));
    }
}
