//! `cmake`, while it configures, and what it builds with.

use bowline_code::Severity;

use super::cc::cc;
use super::place::about_nothing;
use crate::{Problem, Report};

/// `CMake Error at CMakeLists.txt:5 (find_package):`, and what is indented below it.
pub(crate) fn configure(printed: &str) -> Report {
    let mut problems: Vec<Problem> = Vec::new();
    let mut open = false;
    for line in printed.lines() {
        if let Some(problem) = heading(line) {
            problems.push(problem);
            open = true;
        } else if let (true, Some(last)) = (open, problems.last_mut()) {
            // Blank lines stand between paragraphs; the first one that is not indented is somebody else's.
            open = line.is_empty() || line.starts_with(' ');
            if open {
                last.message.push_str(line.strip_prefix("  ").unwrap_or(line));
                last.message.push('\n');
            }
        }
    }
    for problem in &mut problems {
        problem.message = problem.message.trim().to_owned();
    }
    Report { problems, ..Report::default() }
}

/// Both: a build configures again where its files have changed.
pub(crate) fn build(printed: &str) -> Report {
    let mut report = configure(printed);
    report.problems.extend(cc(printed).problems);
    report
}

fn heading(line: &str) -> Option<Problem> {
    let (severity, rest) = match line.strip_prefix("CMake Error") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, line.strip_prefix("CMake Warning")?),
    };
    let rest = rest.strip_prefix(" (dev)").unwrap_or(rest);
    if let Some(text) = rest.strip_prefix(": ") {
        return Some(Problem { severity, ..about_nothing(format!("{text}\n")) });
    }
    let place = rest.strip_prefix(" at ").or_else(|| rest.strip_prefix(" in "))?;
    let place = place.trim_end_matches(':');
    // `file:line (command)`
    let place = place.split_once(" (").map_or(place, |(place, _)| place);
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => (place, None),
    };
    Some(Problem { file: Some(file.into()), line, severity, ..about_nothing("") })
}

#[cfg(test)]
mod tests;
