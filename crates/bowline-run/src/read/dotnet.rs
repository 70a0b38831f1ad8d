//! .NET, run as `dotnet build` or `dotnet test` with `--nologo`, its output not a terminal's; it prints to stdout.
//! Compilers, MSBuild and both test platforms (VSTest, and Microsoft's own) are read; xUnit, NUnit and MSTest print through
//! them. Tests are named without their arguments, as `--filter FullyQualifiedName=` wants them: the cases of one have one
//! name.

use bowline_code::Severity;

use super::text::{self, Lines, Placed};
use crate::{Counts, Failure, Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut open: Option<Open> = None;
    let mut summary = Summary::default();
    for line in output.lines() {
        if let Some(name) = failed_test(line) {
            report.failures.extend(open.take().map(Open::close));
            open = Some(Open::new(name));
        } else if let Some(problem) = problem(line) {
            report.failures.extend(open.take().map(Open::close));
            report.problems.push(problem);
        } else if ends(line) || summary.read(line) {
            report.failures.extend(open.take().map(Open::close));
        } else if let Some(open) = &mut open {
            open.push(line);
        }
    }
    report.failures.extend(open.map(Open::close));
    report.counts = summary.counts;
    text::once(report)
}

/// `A.cs(3,4): error CS1: m [A.csproj]`, `CSC : error CS1: m [A.csproj]`, `MSBUILD : error MSB1: m`.
fn problem(line: &str) -> Option<Problem> {
    let line = line.trim_start();
    let placed = text::before_parens(line).filter(|placed| complaint(placed.rest).is_some());
    let (file, told) = match &placed {
        Some(placed) => (Some(placed.file), placed.rest),
        None => line.split_once(" : ").map(|(who, told)| (Some(who), told))?,
    };
    let (severity, code, message) = complaint(told)?;
    // Who complains is no file where it has neither a folder nor an ending.
    let file = file.filter(|file| placed.is_some() || file.contains(['/', '\\', '.']));
    let message = message
        .rsplit_once(" [")
        .filter(|(_, project)| project.ends_with("proj]"))
        .map_or(message, |(m, _)| m);
    Some(Problem {
        file: file.map(Into::into),
        line: placed.as_ref().map(|placed| placed.line).filter(|line| *line > 0),
        column: placed.as_ref().and_then(|placed: &Placed<'_>| placed.column),
        severity,
        code: Some(code.into()).filter(|code: &String| !code.is_empty()),
        message: text::bounded(message.trim_end()),
    })
}

/// `error CS1: m`; the code may be missing.
fn complaint(told: &str) -> Option<(Severity, &str, &str)> {
    let error = told.strip_prefix("error").map(|rest| (Severity::Error, rest));
    let (severity, rest) =
        error.or_else(|| told.strip_prefix("warning").map(|rest| (Severity::Warning, rest)))?;
    let (code, message) = rest.split_once(':')?;
    let code = code.trim();
    let is_code = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    (is_code && rest.starts_with([' ', ':'])).then_some((severity, code, message.trim_start()))
}

/// `  Failed Shop.Tests.CartTests.Adds [12 ms]` and `failed Shop.Tests.CartTests.Adds (12ms)`.
fn failed_test(line: &str) -> Option<&str> {
    let told = line.trim_start();
    if let Some(name) = told.strip_prefix("Failed ") {
        let (name, time) = name.trim_end().strip_suffix(']')?.rsplit_once(" [")?;
        return is_time(time).then(|| name.trim());
    }
    let (name, time) = told.strip_prefix("failed ")?.trim_end().strip_suffix(')')?.rsplit_once(" (")?;
    (line.starts_with("failed ") && is_time(time)).then_some(name)
}

/// `12 ms`, `< 1 ms`, `1 s`, `1m 2s`, `12ms`
fn is_time(text: &str) -> bool {
    text.ends_with(['s', 'm', 'h']) && text.bytes().all(|byte| b"0123456789., <mshd".contains(&byte))
}

/// What ends a test's lines beside the next one.
fn ends(line: &str) -> bool {
    let told = line.trim_start();
    ["Passed ", "Skipped ", "passed ", "skipped "].iter().any(|word| told.starts_with(word))
        && told.trim_end().ends_with([']', ')'])
}

#[derive(PartialEq)]
enum Part {
    Message,
    Stack,
    Printed,
}

struct Open {
    name: String,
    part: Part,
    message: Lines,
    /// The frame of the test itself, its method's whole name with it.
    place: Option<(String, String, u32)>,
    /// The last frame that has a file, for tests whose name no frame has.
    outermost: Option<(String, u32)>,
}

impl Open {
    fn new(name: &str) -> Self {
        let bare = name.split('(').next().unwrap_or(name).trim();
        let name = bare.into();
        Self { name, part: Part::Message, message: Lines::default(), place: None, outermost: None }
    }

    fn push(&mut self, line: &str) {
        let told = line.trim();
        match told {
            "Error Message:" => self.part = Part::Message,
            "Stack Trace:" => self.part = Part::Stack,
            "Standard Output Messages:" | "Standard Error Messages:" | "Attachments:" | "Standard output" => {
                self.part = Part::Printed;
            }
            _ if told.starts_with("at ") && (self.part == Part::Stack || told.contains(") in ")) => {
                self.frame(told);
            }
            _ if told.starts_with("from ") && told.contains(".dll") => {}
            _ if told.starts_with("[xUnit.net ") => {}
            _ if self.part == Part::Message => self.message.push(told),
            _ => {}
        }
    }

    /// `at Shop.Tests.CartTests.Adds() in /home/me/CartTests.cs:line 11`; the newer platform leaves out the word.
    fn frame(&mut self, told: &str) {
        self.part = Part::Stack;
        let Some((method, place)) = told[3..].split_once(" in ") else { return };
        let Some((file, line)) = place.rsplit_once(":line ").or_else(|| place.rsplit_once(':')) else {
            return;
        };
        let Some((line, _)) = text::leading_number(line) else { return };
        let method = method.split('(').next().unwrap_or(method);
        let last = self.name.rsplit('.').next().unwrap_or(&self.name);
        if self.place.is_none() && (method == self.name || method.rsplit('.').next() == Some(last)) {
            self.place = Some((method.into(), file.into(), line));
        }
        self.outermost = Some((file.into(), line));
    }

    fn close(self) -> Failure {
        let message = self.message.text();
        let (test_name, file, line) = match self.place {
            // NUnit and MSTest print the method's name alone.
            Some((whole, file, line)) if !self.name.contains('.') => (whole, Some(file), Some(line)),
            Some((_, file, line)) => (self.name, Some(file), Some(line)),
            None => {
                let (file, line) = self.outermost.unzip();
                (self.name, file, line)
            }
        };
        Failure { test_name, file: file.map(Into::into), line, message }
    }
}

#[derive(Default)]
struct Summary {
    counts: Option<Counts>,
    /// Within the lines of one summary, one number a line.
    is_open: bool,
}

impl Summary {
    /// `Failed!  - Failed:     3, Passed:     2, Skipped:     1, Total:     6, …`, or a line for each.
    fn read(&mut self, line: &str) -> bool {
        let told = line.trim_start();
        if let Some((word, numbers)) = told.split_once("!  - ")
            && matches!(word, "Failed" | "Passed" | "Skipped")
        {
            numbers.split(',').for_each(|part| self.number(part));
            return true;
        }
        if told.starts_with("Total tests:") || told.starts_with("Test run summary:") {
            self.is_open = true;
            return true;
        }
        self.is_open &=
            told.split_once(':').is_some_and(|(_, number)| number.trim().parse::<usize>().is_ok());
        if self.is_open {
            self.number(told);
        }
        self.is_open
    }

    fn number(&mut self, part: &str) {
        let Some((word, number)) = part.trim().split_once(':') else { return };
        let Ok(number) = number.trim().parse::<usize>() else { return };
        let mut counts = self.counts.unwrap_or_default();
        let to = match word {
            "Failed" | "failed" => &mut counts.failed,
            "Passed" | "succeeded" => &mut counts.passed,
            "Skipped" | "skipped" => &mut counts.skipped,
            _ => return,
        };
        // Each project has its own.
        *to = to.saturating_add(number);
        self.counts = Some(counts);
    }
}

#[cfg(test)]
mod tests;
