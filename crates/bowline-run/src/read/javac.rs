//! The Java compiler, run as `javac`; it prints to stderr.

use bowline_code::Severity;

use super::text::{self, Lines, Placed};
use crate::{Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut open: Option<(Problem, Lines)> = None;
    for line in output.lines() {
        if let Some((problem, message)) = headed(line) {
            close(&mut report, open.take());
            let mut lines = Lines::default();
            lines.push(message);
            open = Some((problem, lines));
        } else if let Some((problem, lines)) = &mut open {
            if line.trim() == "^" && problem.column.is_none() {
                problem.column = line.chars().count().try_into().ok();
            } else if is_count(line) || line.trim().is_empty() {
                close(&mut report, open.take());
            } else if line.starts_with("  ") && is_fact(line) {
                lines.push(line);
            }
        }
    }
    close(&mut report, open);
    text::once(report)
}

fn close(report: &mut Report, open: Option<(Problem, Lines)>) {
    if let Some((problem, lines)) = open {
        report.problems.push(Problem { message: lines.text(), ..problem });
    }
}

/// `A.java:3: error: m`, `A.java:3: warning: [unchecked] m`, `error: m`.
pub(super) fn headed(line: &str) -> Option<(Problem, &str)> {
    let placed = text::before_colons(line).filter(|placed| complaint(placed.rest).is_some());
    let told = placed.as_ref().map_or(line, |placed| placed.rest);
    let (severity, message) = complaint(told)?;
    let (code, message) = coded(message);
    let problem = Problem {
        file: placed.as_ref().map(Placed::path),
        line: placed.as_ref().map(|placed| placed.line),
        column: placed.as_ref().and_then(|placed| placed.column),
        severity,
        code: code.map(Into::into),
        message: String::new(),
    };
    Some((problem, message))
}

pub(super) fn complaint(told: &str) -> Option<(Severity, &str)> {
    let error = told.strip_prefix("error: ").map(|message| (Severity::Error, message));
    error.or_else(|| told.strip_prefix("warning: ").map(|message| (Severity::Warning, message)))
}

/// `[unchecked] m`
fn coded(message: &str) -> (Option<&str>, &str) {
    match message.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((code, rest)) if !code.contains(' ') => (Some(code), rest),
        _ => (None, message),
    }
}

/// What explains an error below its caret: `symbol:`, `location:`, `required:`, `found:`, `reason:`.
fn is_fact(line: &str) -> bool {
    let word = line.trim_start().split(':').next().unwrap_or_default();
    matches!(word.trim_end(), "symbol" | "location" | "required" | "found" | "reason")
}

/// `3 errors`
fn is_count(line: &str) -> bool {
    text::leading_number(line)
        .is_some_and(|(_, rest)| rest.starts_with(" error") || rest.starts_with(" warning"))
}

#[cfg(test)]
mod tests;
