//! PHPStan, run as `phpstan analyse --error-format=json --no-progress`; it prints one document to stdout.

use bowline_code::Severity;
use serde_json::Value;

use super::{json, text};
use crate::{Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let wanted =
        |value: &Value| value.get("totals").is_some_and(Value::is_object) && value.get("files").is_some();
    let Some(document) = json::document(&output, wanted) else { return Report::default() };
    // Without problems the files are an empty array.
    let files = document.get("files").and_then(Value::as_object);
    let of_files = files.into_iter().flatten().flat_map(|(path, file)| {
        // A trait's file has the class that uses it behind it.
        let path = path.split(" (in context of ").next().unwrap_or(path);
        json::list(file, "messages").iter().filter_map(move |message| {
            let code = json::text(message, "identifier").map(Into::into);
            let line = json::number(message, "line");
            Some(problem(Some(path), line, code, json::text(message, "message")?))
        })
    });
    let general = json::list(&document, "errors").iter().filter_map(Value::as_str);
    let problems = of_files.chain(general.map(|message| problem(None, None, None, message))).collect();
    Report { problems, ..Report::default() }
}

fn problem(file: Option<&str>, line: Option<u32>, code: Option<String>, message: &str) -> Problem {
    let message = text::bounded(message);
    Problem { file: file.map(Into::into), line, column: None, severity: Severity::Error, code, message }
}

#[cfg(test)]
mod tests;
