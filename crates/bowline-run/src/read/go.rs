//! `go build` and `go test -json`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bowline_code::Severity;
use serde::Deserialize;

use crate::{Counts, Failure, Problem, Report};

/// So much of what a failing test said is its message.
const MOST_MESSAGE: usize = 4000;
/// No file system knows a longer name.
const LONGEST_NAME: usize = 255;

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
///
/// A test with parts is its parts: it is counted and listed itself only where it fails in words of its own.
pub(crate) fn test(stdout: &str, stderr: &str, dir_of: impl Fn(&str) -> Option<PathBuf>) -> Report {
    let mut report = Report::default();
    let mut counts = Counts::default();
    let mut said: HashMap<(String, String), String> = HashMap::new();
    let mut compiled = String::new();
    let mut passed: Vec<(String, String)> = Vec::new();
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
            "pass" if !key.1.is_empty() => passed.push(key),
            "skip" if !key.1.is_empty() => counts.skipped += 1,
            "fail" => failed.push(key),
            _ => {}
        }
    }
    complaints(stderr.lines().chain(compiled.lines()), &mut report);
    // A test fails with its parts, and a package with its tests.
    let mut parents: HashSet<(&str, &str)> = HashSet::new();
    for (package, test) in passed.iter().chain(&failed).filter(|(_, test)| !test.is_empty()) {
        parents.extend(test.match_indices('/').map(|(at, _)| (package.as_str(), &test[..at])));
    }
    parents.extend(
        failed.iter().filter(|(_, test)| !test.is_empty()).map(|(package, _)| (package.as_str(), "")),
    );
    let has_parts = |package: &str, test: &str| parents.contains(&(package, test));
    counts.passed = passed.iter().filter(|(package, test)| !has_parts(package, test)).count();
    for (package, test) in &failed {
        let text = said.remove(&(package.clone(), test.clone())).unwrap_or_default();
        let own = own_words(&text);
        let has_parts = has_parts(package, test);
        // It is listed itself only if it has something to say that its parts have not.
        let silent = if test.is_empty() {
            has_parts || own.is_empty() || text.contains(" failed]")
        } else {
            has_parts && own.is_empty()
        };
        if silent {
            continue;
        }
        counts.failed += usize::from(!test.is_empty());
        report.failures.push(failure(package, test, &own, &dir_of));
    }
    report.counts = Some(counts);
    report
}

fn failure(package: &str, test: &str, own: &str, dir_of: &impl Fn(&str) -> Option<PathBuf>) -> Failure {
    let dir = dir_of(package);
    // What ended the test by force beats whatever it said before.
    let (place, message) = match panicked(own) {
        Some(panic) => {
            let message = panic.split("\ngoroutine ").next().unwrap_or(panic);
            (stacked(panic, dir.as_deref()), message.trim_end().to_owned())
        }
        None => match reported(own) {
            Some((file, line, message)) => (Some((file, line)), message),
            None => (None, own.to_owned()),
        },
    };
    let (file, line) = place.unzip();
    let file = file.map(|file| match &dir {
        Some(dir) => dir.join(file),
        None => PathBuf::from(file),
    });
    let test_name = if test.is_empty() { package.to_owned() } else { test.to_owned() };
    Failure { test_name, file, line, message }
}

/// From the panic on, where stacks of goroutines follow it.
fn panicked(own: &str) -> Option<&str> {
    let stacks = own.rfind("\ngoroutine ")?;
    let begins = |line: &str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let mut at = 0;
    for line in own[..stacks].split_inclusive('\n') {
        if begins(line) {
            return Some(&own[at..]);
        }
        at += line.len();
    }
    None
}

/// The nearest line of a stack that is in a test of this package: `\t/src/m/a_test.go:7 +0x9f`.
fn stacked<'a>(panic: &'a str, dir: Option<&Path>) -> Option<(&'a str, u32)> {
    let frame = |line: &'a str| {
        let (file, number, _) = place(line.strip_prefix('\t')?)?;
        let ours = dir.is_none_or(|dir| Path::new(file).starts_with(dir));
        (file.ends_with("_test.go") && ours).then_some((file, number))
    };
    panic.lines().find_map(frame)
}

/// What the test reported, from the first `    a_test.go:7: not so` on. What it printed before is in the log, also where
/// that is on the same line.
fn reported(own: &str) -> Option<(&str, u32, String)> {
    let mut lines = own.lines();
    let (file, line, first) = lines.find_map(|line| {
        line.match_indices(".go:").find_map(|(end, _)| {
            // A name is one word, after the four spaces that the testing package writes.
            let word = line[..end].bytes().rev().take(LONGEST_NAME);
            let from = end - word.take_while(|byte| !b" \t/".contains(byte)).count();
            let (file, number, rest) =
                line.get(from..).filter(|_| line.as_bytes()[..from].ends_with(b"    ")).and_then(place)?;
            Some((file, number, rest.strip_prefix(": ")?))
        })
    })?;
    let others = lines.map(|line| line.strip_prefix("        ").unwrap_or(line));
    Some((file, line, std::iter::once(first).chain(others).collect::<Vec<_>>().join("\n")))
}

/// The file, the line and what follows: `a_test.go:7: not so`.
fn place(text: &str) -> Option<(&str, u32, &str)> {
    let end = text.find(".go:")? + ".go".len();
    let (file, rest) = (&text[..end], &text[end + 1..]);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((file, rest[..digits].parse().ok()?, &rest[digits..]))
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
