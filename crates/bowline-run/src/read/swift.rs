//! Swift, run as `swift build` or `swift test`. The compiler and XCTest print to stderr or stdout, according to version and
//! system; Swift Testing prints to stdout: give both. Tests are named as `--filter` wants them: `ShopTests.CartTests/adds`
//! where the module is told, `CartTests/adds` or `adds()` where it is not.

use bowline_code::Severity;

use super::text::{self, Placed};
use crate::{Counts, Failure, Problem, Report};

const MOST: usize = 2_000;

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut xctest = None;
    let mut testing = None;
    let mut is_whole = false;
    let mut reason = None;
    let mut is_issue = false;
    for line in output.lines() {
        let was_issue = std::mem::take(&mut is_issue);
        if let Some(told) = told_by_testing(line) {
            if let Some(failure) = issue(told) {
                report.failures.push(failure);
                is_issue = true;
            } else if let Some(counts) = run(told, &report) {
                testing = Some(counts);
            }
        } else if let Some(comment) = marked(line).filter(|_| was_issue) {
            // What the test's author says of it.
            if let Some(failure) = report.failures.last_mut() {
                failure.message = text::bounded(&format!("{}\n{comment}", failure.message));
            }
        } else if let Some(placed) = text::before_colons(line) {
            match xctest_failure(&placed) {
                Some(failure) => report.failures.push(failure),
                None => report.problems.extend(problem(&placed)),
            }
        } else if let Some(suite) = line.trim_start().strip_prefix("Test Suite '") {
            is_whole = (suite.starts_with("All tests'") || suite.starts_with("Selected tests'"))
                && !suite.contains("started at");
        } else if let Some(counts) = executed(line.trim()).filter(|_| is_whole) {
            xctest = Some(counts);
        } else if let Some(message) = line.strip_prefix("error: ") {
            reason = reason.or(Some(message));
        }
    }
    if report.problems.is_empty() && report.failures.is_empty() {
        report.problems.extend(reason.map(unplaced));
    }
    report.counts = match (xctest, testing) {
        (Some(one), Some(two)) => Some(sum(one, two)),
        (one, two) => one.or(two),
    };
    text::once(report)
}

fn sum(one: Counts, two: Counts) -> Counts {
    Counts {
        passed: one.passed.saturating_add(two.passed),
        failed: one.failed.saturating_add(two.failed),
        skipped: one.skipped.saturating_add(two.skipped),
    }
}

fn problem(placed: &Placed<'_>) -> Option<Problem> {
    let error = placed.rest.strip_prefix("error: ").map(|message| (Severity::Error, message));
    let warning = || placed.rest.strip_prefix("warning: ").map(|message| (Severity::Warning, message));
    let (severity, message) = error.or_else(warning)?;
    Some(Problem {
        file: Some(placed.path()),
        line: Some(placed.line),
        column: placed.column,
        severity,
        code: None,
        message: text::bounded(message),
    })
}

fn unplaced(message: &str) -> Problem {
    let message = text::bounded(message);
    Problem { file: None, line: None, column: None, severity: Severity::Error, code: None, message }
}

/// `FILE:9: error: -[ShopTests.CartTests testAdds] : m` on a Mac, `FILE:9: error: CartTests.testAdds : m` elsewhere.
fn xctest_failure(placed: &Placed<'_>) -> Option<Failure> {
    let told = placed.rest.strip_prefix("error: ").filter(|_| placed.column.is_none())?;
    let (name, message) = told.split_once(" : ")?;
    let (class, method) = match name.strip_prefix("-[").and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.split_once(' ')?,
        None => name.rsplit_once('.').filter(|(class, _)| !class.contains(' '))?,
    };
    // A thrown error on Linux is at `<EXPR>:0`.
    let file = Some(placed.path()).filter(|_| placed.line > 0);
    let line = Some(placed.line).filter(|line| *line > 0);
    let message = message.trim_end().trim_end_matches(" -");
    Some(Failure { test_name: format!("{class}/{method}"), file, line, message: text::bounded(message) })
}

fn told_by_testing(line: &str) -> Option<&str> {
    marked(line).filter(|told| told.starts_with("Test "))
}

/// Swift Testing puts a symbol in front of its lines; which one differs between systems.
fn marked(line: &str) -> Option<&str> {
    let (mark, told) = line.trim_start().split_once(' ')?;
    let mut letters = mark.chars();
    let is_mark = letters.next().is_some_and(|c| !c.is_ascii()) && letters.next().is_none();
    is_mark.then(|| told.trim_start())
}

/// `Test adds() recorded an issue with 1 argument n → 3 at CartTests.swift:8:5: Expectation failed: …`
fn issue(told: &str) -> Option<Failure> {
    // A place is looked for at every `at`: in a line without end that would take as long.
    let end = told.char_indices().nth(MOST).map_or(told.len(), |(at, _)| at);
    let (name, rest) = told[..end].trim_start().strip_prefix("Test ")?.split_once(" recorded an issue ")?;
    // An argument may hold anything, a place too: the place is the one that is followed by a message.
    let (at, placed) = rest.match_indices("at ").find_map(|(at, _)| {
        let before = &rest[..at];
        let placed = text::before_colons(&rest[at + 3..]).filter(|placed| placed.column.is_some())?;
        ((before.is_empty() || before.ends_with(' ')) && placed.file.ends_with(".swift"))
            .then_some((at, placed))
    })?;
    let arguments = rest[..at].trim();
    let mut message = placed.rest.to_owned();
    if !arguments.is_empty() {
        message.push_str(&format!(" ({arguments})"));
    }
    Some(Failure {
        test_name: name.trim_matches('"').into(),
        file: Some(placed.path()),
        line: Some(placed.line),
        message: text::bounded(&message),
    })
}

/// `Test run with 6 tests in 2 suites failed after 0.002 seconds with 4 issues.` It says how many issues, and not how many
/// tests failed: those are counted.
fn run(told: &str, report: &Report) -> Option<Counts> {
    let (tests, rest) = text::leading_number(told.trim_start().strip_prefix("Test run with ")?)?;
    let rest = rest.trim_start();
    if !rest.starts_with("test") {
        return None;
    }
    // Those of XCTest have a slash between class and method.
    let names = report.failures.iter().map(|failure| &failure.test_name).filter(|name| !name.contains('/'));
    let failed = names.collect::<std::collections::HashSet<_>>().len();
    Some(Counts { passed: (tests as usize).saturating_sub(failed), failed, skipped: 0 })
}

/// `Executed 6 tests, with 1 test skipped and 3 failures (1 unexpected) in 0.005 (0.006) seconds`
fn executed(line: &str) -> Option<Counts> {
    let (tests, rest) = text::leading_number(line.strip_prefix("Executed ")?)?;
    let (_, rest) = rest.split_once(", with ")?;
    let (number, after) = text::leading_number(rest)?;
    let skipped = after.trim_start_matches(" tests").trim_start_matches(" test").starts_with(" skipped");
    let (skipped, failed) = match rest.split_once(" and ").filter(|_| skipped) {
        Some((_, failures)) => (number, text::leading_number(failures)?.0),
        None => (0, number),
    };
    let (tests, skipped, failed) = (tests as usize, skipped as usize, failed as usize);
    Some(Counts { passed: tests.saturating_sub(failed).saturating_sub(skipped), failed, skipped })
}

#[cfg(test)]
mod tests;
