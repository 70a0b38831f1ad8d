//! Maven, run as `mvn -B test` (`-fae` to see the failures of all modules); it prints to stdout. Tests are named
//! `shop.CartTest#adds`, as `-Dtest=` wants them; the cases of a parameterised test have one name, because Surefire can
//! run them only together. Files of failures are the package's folders and a name: frames know no more.

use bowline_code::Severity;

use super::java::Trace;
use super::text::{self, Lines, Placed};
use crate::{Counts, Failure, Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut reading = Reading::default();
    for line in output.lines() {
        reading.line(line);
    }
    reading.close();
    let Reading { mut report, reason, .. } = reading;
    if report.problems.is_empty() && report.failures.is_empty() {
        report.problems.extend(reason.map(|message| Problem {
            file: None,
            line: None,
            column: None,
            severity: Severity::Error,
            code: None,
            message: text::bounded(&message),
        }));
    }
    text::once(report)
}

#[derive(Default)]
struct Reading {
    report: Report,
    open: Open,
    /// Why the build failed, for where nothing else says it.
    reason: Option<String>,
}

#[derive(Default)]
enum Open {
    #[default]
    Nothing,
    Problem(Problem, Lines),
    Test {
        class: String,
        method: String,
        trace: Trace,
    },
}

impl Reading {
    fn line(&mut self, line: &str) {
        let Some((level, told)) = level(line) else { return self.more(line) };
        // The summary says the rest of a message with a level in front.
        if told.starts_with("  ") && matches!(self.open, Open::Problem(..)) {
            return self.more(told);
        }
        self.close();
        if let Some(counts) = totals(told) {
            self.count(counts);
        } else if let Some((class, method)) = failed_test(told) {
            self.open = Open::Test { class: class.into(), method: method.into(), trace: Trace::default() };
        } else if let Some(placed) = level.and(placed(told)) {
            let problem = Problem {
                file: Some(placed.path()),
                line: Some(placed.line),
                column: placed.column,
                severity: level.unwrap_or(Severity::Error),
                code: None,
                message: String::new(),
            };
            let mut lines = Lines::default();
            lines.push(placed.rest);
            self.open = Open::Problem(problem, lines);
            // What follows a complaint about a POM is another one.
            if placed.column.is_some() && in_pom(told).is_some() {
                self.close();
            }
        } else if told.starts_with("Failed to execute goal ") || told.contains("[FATAL]") {
            self.reason.get_or_insert_with(|| told.replace(" -> [Help 1]", ""));
        }
    }

    fn more(&mut self, line: &str) {
        match &mut self.open {
            Open::Problem(_, lines) => lines.push(line),
            Open::Test { trace, .. } if line.trim().is_empty() && trace.place().0.is_some() => self.close(),
            Open::Test { class, method, trace } => trace.push(line, class, method),
            Open::Nothing => {}
        }
    }

    fn close(&mut self) {
        match std::mem::take(&mut self.open) {
            Open::Nothing => {}
            Open::Problem(problem, lines) => {
                self.report.problems.push(Problem { message: lines.text(), ..problem });
            }
            Open::Test { class, method, trace } => {
                let (file, line) = trace.place();
                let test_name = if method.is_empty() { class } else { format!("{class}#{method}") };
                self.report.failures.push(Failure { test_name, file, line, message: trace.message() });
            }
        }
    }

    fn count(&mut self, more: Counts) {
        let counts = self.report.counts.get_or_insert_default();
        counts.passed = counts.passed.saturating_add(more.passed);
        counts.failed = counts.failed.saturating_add(more.failed);
        counts.skipped = counts.skipped.saturating_add(more.skipped);
    }
}

/// The severity in front of a line, where there is one, and what follows it.
fn level(line: &str) -> Option<(Option<Severity>, &str)> {
    let (level, told) = line.strip_prefix('[')?.split_once(']')?;
    let severity = match level {
        "ERROR" | "FATAL" => Some(Severity::Error),
        "WARNING" | "WARN" => Some(Severity::Warning),
        "INFO" | "DEBUG" => None,
        _ => return None,
    };
    Some((severity, told.strip_prefix(' ').unwrap_or(told)))
}

/// `A.java:[3,4] m` of javac, `A.kt: (3, 4) m` and `A.kt:[3,4] m` of Kotlin, `m @ pom.xml, line 3, column 4`.
fn placed(told: &str) -> Option<Placed<'_>> {
    let bracketed = told.match_indices(":[").find_map(|(at, _)| numbers(told, at, at + 2, ",", ']'));
    let in_parens = || told.match_indices(": (").find_map(|(at, _)| numbers(told, at, at + 3, ", ", ')'));
    bracketed.or_else(in_parens).filter(|placed| !placed.file.is_empty()).or_else(|| in_pom(told))
}

fn numbers<'a>(told: &'a str, end: usize, from: usize, comma: &str, closing: char) -> Option<Placed<'a>> {
    let (line, rest) = text::leading_number(&told[from..])?;
    let second = rest.strip_prefix(comma).and_then(text::leading_number);
    let (column, rest) = second.map_or((None, rest), |(column, rest)| (Some(column), rest));
    let rest = rest.strip_prefix(closing)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest).trim_start();
    Some(Placed { file: &told[..end], line, column, rest })
}

fn in_pom(told: &str) -> Option<Placed<'_>> {
    let (message, place) = told.trim_start().rsplit_once(" @ ")?;
    let (file, numbers) = place.split_once(", line ")?;
    let (line, rest) = text::leading_number(numbers)?;
    let column = rest.strip_prefix(", column ").and_then(text::leading_number);
    Some(Placed { file, line, column: column.map(|(column, _)| column), rest: message.trim_end() })
}

/// `shop.CartTest.adds -- Time elapsed: 0.1 s <<< FAILURE!`, and before Surefire 3 `adds(shop.CartTest)  Time elapsed…`.
fn failed_test(told: &str) -> Option<(&str, &str)> {
    let (name, rest) = told.split_once("Time elapsed: ")?;
    if !rest.contains("<<< FAILURE!") && !rest.contains("<<< ERROR!") || name.starts_with("Tests run:") {
        return None;
    }
    let name = name.trim_end().trim_end_matches("--").trim_end();
    if let Some((method, class)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('(')) {
        // Parameters of a method are no class.
        if !method.contains('.') && !method.is_empty() {
            return Some((class, method.split(['[', '(']).next().unwrap_or(method)));
        }
    }
    let bare = name.split(['(', '[', '{', ' ']).next().unwrap_or(name);
    let (class, method) = bare.rsplit_once('.').unwrap_or((bare, ""));
    // A class that failed as a whole: its name begins with a capital.
    let is_class = method.starts_with(|c: char| c.is_uppercase());
    Some(if is_class { (bare, "") } else { (class, method) })
}

/// `Tests run: 5, Failures: 2, Errors: 1, Skipped: 1`, of a module: those of a class have a time.
fn totals(told: &str) -> Option<Counts> {
    let mut numbers = told.trim_end().split(", ");
    let mut next = |word: &str| -> Option<usize> { numbers.next()?.strip_prefix(word)?.parse().ok() };
    let run = next("Tests run: ")?;
    let failed = next("Failures: ")?.saturating_add(next("Errors: ")?);
    let skipped = next("Skipped: ")?;
    let passed = run.saturating_sub(failed).saturating_sub(skipped);
    numbers.next().is_none().then_some(Counts { passed, failed, skipped })
}

#[cfg(test)]
mod tests;
