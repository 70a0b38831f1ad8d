//! Mocha, run as `mocha --reporter json`: the document goes to stdout, or to the file of
//! `--reporter-option output=FILE`; a file that cannot be loaded is told on stderr. Names are full ones, as `--grep` and
//! `--fgrep` want them.

use serde_json::Value;

use super::{json, stack, text};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let wanted =
        |value: &Value| value.get("stats").is_some_and(Value::is_object) && value.get("failures").is_some();
    let Some(document) = json::document(&output, wanted) else {
        return Report { failures: unloaded(&output).into_iter().collect(), ..Report::default() };
    };
    let failures = json::list(&document, "failures").iter().filter_map(failure).collect();
    let stats = document.get("stats").unwrap_or(&Value::Null);
    let counts = Counts {
        passed: json::count(stats, "passes"),
        failed: json::count(stats, "failures"),
        skipped: json::count(stats, "pending"),
    };
    Report { failures, counts: Some(counts), ..Report::default() }
}

fn failure(test: &Value) -> Option<Failure> {
    let error = test.get("err").unwrap_or(&Value::Null);
    let file = json::text(test, "file").or_else(|| json::text(error, "file"));
    let trace = text::plain(json::text(error, "stack").unwrap_or_default());
    let (above, frames) = stack::split(&trace);
    let message = json::text(error, "message").filter(|message| !message.is_empty()).unwrap_or(above);
    Some(Failure {
        test_name: name(json::text(test, "fullTitle")?, json::text(test, "title")?),
        file: file.map(Into::into),
        line: file.and_then(|file| stack::line_in(frames, file)),
        message: text::bounded(&text::plain(message)),
    })
}

/// A hook's failure is called `"before each" hook for "first"`: what can be run alone is the test.
fn name(full: &str, title: &str) -> String {
    let test = title.split_once(" hook for \"").and_then(|(_, rest)| rest.strip_suffix('"'));
    match (test, full.strip_suffix(title)) {
        (Some(test), Some(above)) => format!("{above}{test}"),
        _ => full.into(),
    }
}

/// `Exception during run: FILE:3`, then the code, and the error.
fn unloaded(output: &str) -> Option<Failure> {
    let (_, said) = output.split_once("Exception during run: ")?;
    let (message, frames) = stack::split(said);
    let (file, line) = match message.lines().next()?.rsplit_once(':') {
        Some((file, line)) if text::leading_number(line).is_some_and(|(_, rest)| rest.is_empty()) => {
            (text::file_of(file).into_owned(), text::leading_number(line).map(|(line, _)| line))
        }
        _ => (text::file_of(path_in(frames)?).into_owned(), None),
    };
    Some(Failure { test_name: file.clone(), file: Some(file.into()), line, message: text::bounded(message) })
}

/// The first file of the frames that is neither Node's own nor a package's.
fn path_in(frames: &str) -> Option<&str> {
    frames.lines().take(50).find_map(|line| {
        let place = line.trim().strip_prefix("at ")?.trim_end_matches(')').rsplitn(3, ':').nth(2)?;
        let file = place.split_once(" (").map_or(place, |(_, file)| file);
        (!file.starts_with("node:") && !file.contains("node_modules")).then_some(file)
    })
}

#[cfg(test)]
mod tests;
