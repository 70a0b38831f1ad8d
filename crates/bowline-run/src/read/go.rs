//! `go build` and `go test -json`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use bowline_code::Severity;
use serde::Deserialize;

use crate::{Counts, Failure, Problem, Report};

/// So much of what a failing test said is its message.
const MOST_MESSAGE: usize = 4000;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    action: &'a str,
    #[serde(default, borrow)]
    package: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    test: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    output: Option<Cow<'a, str>>,
}

/// What people see of an event: what the test printed.
pub(crate) fn view(line: &str) -> Option<Cow<'_, str>> {
    match serde_json::from_str::<Event<'_>>(line) {
        Ok(event) => event.output,
        Err(_) => Some(line.into()),
    }
}

/// What the compiler, or `go` itself, complains about.
pub(crate) fn build(printed: &str) -> Report {
    let mut report = Report::default();
    complaints(printed.lines(), &mut report);
    report
}

/// The events of `go test -json`, and what `go` itself says beside them. `dir_of` knows the folder of a package.
pub(crate) fn test(stdout: &str, stderr: &str, dir_of: impl Fn(&str) -> Option<PathBuf>) -> Report {
    let mut report = Report::default();
    let mut counts = Counts::default();
    let mut said: HashMap<(String, String), String> = HashMap::new();
    let mut compiled = String::new();
    // What a test that failed said of its own, and by which of its parts it failed.
    let mut failed: Vec<(String, String)> = Vec::new();
    for line in stdout.lines() {
        let Ok(event) = serde_json::from_str::<Event<'_>>(line) else {
            compiled.push_str(line);
            compiled.push('\n');
            continue;
        };
        let key =
            (event.package.unwrap_or_default().into_owned(), event.test.unwrap_or_default().into_owned());
        match event.action {
            "build-output" => compiled.push_str(&event.output.unwrap_or_default()),
            "output" => {
                let said = said.entry(key).or_default();
                if said.len() < MOST_MESSAGE {
                    said.push_str(&event.output.unwrap_or_default());
                }
            }
            "pass" if !key.1.is_empty() => counts.passed += 1,
            "skip" if !key.1.is_empty() => counts.skipped += 1,
            "fail" => {
                counts.failed += usize::from(!key.1.is_empty());
                failed.push(key);
            }
            _ => {}
        }
    }
    complaints(stderr.lines().chain(compiled.lines()), &mut report);
    // A test fails with its parts, and a package with its tests.
    let mut parents: HashSet<(&str, &str)> = HashSet::new();
    for (package, test) in failed.iter().filter(|(_, test)| !test.is_empty()) {
        parents.insert((package, ""));
        parents.extend(test.match_indices('/').map(|(at, _)| (package.as_str(), &test[..at])));
    }
    for (package, test) in &failed {
        let text = said.remove(&(package.clone(), test.clone())).unwrap_or_default();
        let own = own_words(&text);
        let has_parts = parents.contains(&(package.as_str(), test.as_str()));
        // It is listed itself only if it has something to say that its parts have not.
        let silent = if test.is_empty() {
            has_parts || own.is_empty() || text.contains(" failed]")
        } else {
            has_parts && own.is_empty()
        };
        if silent {
            continue;
        }
        report.failures.push(failure(package, test, &own, &dir_of));
    }
    report.counts = Some(counts);
    report
}

fn failure(package: &str, test: &str, own: &str, dir_of: &impl Fn(&str) -> Option<PathBuf>) -> Failure {
    let dir = dir_of(package);
    // `t.Error` says a bare file name; a panic has a stack, whose first line in a test is the nearest.
    let logged = own.lines().find_map(|line| place(line).filter(|(file, ..)| !file.contains('/')));
    let stacked = || {
        let ours = |file: &str| dir.as_ref().is_none_or(|dir| PathBuf::from(file).starts_with(dir));
        let mut lines =
            own.lines().filter_map(place).filter(|(file, ..)| file.starts_with('/') && ours(file));
        lines.find(|(file, ..)| file.ends_with("_test.go"))
    };
    let found = logged.or_else(stacked);
    let message = match (&found, own.lines().next()) {
        (Some((file, _, rest)), Some(first)) if place(first).is_some_and(|(first, ..)| first == *file) => {
            let first = rest.strip_prefix(": ").unwrap_or(rest);
            let others: Vec<&str> =
                own.lines().skip(1).map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
            std::iter::once(first).chain(others).collect::<Vec<_>>().join("\n")
        }
        // Where it was is said by `file` and `line`; the rest of the stack is in the log.
        _ => own.split("\ngoroutine ").next().unwrap_or(own).trim_end().to_owned(),
    };
    let file = found.as_ref().map(|(file, ..)| match &dir {
        Some(dir) => dir.join(file),
        None => PathBuf::from(file),
    });
    let test_name = if test.is_empty() { package.to_owned() } else { test.to_owned() };
    Failure { test_name, file, line: found.map(|(_, line, _)| line), message }
}

/// The file, the line and what follows: `    a_test.go:7: not so`.
fn place(line: &str) -> Option<(String, u32, &str)> {
    let (file, rest) = line.trim_start().split_once(".go:")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((format!("{file}.go"), rest[..digits].parse().ok()?, &rest[digits..]))
}

/// Without the lines that only say that a test runs, and how it ended.
fn own_words(text: &str) -> String {
    let frame = |line: &str| {
        let line = line.trim_start();
        let words =
            ["=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "--- FAIL: ", "--- PASS: ", "--- SKIP: "];
        words.iter().any(|word| line.starts_with(word))
            || line == "FAIL"
            || line.starts_with("FAIL\t")
            || line.starts_with("exit status ")
    };
    let lines: Vec<&str> = text.lines().filter(|line| !frame(line)).collect();
    lines.join("\n").trim_end().to_owned()
}

/// `# package` is whose complaints follow, `file.go:1:2: message` is one, and what is indented goes on with it.
fn complaints<'a>(lines: impl Iterator<Item = &'a str>, report: &mut Report) {
    for line in lines {
        if let (true, Some(last)) = (line.starts_with('\t'), report.problems.last_mut()) {
            last.message.push('\n');
            last.message.push_str(line.trim_start());
        } else if let Some(problem) = complaint(line) {
            report.problems.push(problem);
        }
    }
}

fn complaint(line: &str) -> Option<Problem> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let end = [".go:", "go.mod:", "go.work:"].iter().find_map(|end| Some(line.find(end)? + end.len() - 1))?;
    let (file, rest) = (&line[..end], &line[end + 1..]);
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = rest.split_at(digits(rest));
    let line = number.parse().ok()?;
    let (column, rest) = match rest.strip_prefix(':').map(|rest| rest.split_at(digits(rest))) {
        Some((number, rest)) if !number.is_empty() => (number.parse().ok(), rest),
        _ => (None, rest),
    };
    Some(Problem {
        file: Some(file.into()),
        line: Some(line),
        column,
        severity: Severity::Error,
        code: None,
        message: rest.strip_prefix(": ")?.to_owned(),
    })
}

#[cfg(test)]
mod tests;
