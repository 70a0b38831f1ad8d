//! Jest, run as `jest --json`: the document goes to stdout, or to `--outputFile`. Names are full ones, as
//! `--testNamePattern` wants them (it is a regular expression: escape them). A file that could not be run is one failure,
//! named by its path.

use serde_json::Value;

use super::{json, stack, text};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    document(output, |message| message)
}

/// Vitest writes the same document; what it says of a failure may need another word.
pub(super) fn document(output: &str, worded: fn(&str) -> &str) -> Report {
    let output = text::plain(output);
    let Some(document) =
        json::document(&output, |value| value.get("testResults").is_some_and(Value::is_array))
    else {
        return Report::default();
    };
    let mut failures = Vec::new();
    let mut unrun = 0;
    for file in json::list(&document, "testResults") {
        let path = json::text(file, "name");
        let failed: Vec<&Value> = json::list(file, "assertionResults")
            .iter()
            .filter(|test| json::text(test, "status") == Some("failed"))
            .collect();
        if failed.is_empty() && json::text(file, "status") == Some("failed") {
            unrun += 1;
            failures.extend(path.map(|path| of_file(path, file)));
        }
        failures.extend(failed.into_iter().filter_map(|test| of_test(path, test, worded)));
    }
    let counts = Counts {
        passed: json::count(&document, "numPassedTests"),
        failed: json::count(&document, "numFailedTests").saturating_add(unrun),
        skipped: json::count(&document, "numPendingTests")
            .saturating_add(json::count(&document, "numTodoTests")),
    };
    Report { failures, counts: Some(counts), ..Report::default() }
}

fn of_test(path: Option<&str>, test: &Value, worded: fn(&str) -> &str) -> Option<Failure> {
    let trace = json::list(test, "failureMessages").first().and_then(Value::as_str).unwrap_or_default();
    let trace = text::plain(trace);
    let (message, frames) = stack::split(&trace);
    let message = message.strip_prefix("Error: ").unwrap_or(message);
    let line = path.and_then(|path| stack::line_in(frames, path));
    let said = test.get("location").and_then(|location| json::number(location, "line"));
    Some(Failure {
        test_name: json::text(test, "fullName").or_else(|| json::text(test, "title"))?.into(),
        file: path.map(Into::into),
        line: line.or(said),
        message: text::bounded(worded(message)),
    })
}

fn of_file(path: &str, file: &Value) -> Failure {
    let whole = text::plain(json::text(file, "message").unwrap_or_default());
    let line = stack::line_in(&whole, path).or_else(|| marked_line(&whole));
    // Jest has a page of advice above a syntax error.
    let said = whole.split_once("Details:\n").map_or(&*whole, |(_, details)| details);
    let (message, _) = stack::split(said);
    let message = message.trim_start().strip_prefix("● Test suite failed to run").unwrap_or(message);
    let message = if message.trim().is_empty() { "the file failed outside its tests" } else { message };
    Failure {
        test_name: path.into(),
        file: Some(path.into()),
        line,
        message: text::bounded(&dedented(message)),
    }
}

/// `> 4 |` in an excerpt of code.
fn marked_line(message: &str) -> Option<u32> {
    message.lines().find_map(|line| {
        let (number, rest) = text::leading_number(line.trim_start().strip_prefix('>')?.trim_start())?;
        rest.trim_start().starts_with('|').then_some(number)
    })
}

fn dedented(message: &str) -> String {
    let lines: Vec<&str> = message.trim_matches('\n').lines().take(64).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let cut: Vec<&str> = lines.iter().map(|line| line.get(least..).unwrap_or("")).collect();
    cut.join("\n")
}

#[cfg(test)]
mod tests;
