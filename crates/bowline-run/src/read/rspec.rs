//! RSpec, run as `rspec --format json`: the document goes to stdout, or to the file of `--out`. Names are full descriptions,
//! as `--example` wants them. A file that cannot be loaded is one failure, named by its path.

use serde_json::Value;

use super::{json, text};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let wanted =
        |value: &Value| value.get("examples").is_some_and(Value::is_array) && value.get("summary").is_some();
    let Some(document) = json::document(&output, wanted) else { return Report::default() };
    let failed =
        json::list(&document, "examples").iter().filter(|test| json::text(test, "status") == Some("failed"));
    let mut failures: Vec<Failure> = failed.filter_map(failure).collect();
    failures.extend(json::list(&document, "messages").iter().filter_map(Value::as_str).filter_map(unloaded));
    let summary = document.get("summary").unwrap_or(&Value::Null);
    let failed = json::count(summary, "failure_count");
    let skipped = json::count(summary, "pending_count");
    let passed = json::count(summary, "example_count").saturating_sub(failed).saturating_sub(skipped);
    let failed = failed.saturating_add(json::count(summary, "errors_outside_of_examples_count"));
    Report { failures, counts: Some(Counts { passed, failed, skipped }), ..Report::default() }
}

fn failure(test: &Value) -> Option<Failure> {
    let file = json::text(test, "file_path");
    let error = test.get("exception").unwrap_or(&Value::Null);
    let frames = json::list(error, "backtrace").iter().filter_map(Value::as_str);
    let line = file.and_then(|file| {
        let file = file.trim_start_matches("./");
        frames
            .filter_map(text::before_colons)
            .find(|placed| placed.file.ends_with(file))
            .map(|placed| placed.line)
    });
    let class = json::text(error, "class").unwrap_or_default();
    let mut message = text::plain(json::text(error, "message").unwrap_or_default()).trim().to_owned();
    if !class.starts_with("RSpec::Expectations") && !class.is_empty() {
        message = format!("{class}: {message}");
    }
    Some(Failure {
        test_name: json::text(test, "full_description")?.into(),
        file: file.map(Into::into),
        line: line.or_else(|| json::number(test, "line_number")),
        message: text::bounded(&message),
    })
}

/// `An error occurred while loading ./spec/cart_spec.rb.`, the error, and frames as comments.
fn unloaded(message: &str) -> Option<Failure> {
    let message = text::plain(message);
    let (_, told) = message.split_once("An error occurred while loading ")?;
    let (first, rest) = told.split_once('\n').unwrap_or((told, ""));
    let file = first.split_once(".rb").map_or(first, |(file, _)| &first[..file.len() + 3]);
    let frames = rest.lines().filter_map(|line| text::before_colons(line.trim_start().strip_prefix("# ")?));
    let line = frames.filter(|placed| placed.file == file).map(|placed| placed.line).next();
    let said = rest.split_once("Failure/Error:").map_or(rest, |(_, said)| said);
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("# ")).take(64).collect();
    let message = text::bounded(said.join("\n").trim());
    Some(Failure { test_name: file.into(), file: Some(file.into()), line, message })
}

#[cfg(test)]
mod tests;
