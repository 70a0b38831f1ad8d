//! ESLint, run as `eslint --format json .`; it prints one array to stdout.

use bowline_code::Severity;
use serde_json::Value;

use super::{json, text};
use crate::{Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let files = json::document(&output, |value| {
        value.as_array().is_some_and(|files| files.iter().all(|file| file.get("filePath").is_some()))
    });
    let files = files.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let problems = files.iter().flat_map(|file| {
        let path = json::text(file, "filePath");
        json::list(file, "messages").iter().filter_map(move |message| problem(path?, message))
    });
    Report { problems: problems.collect(), ..Report::default() }
}

fn problem(path: &str, message: &Value) -> Option<Problem> {
    Some(Problem {
        file: Some(path.into()),
        line: json::number(message, "line"),
        column: json::number(message, "column"),
        severity: if json::number(message, "severity") == Some(1) {
            Severity::Warning
        } else {
            Severity::Error
        },
        code: json::text(message, "ruleId").map(Into::into),
        message: text::bounded(json::text(message, "message")?),
    })
}

#[cfg(test)]
mod tests;
