//! The pattern, and what comes in its place.

use std::ops::Range;

use regex::{Captures, Regex, RegexBuilder};

use super::{Replace, ReplaceError};
use crate::draft::LineEnds;

/// A pattern that needs more than this is not one that a person wrote.
const PATTERN_BYTES: usize = 8 << 20;

/// A pattern that was understood.
#[derive(Debug)]
pub(super) struct Wanted {
    regex: Regex,
    new: New,
}

#[derive(Debug)]
enum New {
    /// With groups of the pattern in it.
    Template(String),
    /// Its lines end as those of the file do.
    Plain(String),
}

impl Wanted {
    pub(super) fn new(replace: &Replace) -> Result<Self, ReplaceError> {
        if replace.pattern.is_empty() {
            return Err(ReplaceError::Empty);
        }
        let source = if replace.is_regex { either_end(&replace.pattern) } else { plain(&replace.pattern) };
        let build = |source: &str| {
            RegexBuilder::new(source)
                .case_insensitive(replace.ignore_case)
                .dot_matches_new_line(replace.dot_all)
                .multi_line(true)
                .crlf(true)
                .size_limit(PATTERN_BYTES)
                .dfa_size_limit(PATTERN_BYTES)
                .build()
                .map_err(|error| ReplaceError::BadPattern(error.to_string()))
        };
        // By itself first: within the brackets, half a pattern could become a whole one.
        let mut regex = build(&source)?;
        if replace.whole_word {
            regex = build(&format!(r"\b{{start-half}}(?:{source})\b{{end-half}}"))?;
        }
        if regex.is_match("") {
            return Err(ReplaceError::MatchesNothing);
        }
        let new = if replace.is_regex {
            check(&replace.replacement, &regex)?;
            New::Template(replace.replacement.clone())
        } else {
            New::Plain(replace.replacement.clone())
        };
        Ok(Self { regex, new })
    }

    /// Every place in a text, and what comes there.
    pub(super) fn find<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = Result<(Range<usize>, String), ReplaceError>> + 'a {
        let ends = LineEnds::of(text);
        self.regex.captures_iter(text).map(move |captures| {
            let whole = captures.get_match();
            // Between two letters, say: no text tells beforehand.
            if whole.is_empty() {
                return Err(ReplaceError::MatchesNothing);
            }
            Ok((whole.range(), self.put(&captures, ends)))
        })
    }

    fn put(&self, captures: &Captures<'_>, ends: LineEnds) -> String {
        match &self.new {
            New::Plain(text) => ends.put(text),
            New::Template(template) => {
                let mut new = String::new();
                captures.expand(template, &mut new);
                new
            }
        }
    }
}

/// A plain text as a pattern: a line of it ends as the lines of the file do.
fn plain(text: &str) -> String {
    let lines: Vec<String> = text.replace("\r\n", "\n").split('\n').map(regex::escape).collect();
    lines.join("\r?\n")
}

/// `\n` in a pattern is the end of a line, however the file writes it, unless the pattern speaks of `\r` itself. Within
/// brackets, `\n` is one character among others and stays one.
fn either_end(pattern: &str) -> String {
    if pattern.contains("\\r") || pattern.contains('\r') {
        return pattern.to_owned();
    }
    let (mut new, mut depth) = (String::with_capacity(pattern.len()), 0_usize);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') if depth == 0 => new.push_str(r"(?:\r?\n)"),
                escaped => {
                    new.push(c);
                    new.extend(escaped);
                }
            },
            '\n' if depth == 0 => new.push_str(r"(?:\r?\n)"),
            _ => {
                match c {
                    '[' => depth += 1,
                    ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                new.push(c);
            }
        }
    }
    new
}

/// Every group that the replacement names must be there: one that is not would be replaced by nothing.
fn check(template: &str, regex: &Regex) -> Result<(), ReplaceError> {
    let is_known = |name: &str| match name.parse::<usize>() {
        Ok(number) => number < regex.captures_len(),
        Err(_) => regex.capture_names().flatten().any(|known| known == name),
    };
    let mut rest = template;
    while let Some((_, behind)) = rest.split_once('$') {
        rest = behind;
        if let Some(after) = behind.strip_prefix('$') {
            rest = after;
            continue;
        }
        // What names nothing is a dollar sign.
        let name = match behind.strip_prefix('{') {
            Some(inside) => inside.split_once('}').map(|(name, _)| name),
            None => {
                let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
                let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
                Some(&behind[..end]).filter(|name| !name.is_empty())
            }
        };
        if let Some(name) = name.filter(|name| !is_known(name)) {
            return Err(ReplaceError::NoSuchGroup { name: name.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(replace: &Replace, text: &str) -> Result<String, ReplaceError> {
        let wanted = Wanted::new(replace)?;
        let mut new = String::new();
        let mut at = 0;
        for found in wanted.find(text) {
            let (range, put) = found?;
            new.push_str(&text[at..range.start]);
            new.push_str(&put);
            at = range.end;
        }
        Ok(new + &text[at..])
    }

    fn text(pattern: &str, replacement: &str) -> Replace {
        Replace { pattern: pattern.into(), replacement: replacement.into(), ..Replace::default() }
    }

    fn regex(pattern: &str, replacement: &str) -> Replace {
        Replace { is_regex: true, ..text(pattern, replacement) }
    }

    #[test]
    fn plain_text_means_what_it_says() {
        assert_eq!(replaced(&text("a.b", "$1$$"), "a.b axb").unwrap(), "$1$$ axb");
        assert_eq!(replaced(&Replace { ignore_case: true, ..text("ÄB", "x") }, "äb").unwrap(), "x");
        let word = |pattern: &str| Replace { whole_word: true, ..text(pattern, "x") };
        assert_eq!(replaced(&word("a"), "a ab ba _a a-a").unwrap(), "x ab ba _a x-x");
        assert_eq!(replaced(&word("->"), "a->b ->").unwrap(), "a->b x");
    }

    #[test]
    fn lines_of_plain_text_end_as_those_of_the_file() {
        assert_eq!(replaced(&text("a\nb", "c\nd"), "a\r\nb\r\n").unwrap(), "c\r\nd\r\n");
        assert_eq!(replaced(&text("a\r\nb", "c\r\nd"), "a\nb\n").unwrap(), "c\nd\n");
        assert_eq!(replaced(&regex(r"\r\n", "\n"), "a\r\nb\r\n").unwrap(), "a\nb\n");
        assert_eq!(replaced(&regex("b$", "x"), "ab\r\nb\n").unwrap(), "ax\r\nx\n");
    }

    #[test]
    fn the_end_of_a_line_in_a_pattern_is_that_of_the_file() {
        for (pattern, text, expected) in [
            (r"a\nb", "a\r\nb a\nb", "x x"),
            ("a\nb", "a\r\nb", "x"),
            (r"\n+b", "a\r\n\r\nb", "ax"),
            (r"a[^\n]", "a\r\nab", "x\nx"),
            (r"a\\n", "a\\n", "x"),
            (r"\r\n", "a\r\n\n", "ax\n"),
            (r"[\]\n]", "]\n", "xx"),
        ] {
            assert_eq!(replaced(&regex(pattern, "x"), text).unwrap(), expected, "{pattern}");
        }
    }

    #[test]
    fn groups_are_put_in_and_must_be_there() {
        assert_eq!(replaced(&regex(r"(\w+)\((?<arg>\w+)\)", "${arg}.$1($$)"), "f(x)").unwrap(), "x.f($)");
        assert_eq!(replaced(&regex("a(b)?", "[$1]"), "a ab").unwrap(), "[] [b]");
        for name in ["$2", "$1a", "${none}", "${}"] {
            assert!(
                matches!(replaced(&regex("(a)", name), ""), Err(ReplaceError::NoSuchGroup { .. })),
                "{name}"
            );
        }
        assert_eq!(replaced(&regex("a", "$ ${"), "a").unwrap(), "$ ${");
    }

    #[test]
    fn what_cannot_be_used_is_an_error() {
        assert_eq!(replaced(&text("", "x"), "a"), Err(ReplaceError::Empty));
        for pattern in ["a*", "^", "(|b)"] {
            assert_eq!(replaced(&regex(pattern, "x"), "abc"), Err(ReplaceError::MatchesNothing), "{pattern}");
        }
        assert_eq!(replaced(&regex(r"\b", "x"), "abc"), Err(ReplaceError::MatchesNothing));
        for pattern in ["a(", r"\x{zz}", "(a{1000}){1000}", "a)|(b"] {
            assert!(
                matches!(replaced(&regex(pattern, "x"), "abc"), Err(ReplaceError::BadPattern(_))),
                "{pattern}"
            );
        }
        assert!(replaced(&Replace { whole_word: true, ..regex("a)|(b", "x") }, "abc").is_err());
    }
}
