//! The Kotlin compiler: `kotlinc` prints to stderr, and Gradle's plugin prints its own form of the same.

use bowline_code::Severity;

use super::javac;
use super::text::{self, Lines, Placed};
use crate::{Problem, Report};

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "`kotlinc` alone is no runner yet; Gradle's reader takes its lines")
)]
pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let problems = output.lines().filter_map(problem).collect();
    text::once(Report { problems, ..Report::default() })
}

pub(super) fn problem(line: &str) -> Option<Problem> {
    let (severity, placed, message) = by_gradle(line).or_else(|| by_compiler(line))?;
    let mut lines = Lines::default();
    lines.push(message);
    Some(Problem {
        file: placed.as_ref().map(|placed| text::file_of(placed.file).into_owned().into()),
        line: placed.as_ref().map(|placed| placed.line),
        column: placed.as_ref().and_then(|placed| placed.column),
        severity,
        code: None,
        message: lines.text(),
    })
}

/// `A.kt:3:4: error: m`, and `error: m` where it is about no file.
fn by_compiler(line: &str) -> Option<(Severity, Option<Placed<'_>>, &str)> {
    if let Some((severity, message)) = javac::complaint(line) {
        return Some((severity, None, message));
    }
    let placed = text::before_colons(line)?;
    let is_kotlin = placed.file.ends_with(".kt") || placed.file.ends_with(".kts");
    let (severity, message) = javac::complaint(placed.rest)?;
    is_kotlin.then_some((severity, Some(placed), message))
}

/// `e: file:///A.kt:3:4 m`, before Kotlin 1.9 `e: /A.kt: (3, 4): m`, and `e: m`.
fn by_gradle(line: &str) -> Option<(Severity, Option<Placed<'_>>, &str)> {
    let (severity, told) = match line.split_once(": ")? {
        ("e", told) => (Severity::Error, told),
        ("w", told) => (Severity::Warning, told),
        _ => return None,
    };
    let placed = text::before_colons(told).filter(|placed| placed.column.is_some()).or_else(|| old(told));
    let message = placed.as_ref().map_or(told, |placed| placed.rest);
    Some((severity, placed, message))
}

fn old(told: &str) -> Option<Placed<'_>> {
    let (file, rest) = told.split_once(": (")?;
    let (line, rest) = text::leading_number(rest)?;
    let (column, rest) = text::leading_number(rest.strip_prefix(", ")?)?;
    let rest = rest.strip_prefix("): ")?;
    Some(Placed { file, line, column: Some(column), rest })
}

#[cfg(test)]
mod tests;
