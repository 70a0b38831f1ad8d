//! Zig, run as `zig build test` or `zig test`, and `zig build`; it prints to stderr. Tests are named
//! `cart.test.adds prices`, as `--test-filter` finds them.

use bowline_code::Severity;

use super::text::{self, Lines, Placed};
use crate::{Counts, Failure, Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut open: Option<Open> = None;
    let mut reason = None;
    for line in output.lines() {
        let told = line.trim_start();
        if let Some((name, rest)) = failed(told).or_else(|| started(line)) {
            report.failures.extend(open.take().and_then(Open::close));
            open = Some(Open::new(name, told.starts_with("error: ")));
            if let Some(open) = &mut open {
                open.push(rest);
            }
        } else if let Some(counts) = totals(line) {
            report.failures.extend(open.take().and_then(Open::close));
            report.counts = Some(counts);
        } else if let Some(problem) = text::before_colons(line).and_then(|placed| problem(&placed)) {
            report.problems.push(problem);
        } else if line.starts_with("failed command: ") || line.starts_with("error: ") {
            report.failures.extend(open.take().and_then(Open::close));
            reason = reason.or_else(|| line.strip_prefix("error: ").map(ToOwned::to_owned));
        } else if let Some(open) = &mut open {
            open.push(told);
        }
    }
    report.failures.extend(open.and_then(Open::close));
    if report.problems.is_empty() && report.failures.is_empty() {
        report.problems.extend(reason.map(|message| Problem {
            file: None,
            line: None,
            column: None,
            severity: Severity::Error,
            code: None,
            message: text::bounded(&message),
        }));
    }
    text::once(report)
}

fn problem(placed: &Placed<'_>) -> Option<Problem> {
    let message = placed.rest.strip_prefix("error: ").filter(|_| placed.column.is_some())?;
    Some(Problem {
        file: Some(placed.path()),
        line: Some(placed.line),
        column: placed.column,
        severity: Severity::Error,
        code: None,
        message: text::bounded(message),
    })
}

/// `error: 'cart.test.adds prices' failed: expected 4, found 3`, and `leaked` for one that did.
fn failed(told: &str) -> Option<(&str, &str)> {
    let told = told.strip_prefix("error: '")?;
    let ends = ["' failed:", "' leaked", "' crashed:", "' timed out"];
    let at = ends.iter().filter_map(|end| told.find(end)).min()?;
    let rest = &told[at + 2..];
    Some((&told[..at], rest.strip_prefix("failed:").unwrap_or(rest).trim_start()))
}

/// `1/8 cart.test.adds prices...expected 4, found 3`
fn started(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = text::leading_number(line)?;
    let (_, rest) = text::leading_number(rest.strip_prefix('/')?)?;
    rest.strip_prefix(' ')?.split_once("...")
}

struct Open {
    name: String,
    /// `zig test` says at the end of a test's lines whether it failed.
    has_failed: bool,
    message: Lines,
    code: Option<String>,
    source: Option<String>,
    in_frames: bool,
    innermost: Option<(String, u32)>,
    of_test: Option<(String, u32)>,
}

impl Open {
    fn new(name: &str, has_failed: bool) -> Self {
        let (message, name) = (Lines::default(), name.into());
        let (code, source, innermost, of_test) = (None, None, None, None);
        Self { name, has_failed, message, code, source, in_frames: false, innermost, of_test }
    }

    fn push(&mut self, told: &str) {
        let failed =
            told.rsplit_once("FAIL (").and_then(|(before, code)| Some((before, code.strip_suffix(')')?)));
        if let Some(placed) = text::before_colons(told).filter(|placed| placed.rest.starts_with("0x")) {
            let place = (placed.file.to_owned(), placed.line);
            let function = placed.rest.split_once(" in ").and_then(|(_, rest)| rest.rsplit_once(" ("));
            if function.is_some_and(|(function, _)| self.is_test(function)) {
                self.of_test.get_or_insert_with(|| place.clone());
            }
            self.innermost.get_or_insert(place);
            self.in_frames = true;
        } else if self.in_frames {
            self.source.get_or_insert_with(|| told.into());
        } else if let Some((before, code)) = failed {
            self.has_failed = true;
            self.code = Some(code.into());
            self.message.push(before);
        } else if told.contains("leaked") && told.contains("(err)") {
            self.has_failed = true;
            self.message.push(told);
        } else if !matches!(told, "OK" | "SKIP") {
            self.message.push(told);
        }
    }

    /// A frame knows the test's name without the file's.
    fn is_test(&self, function: &str) -> bool {
        (function.starts_with("test") || function.starts_with("decltest")) && self.name.ends_with(function)
    }

    fn close(self) -> Option<Failure> {
        let mut message = self.message.text();
        // A test that returns an error says nothing else: the line that returned it does.
        if message.trim().is_empty() {
            let said = self.code.map(|code| format!("error.{code}")).or(self.source);
            message = text::bounded(&said.unwrap_or_default());
        }
        let (file, line) = self.of_test.or(self.innermost).unzip();
        let file = file.map(Into::into);
        self.has_failed.then_some(Failure { test_name: self.name, file, line, message })
    }
}

/// `2 passed; 1 skipped; 5 failed.`, `All 8 tests passed.`, and in a build's summary `2/8 tests passed (1 skipped, 5 failed)`.
fn totals(line: &str) -> Option<Counts> {
    if let Some(all) = line.strip_prefix("All ") {
        let (passed, rest) = text::leading_number(all)?;
        return rest
            .starts_with(" tests passed")
            .then(|| Counts { passed: passed as usize, ..Counts::default() });
    }
    let told = match line.strip_prefix("Build Summary: ") {
        Some(steps) => steps.split_once("steps succeeded")?.1,
        None if text::leading_number(line).is_some_and(|(_, rest)| rest.starts_with(" passed; ")) => line,
        None => return None,
    };
    let mut counts = None;
    for part in told.split([';', ',', '(', ')']).take(16) {
        let Some((number, word)) = text::leading_number(part.trim()) else { continue };
        let number = number as usize;
        let word = word.trim_end_matches(['.', ' ']);
        // The steps that failed stand before the tests.
        if word.starts_with('/') && word.ends_with("tests passed") || word == " passed" {
            counts = Some(Counts { passed: number, ..Counts::default() });
        }
        match (&mut counts, word) {
            (Some(counts), " skipped") => counts.skipped = number,
            (Some(counts), " failed") => counts.failed = number,
            _ => {}
        }
    }
    counts
}

#[cfg(test)]
mod tests;
