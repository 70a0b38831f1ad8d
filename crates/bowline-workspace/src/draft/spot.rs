//! Where a text stands in another: as it is written, or else line by line with other whitespace around it.

use std::ops::Range;
use std::path::Path;

use bowline_code::{Encoding, LineTable};

use super::DraftError;
use super::lines::LineEnds;

/// So many lines are listed where a text stands several times.
const LISTED: usize = 10;

/// The stretch that an old text means, and what is to stand there.
pub(super) fn spot(
    path: &Path,
    text: &str,
    old: &str,
    new: String,
) -> Result<(Range<usize>, String), DraftError> {
    if old.trim().is_empty() {
        return Err(DraftError::EmptyText);
    }
    let written = [old.to_owned(), LineEnds::of(text).put(old)];
    if let Some(old) = written.into_iter().find(|old| text.contains(old.as_str())) {
        return match places(text, &old).as_slice() {
            [only] => Ok((*only..*only + old.len(), new)),
            several => Err(ambiguous(path, text, several)),
        };
    }
    let nearest = || nearest(text, old);
    let lines = Lines::of(text);
    let wanted: Vec<&str> = trimmed(old);
    let found = lines.matches(&wanted);
    let [first] = found.as_slice() else {
        return match found.as_slice() {
            [] => Err(DraftError::NoSuchText { path: path.to_owned(), nearest: nearest() }),
            several => {
                let starts: Vec<usize> = several.iter().map(|first| lines.0[*first].start).collect();
                Err(ambiguous(path, text, &starts))
            }
        };
    };
    let there = &lines.0[*first..first + wanted.len()];
    let shift = Shift::between(text, there, &wanted);
    let shifted = shift.and_then(|shift| shift.apply(&new));
    let shifted =
        shifted.ok_or_else(|| DraftError::NoSuchText { path: path.to_owned(), nearest: nearest() })?;
    let (start, end) = (there[0].start, there[there.len() - 1].end);
    Ok((start..end, shifted))
}

/// Overlapping ones count, too: `aa` stands twice in `aaa`.
fn places(text: &str, wanted: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(wanted)) {
        places.push(from + found);
        let first = text[from + found..].chars().next().map_or(1, char::len_utf8);
        from += found + first;
    }
    places
}

fn ambiguous(path: &Path, text: &str, places: &[usize]) -> DraftError {
    let table = LineTable::new(text);
    let line = |at: &usize| table.position(text, *at, Encoding::Utf16).line.to_string();
    let lines = places.iter().take(LISTED).map(line).collect::<Vec<_>>().join(", ");
    DraftError::TextNotUnique { path: path.to_owned(), times: places.len(), lines }
}

/// The lines of a text without what ends them, as bytes.
struct Lines<'a>(Vec<Range<usize>>, &'a str);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut at = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let start = at;
            at += line.len();
            start..start + line.trim_end_matches(['\r', '\n']).len()
        });
        Self(lines.collect(), text)
    }

    /// Where lines follow each other that say the same, whatever whitespace is around them.
    fn matches(&self, wanted: &[&str]) -> Vec<usize> {
        let said: Vec<&str> = self.0.iter().map(|line| self.1[line.clone()].trim()).collect();
        let is_here = |(_, window): &(usize, &[&str])| {
            window.iter().zip(wanted).all(|(said, line)| *said == line.trim())
        };
        said.windows(wanted.len().max(1)).enumerate().filter(is_here).map(|(first, _)| first).collect()
    }
}

/// The lines of what is looked for, without empty ones around it.
fn trimmed(old: &str) -> Vec<&str> {
    let lines: Vec<&str> = old.lines().collect();
    let says = |line: &&str| !line.trim().is_empty();
    let first = lines.iter().position(says).unwrap_or(0);
    let last = lines.iter().rposition(says).unwrap_or(0);
    lines[first..=last].to_vec()
}

/// By what lines stand further to the right, or to the left, than somebody wrote them.
enum Shift {
    Right(String),
    Left(String),
}

impl Shift {
    /// The same for every line, or none at all.
    fn between(text: &str, there: &[Range<usize>], wanted: &[&str]) -> Option<Self> {
        let indent = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
        let pairs: Vec<(String, String)> = there
            .iter()
            .zip(wanted)
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(line, wanted)| (indent(&text[line.clone()]), indent(wanted)))
            .collect();
        let (is, was) = pairs.first()?;
        if let Some(more) = is.strip_suffix(was.as_str()) {
            let fits = |(is, was): &(String, String)| *is == format!("{more}{was}");
            return pairs.iter().all(fits).then(|| Self::Right(more.to_owned()));
        }
        let more = was.strip_suffix(is.as_str())?;
        let fits = |(is, was): &(String, String)| *was == format!("{more}{is}");
        pairs.iter().all(fits).then(|| Self::Left(more.to_owned()))
    }

    /// The new text as far to the right as the old one is.
    fn apply(&self, new: &str) -> Option<String> {
        let mut lines = Vec::new();
        for line in new.trim_end_matches(['\r', '\n']).split('\n') {
            lines.push(match self {
                _ if line.trim().is_empty() => line.to_owned(),
                Self::Right(more) => format!("{more}{line}"),
                Self::Left(more) => line.strip_prefix(more.as_str())?.to_owned(),
            });
        }
        Some(lines.join("\n"))
    }
}

/// The line that says what the longest line of the text says, for whoever looks for it.
fn nearest(text: &str, old: &str) -> Option<String> {
    let longest = old.lines().map(str::trim).max_by_key(|line| line.len())?;
    let number = text.lines().position(|line| line.trim() == longest)?;
    Some(format!("{}: `{}`", number + 1, bowline_std::text::cut(longest, 80)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, old: &str, new: &str) -> String {
        match spot(Path::new("a.py"), text, old, new.to_owned()) {
            Ok((range, new)) => format!("{}{new}{}", &text[..range.start], &text[range.end..]),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_text_is_found_as_it_is_written() {
        assert_eq!(replaced("a = 1\nb = 2\n", "b = 2", "b = 3"), "a = 1\nb = 3\n");
        assert_eq!(
            replaced("x\nx\n", "x", "y"),
            "old_text stands 2 times in `a.py` (lines 1, 2); give more of the text around it"
        );
        assert_eq!(replaced("aaa", "aa", "b").split(" in ").next(), Some("old_text stands 2 times"));
        assert_eq!(replaced("a\r\nb\r\n", "a\nb", "c"), "c\r\n");
    }

    #[test]
    fn other_whitespace_is_looked_over_where_it_is_the_same_everywhere() {
        let text = "class A:\n    def f(self):\n        return 1\n";
        let old = "def f(self):\n    return 1";
        assert_eq!(
            replaced(text, old, "def f(self):\n    x = 1\n\n    return x"),
            "class A:\n    def f(self):\n        x = 1\n\n        return x\n"
        );
        assert_eq!(
            replaced(text, "      return 1", "      return 2"),
            "class A:\n    def f(self):\n        return 2\n"
        );
        assert_eq!(replaced("x = 1   \n", "x = 1\n", "x = 2\n"), "x = 2\n", "spaces behind it go with it");
        assert_eq!(replaced("f()\n", "\n    f()\n\n", "    g()\n"), "g()\n");
        assert_eq!(
            replaced(text, "def f(self):\n  return 1", "x"),
            "old_text not found in `a.py`; the nearest line is 2: `def f(self):`",
            "nobody knows how far in the new text belongs"
        );
        assert_eq!(
            replaced("f()\n", "    f()", "  g()"),
            "old_text not found in `a.py`; the nearest line is 1: `f()`"
        );
        assert_eq!(
            replaced("if a:\n    f()\nif b:\n    f()\n", "  f()", "g()"),
            "old_text stands 2 times in `a.py` (lines 2, 4); give more of the text around it",
        );
        assert_eq!(replaced("a\n", "zz", "y"), "old_text not found in `a.py`");
        assert_eq!(
            replaced("a\n", " \n", "y"),
            "old_text is empty; it must be text that stands in the file once"
        );
    }
}
