//! PHP's syntax check, run as `php -l FILE`; it prints to stdout or to stderr, according to the installation, or to both.

use bowline_code::Severity;

use super::text;
use crate::{Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let problems = output.lines().filter_map(problem).collect();
    text::once(Report { problems, ..Report::default() })
}

/// `PHP Parse error:  syntax error, … in src/Cart.php on line 3`
fn problem(line: &str) -> Option<Problem> {
    let told = line.strip_prefix("PHP ").unwrap_or(line);
    let (kind, told) = told.split_once(": ")?;
    let severity = match kind {
        "Parse error" | "Fatal error" => Severity::Error,
        "Warning" | "Deprecated" | "Notice" => Severity::Warning,
        _ => return None,
    };
    let (told, number) = told.rsplit_once(" on line ")?;
    let (message, file) = told.rsplit_once(" in ")?;
    Some(Problem {
        file: Some(file.into()),
        line: Some(text::leading_number(number)?.0),
        column: None,
        severity,
        code: None,
        message: text::bounded(message.trim()),
    })
}

#[cfg(test)]
mod tests;
