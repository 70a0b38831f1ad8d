//! `cargo build` and `cargo test` with `--message-format=json`: what rustc says as JSON, what the tests print as text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use bowline_code::Severity;
use serde::Deserialize;

use super::place::{about_nothing, number};
use crate::{Counts, Failure, Problem, Report};

#[derive(Deserialize)]
struct Line<'a> {
    reason: &'a str,
    #[serde(default)]
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    #[serde(default)]
    rendered: Option<String>,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    column_start: u32,
    is_primary: bool,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

/// What people see: the compiler's own picture, and what tests print.
pub(crate) fn view(line: &str) -> Option<Cow<'_, str>> {
    match serde_json::from_str::<Line<'_>>(line) {
        Ok(line) => line.message?.rendered.map(|text| text.trim_end().to_owned().into()),
        Err(_) => Some(line.into()),
    }
}

pub(crate) fn build(stdout: &str, stderr: &str) -> Report {
    let mut report = Report::default();
    // A library is compiled once for itself and once for its tests, and complains twice.
    let mut known = HashSet::new();
    for line in stdout.lines().filter(|line| line.starts_with('{')) {
        let parsed = serde_json::from_str::<Line<'_>>(line).ok();
        let parsed = parsed.filter(|line| line.reason == "compiler-message").and_then(|line| line.message);
        let Some(problem) = parsed.and_then(complaint) else { continue };
        if known.insert((problem.file.clone(), problem.line, problem.column, problem.message.clone())) {
            report.problems.push(problem);
        }
    }
    report.problems.extend(crashes(stderr));
    report
}

pub(crate) fn test(stdout: &str, stderr: &str) -> Report {
    let mut report = build(stdout, stderr);
    let text: Vec<&str> = stdout.lines().filter(|line| !line.starts_with("{\"reason\"")).collect();
    let mut counts = None;
    let mut at = 0;
    while let Some(line) = text.get(at) {
        at += 1;
        if let Some(more) = line.strip_prefix("test result: ").and_then(result) {
            let counts: &mut Counts = counts.get_or_insert_default();
            counts.passed += more.passed;
            counts.failed += more.failed;
            counts.skipped += more.skipped;
        }
        let Some(name) = heading(line) else { continue };
        let end = text[at..].iter().position(|line| heading(line).is_some() || *line == "failures:");
        let end = end.map_or(text.len(), |end| at + end);
        report.failures.push(failure(name, &text[at..end]));
        at = end;
    }
    // What does not compile does not run.
    let uncompiled = report.problems.iter().any(|one| one.severity == Severity::Error && one.file.is_some());
    report.counts = counts.or_else(|| uncompiled.then(Counts::default));
    report
}

/// `---- tests::adds stdout ----`
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

fn complaint(diagnostic: Diagnostic) -> Option<Problem> {
    let severity = match diagnostic.level.as_str() {
        "warning" => Severity::Warning,
        level if level.starts_with("error") => Severity::Error,
        _ => return None,
    };
    let sum = diagnostic.message.starts_with("aborting due to ") || diagnostic.message.ends_with(" emitted");
    if diagnostic.spans.is_empty() && sum {
        return None;
    }
    let code = diagnostic.code.map(|code| code.code);
    let primary = diagnostic.spans.into_iter().find(|span| span.is_primary);
    let label = primary.as_ref().and_then(|span| span.label.clone()).filter(|label| !label.is_empty());
    // What a macro of somebody else's expands to is complained about where it is used.
    let mut place = primary;
    while let Some(span) = place.take_if(|span| is_foreign(&span.file_name) && span.expansion.is_some()) {
        place = span.expansion.map(|expansion| expansion.span);
    }
    let message = match label {
        Some(label) => format!("{}: {label}", diagnostic.message),
        None => diagnostic.message,
    };
    Some(Problem {
        file: place.as_ref().map(|span| PathBuf::from(&span.file_name)),
        line: place.as_ref().map(|span| span.line_start),
        column: place.as_ref().map(|span| span.column_start),
        severity,
        code,
        message,
    })
}

fn is_foreign(file: &str) -> bool {
    file.starts_with(['<', '/'])
}

/// Tests that end with their whole process are in no list of failures.
fn crashes(stderr: &str) -> impl Iterator<Item = Problem> {
    let lines =
        stderr.lines().map(str::trim).filter(|line| line.starts_with("process didn't exit successfully: "));
    lines.filter(|line| line.contains("(signal: ")).map(about_nothing)
}

/// `FAILED. 1 passed; 3 failed; 1 ignored; 0 measured; …`
fn result(text: &str) -> Option<Counts> {
    let (_, numbers) = text.split_once(". ")?;
    let mut counts = Counts::default();
    for part in numbers.split(';') {
        let Some((count, word)) = number(part.trim()) else { continue };
        match word.trim() {
            "passed" => counts.passed = count as usize,
            "failed" => counts.failed = count as usize,
            "ignored" => counts.skipped = count as usize,
            _ => {}
        }
    }
    Some(counts)
}

fn failure(name: &str, said: &[&str]) -> Failure {
    let mut place = None;
    let mut message: Vec<&str> = Vec::new();
    let mut quoted = String::new();
    for line in said {
        if *line == "stack backtrace:" || line.starts_with("note: run with `RUST_BACKTRACE") {
            break;
        }
        let panicked = line.strip_prefix("thread '").and_then(|line| line.split_once(" panicked at "));
        if let Some((_, at)) = panicked {
            // What was printed before it belongs to the log.
            message.clear();
            // Before 1.73: `panicked at 'message', src/lib.rs:1:2`.
            let at = match at.rsplit_once("', ") {
                Some((text, at)) => {
                    quoted = text.trim_start_matches('\'').to_owned();
                    at
                }
                None => at,
            };
            place = file_and_line(at);
        } else {
            message.push(line);
        }
        if let Some(at) = line.strip_prefix("note: test did not panic as expected at ") {
            place = file_and_line(at);
        }
    }
    let text = message.join("\n");
    let text = text.trim().to_owned();
    let message = if quoted.is_empty() { text } else { quoted };
    let (file, line) = place.unzip();
    Failure { test_name: name.to_owned(), file, line, message }
}

/// `src/lib.rs:1:2`, with or without a colon at its end.
fn file_and_line(text: &str) -> Option<(PathBuf, u32)> {
    let mut parts = text.trim_end_matches(':').rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((file.into(), line.parse().ok()?))
}

#[cfg(test)]
mod tests;
