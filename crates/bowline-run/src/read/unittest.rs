//! `python -m unittest -v`.

use std::collections::HashSet;
use std::path::PathBuf;

use bowline_code::Severity;

use super::place::number;
use crate::{Counts, Failure, Problem, Report};

pub(crate) fn unittest(printed: &str) -> Report {
    let mut report = Report::default();
    let mut parts =
        printed.split("\n======================================================================\n");
    let first = parts.next().unwrap_or_default();
    let mut last = first;
    for part in parts {
        last = part;
        let Some((head, rest)) =
            part.split_once("\n----------------------------------------------------------------------\n")
        else {
            continue;
        };
        // Tests that pass although they were to fail stand together, and nothing more is said of them.
        if head.starts_with("UNEXPECTED SUCCESS: ") {
            report.failures.extend(head.lines().filter_map(surprise));
            continue;
        }
        // After the last one the sum follows.
        let text = rest
            .split("\n----------------------------------------------------------------------\nRan ")
            .next();
        let text = text.unwrap_or(rest).trim_end();
        let Some(name) = head.lines().next().and_then(name) else { continue };
        let frames = frames(text);
        // A module that cannot be imported stands for a test, and is none.
        if head.contains("unittest.loader._FailedTest") {
            let own =
                frames.iter().rev().find(|(file, _)| !file.contains("/unittest/") && !file.starts_with('<'));
            report.problems.push(Problem {
                file: own.map(|(file, _)| PathBuf::from(file)),
                line: own.map(|(_, line)| *line),
                column: None,
                severity: Severity::Error,
                code: None,
                message: message(text).to_owned(),
            });
            continue;
        }
        // The first frame is the test; what it called in the same file is nearer.
        let test_file = frames.first().map(|(file, _)| *file);
        let frame = frames.iter().rev().find(|(file, _)| Some(*file) == test_file);
        report.failures.push(Failure {
            test_name: name,
            file: frame.map(|(file, _)| PathBuf::from(file)),
            line: frame.map(|(_, line)| *line),
            message: message(text).to_owned(),
        });
    }
    // Before 3.11 there is no list of them.
    if !printed.contains("\nUNEXPECTED SUCCESS: ") {
        report.failures.extend(surprises_in_passing(first));
    }
    report.counts = counts(last, &report);
    report
}

/// `UNEXPECTED SUCCESS: test_a (tests.test_a.TestA.test_a)`
fn surprise(line: &str) -> Option<Failure> {
    let test_name = full_name(line.strip_prefix("UNEXPECTED SUCCESS: ")?)?;
    Some(Failure { test_name, file: None, line: None, message: "unexpected success".to_owned() })
}

/// `test_a (tests.test_a.TestA) ... unexpected success`, the first line of its description perhaps between the two.
fn surprises_in_passing(told: &str) -> Vec<Failure> {
    let mut found = Vec::new();
    let mut before = "";
    for line in told.lines() {
        if let Some(named) = line.strip_suffix(" ... unexpected success") {
            let test_name = full_name(named).or_else(|| full_name(before));
            found.extend(test_name.map(|test_name| Failure {
                test_name,
                file: None,
                line: None,
                message: "unexpected success".to_owned(),
            }));
        }
        before = line;
    }
    found
}

/// `FAIL: test_a (tests.test_a.TestA.test_a) (n=1)`
fn name(line: &str) -> Option<String> {
    full_name(line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "))?)
}

/// `test_a (tests.test_a.TestA.test_a) (n=1)`; before 3.11 the method is not repeated.
fn full_name(line: &str) -> Option<String> {
    let (method, rest) = line.split_once(" (")?;
    let (class, case) = rest.split_once(')')?;
    let full = match class.strip_suffix(method).is_some_and(|class| class.ends_with('.')) {
        true => class.to_owned(),
        false => format!("{class}.{method}"),
    };
    Some(format!("{full}{}", case.trim_end()))
}

fn frames(text: &str) -> Vec<(&str, u32)> {
    let frame = |line: &'_ str| -> Option<(usize, u32)> {
        let rest = line.trim_start().strip_prefix("File \"")?;
        let (file, rest) = rest.split_once("\", line ")?;
        Some((file.len(), number(rest)?.0))
    };
    text.lines()
        .filter_map(|line| {
            let (length, number) = frame(line)?;
            let from = line.find('"')? + 1;
            Some((&line[from..from + length], number))
        })
        .collect()
}

/// What follows the frames: the first line that is not indented, after the last traceback.
fn message(text: &str) -> &str {
    let mut from = 0;
    let mut at = 0;
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with("Traceback (most recent call last)") {
            inside = true;
        } else if inside && !line.starts_with(' ') {
            inside = false;
            from = at;
        }
        at += line.len();
    }
    text[from..].trim_end()
}

/// `Ran 7 tests in 0.004s` and `FAILED (failures=3, errors=2, skipped=1)`.
fn counts(end: &str, report: &Report) -> Option<Counts> {
    let ran = end.lines().rev().find_map(|line| number(line.strip_prefix("Ran ")?))?.0 as usize;
    let sum =
        end.lines().rev().find(|line| line.starts_with("FAILED") || line.starts_with("OK")).unwrap_or("");
    let of = |word: &str| {
        let at = sum.find(&format!("{word}="))? + word.len() + 1;
        Some(number(&sum[at..])?.0 as usize)
    };
    let skipped = of("skipped").unwrap_or(0);
    // The cases of one test fail one by one, and it ran once.
    let tests: HashSet<&str> = report
        .failures
        .iter()
        .map(|failure| failure.test_name.split(" (").next().unwrap_or_default())
        .collect();
    // What is set up for many tests, and a file that cannot be imported, are no tests. The latter counts as one that ran.
    let around = |test: &&&str| {
        let method = test.rsplit('.').next().unwrap_or(test);
        matches!(method, "setUpClass" | "tearDownClass" | "setUpModule" | "tearDownModule")
    };
    let beside = tests.iter().filter(around).count();
    let not_passed = skipped + (tests.len() - beside) + report.problems.len();
    Some(Counts { passed: ran.saturating_sub(not_passed), failed: tests.len(), skipped })
}

#[cfg(test)]
mod tests;
