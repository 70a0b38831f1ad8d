//! The TypeScript compiler, run as `tsc --noEmit --pretty false` (or `-b`); it prints to stdout. The coloured form that
//! people see is read as well.

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
        } else if line.starts_with(' ') {
            // What explains the error is indented below it.
            if let Some((_, lines)) = &mut open {
                lines.push(line);
            }
        } else {
            close(&mut report, open.take());
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

/// `a.ts(3,4): error TS1: m`, `a.ts:3:4 - error TS1: m`, `error TS1: m`.
fn headed(line: &str) -> Option<(Problem, &str)> {
    if let Some((severity, code, message)) = complaint(line) {
        return Some((problem(None, severity, code), message));
    }
    let placed =
        text::before_parens(line).filter(|placed| complaint(placed.rest).is_some()).or_else(|| {
            let placed = text::before_colons(line)?;
            Some(Placed { rest: placed.rest.strip_prefix("- ")?, ..placed })
        })?;
    let (severity, code, message) = complaint(placed.rest)?;
    Some((problem(Some(&placed), severity, code), message))
}

fn problem(placed: Option<&Placed<'_>>, severity: Severity, code: &str) -> Problem {
    Problem {
        file: placed.map(Placed::path),
        line: placed.map(|placed| placed.line),
        column: placed.and_then(|placed| placed.column),
        severity,
        code: Some(code.into()),
        message: String::new(),
    }
}

/// `error TS1: m`
fn complaint(text: &str) -> Option<(Severity, &str, &str)> {
    let (word, rest) = text.split_once(' ')?;
    let severity = match word {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "message" => Severity::Information,
        _ => return None,
    };
    let (code, message) = rest.split_once(": ")?;
    let digits = code.strip_prefix("TS")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some((severity, code, message))
}

#[cfg(test)]
mod tests;
