//! Ruby's syntax check, run as `ruby -wc FILE`; it prints to stderr.

use bowline_code::Severity;

use super::text;
use crate::{Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    // From Ruby 3.4 on one heading names the file, and an excerpt of code holds the errors.
    let mut file: Option<String> = None;
    let mut marked = None;
    for line in output.lines() {
        if let Some(placed) = text::before_colons(line) {
            // The interpreter says its own name first where it did not only check.
            let path = placed.file.rsplit(": ").next().unwrap_or(placed.file);
            if placed.rest.contains("syntax errors found") || placed.rest.contains("syntax error found") {
                file = Some(path.into());
            } else if let Some((severity, message)) = complaint(placed.rest) {
                report.problems.push(problem(path, placed.line, None, severity, message));
            }
        } else if let Some(excerpt) = line.trim_start().strip_prefix('>') {
            marked = text::leading_number(excerpt.trim_start()).map(|(number, _)| number);
        } else if let (Some(file), Some(number)) = (&file, marked)
            && let Some((below, column)) = below(line)
        {
            report.problems.push(problem(file, number, Some(column), Severity::Error, below));
        }
    }
    text::once(report)
}

/// `    |   ^~~ unexpected integer`: the message, and the caret's column in the code.
fn below(line: &str) -> Option<(&str, u32)> {
    let code = line.trim_start().strip_prefix("| ")?;
    let (before, rest) = code.split_once('^')?;
    let message = rest.trim_start_matches(['~', '^']).trim();
    let column = before.trim().is_empty().then(|| before.chars().count() + 1)?;
    (!message.is_empty()).then_some((message, column.try_into().ok()?))
}

fn complaint(told: &str) -> Option<(Severity, &str)> {
    if let Some(message) = told.strip_prefix("warning: ") {
        return Some((Severity::Warning, message));
    }
    let is_error = told.starts_with("syntax error") || told.ends_with("(SyntaxError)");
    is_error.then(|| (Severity::Error, told.trim_end_matches(" (SyntaxError)")))
}

fn problem(file: &str, line: u32, column: Option<u32>, severity: Severity, message: &str) -> Problem {
    let message = text::bounded(message);
    Problem { file: Some(file.into()), line: Some(line), column, severity, code: None, message }
}

#[cfg(test)]
mod tests;
