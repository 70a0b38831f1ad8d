//! Node's own test runner, run as `node --test --test-reporter=tap`; it prints to stdout, and what the tests printed
//! stands there as comments. Names are the tests' own, without those of the suites around them: up to Node 20
//! `--test-name-pattern` knows no others (it is a regular expression: escape them). A file that could not be run is one
//! failure, named as Node names it, by its path.

use super::{stack, text};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut counts = None;
    // What a file printed before it failed as a whole.
    let mut comments = text::Lines::default();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let told = line.trim_start();
        if let Some(comment) = line.strip_prefix("# ") {
            if !count(comment, &mut counts) && !comment.starts_with("Subtest: ") {
                comments.push(comment);
            }
        } else if let Some(rest) = told.strip_prefix("not ok ") {
            let indent = line.len() - told.len();
            let facts = Facts::read(&mut lines, indent);
            report.failures.extend(failure(rest, &facts, &comments.text()));
            comments = text::Lines::default();
        } else if told.starts_with("ok ") {
            comments = text::Lines::default();
        }
    }
    Report { counts, ..report }
}

fn failure(rest: &str, facts: &Facts, comments: &str) -> Option<Failure> {
    let (name, directive) = name(rest)?;
    if directive.is_some() || facts.kind == "subtestsFailed" {
        return None;
    }
    let (file, declared) = facts.place();
    let printed = facts.has_exit && !comments.is_empty();
    let message = if printed { error_in(comments) } else { facts.error.text() };
    let at = if printed { comments.to_owned() } else { facts.stack.text() };
    let line = file.as_deref().and_then(|file| stack::line_in(&at, file));
    // A file as a whole is declared at 1:1, which says nothing.
    let line = line.or(declared.filter(|_| !facts.has_exit));
    Some(Failure { test_name: name, file: file.map(Into::into), line, message })
}

/// `3 - the name # SKIP why` → the name, and the directive.
fn name(rest: &str) -> Option<(String, Option<&str>)> {
    let (_, rest) = text::leading_number(rest)?;
    let rest = rest.strip_prefix(" - ").unwrap_or_else(|| rest.trim_start());
    // A `#` of the name itself is escaped.
    let directive = rest.rfind(" # ");
    let (name, directive) = match directive {
        Some(at) => (&rest[..at], Some(&rest[at + 3..])),
        None => (rest, None),
    };
    let directive = directive.filter(|word| word.starts_with("SKIP") || word.starts_with("TODO"));
    Some((name.replace("\\#", "#").replace("\\\\", "\\"), directive))
}

fn count(comment: &str, counts: &mut Option<Counts>) -> bool {
    let Some((word, number)) = comment.split_once(' ') else { return false };
    let Ok(number) = number.trim().parse::<usize>() else { return false };
    // The summary begins with this word; the last one counts.
    if word == "tests" {
        *counts = Some(Counts::default());
    }
    let Some(counts) = counts else { return false };
    match word {
        "pass" => counts.passed = number,
        "fail" | "cancelled" => counts.failed = counts.failed.saturating_add(number),
        "skipped" | "todo" => counts.skipped = counts.skipped.saturating_add(number),
        "tests" | "suites" => {}
        _ => return false,
    }
    true
}

/// The line of an uncaught error that names it, and what follows up to the frames.
fn error_in(comments: &str) -> String {
    let (above, _) = stack::split(comments);
    let from = above.lines().position(|line| {
        let word = line.split([':', ' ']).next().unwrap_or_default();
        word.ends_with("Error") || word.ends_with("Exception")
    });
    let named: Vec<&str> = above.lines().skip(from.unwrap_or(0)).collect();
    text::bounded(&named.join("\n"))
}

/// What stands between `---` and `...` below a result.
#[derive(Default)]
struct Facts {
    location: String,
    kind: String,
    error: text::Lines,
    stack: text::Lines,
    has_exit: bool,
}

impl Facts {
    /// Reads on only if the block is there.
    fn read(lines: &mut std::str::Lines<'_>, indent: usize) -> Self {
        let mut facts = Self::default();
        let ahead = lines.clone().next().unwrap_or_default();
        if ahead.trim() != "---" {
            return facts;
        }
        lines.next();
        let mut key = "";
        for line in lines {
            let Some(inner) = line.get(indent + 2..).filter(|_| line[..indent + 2].trim().is_empty()) else {
                // An empty line of a text, or a block that broke off.
                if line.trim().is_empty() {
                    continue;
                }
                break;
            };
            if inner == "..." {
                break;
            }
            if let Some(continued) = inner.strip_prefix("  ") {
                match key {
                    "error" => facts.error.push(continued),
                    _ => facts.push(key, continued),
                }
            } else if let Some((word, value)) = inner.split_once(':') {
                key = word;
                if !matches!(value.trim(), "|-" | "|" | "") {
                    facts.push(key, &unquoted(value.trim()));
                }
            }
        }
        facts
    }

    fn push(&mut self, key: &str, value: &str) {
        match key {
            "location" => value.clone_into(&mut self.location),
            "failureType" => value.clone_into(&mut self.kind),
            "error" => value.lines().for_each(|line| self.error.push(line)),
            "stack" => self.stack.push(value),
            "exitCode" | "signal" => self.has_exit = true,
            _ => {}
        }
    }

    /// `FILE:3:4`
    fn place(&self) -> (Option<String>, Option<u32>) {
        let mut parts = self.location.rsplitn(3, ':');
        let (_, line, file) = (parts.next(), parts.next(), parts.next());
        let line = line.and_then(text::leading_number).map(|(line, _)| line);
        (file.map(|file| text::file_of(file).into_owned()), line)
    }
}

/// Strings are quoted as JavaScript quotes them.
fn unquoted(value: &str) -> String {
    let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'));
    let inner = quote.and_then(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
    let Some(inner) = inner else { return value.into() };
    let mut out = String::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(c) = letters.next() {
        match (c, c == '\\') {
            (_, true) => match letters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
