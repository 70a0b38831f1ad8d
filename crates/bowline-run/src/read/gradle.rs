//! Gradle, run as `gradle --console=plain --continue test` (or `build`); it prints to stdout, and compilers to stderr. The
//! messages of failed tests are printed only where `testLogging.exceptionFormat` is `full` (an init script can say so);
//! otherwise they are in the files of `build/test-results`, which `junit_xml` reads. Tests are named `shop.CartTest.adds`,
//! as `--tests` wants them; files of failures are the package's folders and a name, as far as the frames know.

use std::path::{Path, PathBuf};

use bowline_code::Severity;

use super::java::Trace;
use super::text::{self, Lines};
use super::{javac, kotlin};
use crate::{Counts, Failure, Problem, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = javac::read(&output);
    // Gradle 4 prints a compiler's first line behind the task's name: `:app:compileJava/home/me/A.java`.
    for problem in &mut report.problems {
        problem.file = problem.file.take().map(|file| without_task(&file));
    }
    report.problems.retain(|problem| !problem.file.as_deref().is_some_and(is_kotlin));
    report
        .problems
        .extend(output.lines().filter_map(kotlin::problem).filter(|problem| problem.file.is_some()));
    let mut open: Option<Open> = None;
    for line in output.lines() {
        if let Some(name) = line.strip_suffix(" FAILED").filter(|name| name.contains(" > ")) {
            report.failures.extend(open.take().map(Open::close));
            open = Some(Open::new(name));
        } else if let Some(more) = totals(line) {
            let counts = report.counts.get_or_insert_default();
            counts.passed = counts.passed.saturating_add(more.passed);
            counts.failed = counts.failed.saturating_add(more.failed);
            counts.skipped = counts.skipped.saturating_add(more.skipped);
        } else if line.starts_with("    ") || line.trim().is_empty() {
            if let Some(open) = &mut open {
                open.push(line);
            }
        } else {
            report.failures.extend(open.take().map(Open::close));
        }
    }
    report.failures.extend(open.map(Open::close));
    if report.problems.is_empty() && report.failures.is_empty() {
        report.problems.extend(what_went_wrong(&output));
    }
    text::once(report)
}

struct Open {
    class: String,
    method: String,
    trace: Trace,
    /// `Exception at CartTest.java:3`, the short form.
    short: Option<(PathBuf, u32)>,
}

impl Open {
    /// `shop.CartTest > OfText > reads() > case 2`: a class is capitalised, and what follows its method is a case of it.
    fn new(name: &str) -> Self {
        let mut parts = name.split(" > ").map(str::trim);
        let mut class = parts.next().unwrap_or_default().to_owned();
        let mut method = String::new();
        for part in parts {
            let is_class = part.starts_with(|c: char| c.is_uppercase())
                && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
            if !is_class {
                part.split(['(', '[']).next().unwrap_or(part).trim().clone_into(&mut method);
                break;
            }
            class.push('$');
            class.push_str(part);
        }
        Self { class, method, trace: Trace::default(), short: None }
    }

    fn push(&mut self, line: &str) {
        let line = line.trim_start_matches(' ');
        if let Some((what, place)) = line.rsplit_once(" at ")
            && let Some((file, number)) = place.rsplit_once(':')
            && let Some((number, "")) = text::leading_number(number)
            && !what.contains(' ')
            && self.short.is_none()
        {
            self.short = Some((self.folder().join(file), number));
            self.trace.push(what, &self.class, &self.method);
        } else {
            self.trace.push(line, &self.class, &self.method);
        }
    }

    fn folder(&self) -> PathBuf {
        let package = self.class.rsplit_once('.').map_or("", |(package, _)| package);
        package.replace('.', "/").into()
    }

    fn close(self) -> Failure {
        let (mut file, mut line) = self.trace.place();
        if file.is_none() {
            (file, line) = self.short.unzip();
        }
        let Self { class, method, trace, .. } = self;
        let test_name = if method.is_empty() { class } else { format!("{class}.{method}") };
        Failure { test_name, file, line, message: trace.message() }
    }
}

/// `5 tests completed, 3 failed, 1 skipped`, of one task.
fn totals(line: &str) -> Option<Counts> {
    let mut parts = line.trim().split(", ");
    let first = parts.next()?;
    let run: usize =
        first.strip_suffix(" tests completed").or(first.strip_suffix(" test completed"))?.parse().ok()?;
    let mut counts = Counts::default();
    for part in parts {
        let (number, word) = part.split_once(' ')?;
        match word {
            "failed" => counts.failed = number.parse().ok()?,
            "skipped" => counts.skipped = number.parse().ok()?,
            _ => return None,
        }
    }
    counts.passed = run.saturating_sub(counts.failed).saturating_sub(counts.skipped);
    Some(counts)
}

/// Of a build that did not come to compilers: `* Where:` and `* What went wrong:`, each with its lines below.
fn what_went_wrong(output: &str) -> Option<Problem> {
    let (before, after) = output.split_once("* What went wrong:")?;
    let mut lines = Lines::default();
    after.trim_start().lines().take_while(|line| !line.starts_with("* ")).for_each(|line| lines.push(line));
    let place = before.rsplit_once("* Where:").map(|(_, place)| place.trim());
    let place =
        place.and_then(|place| place.lines().next()?.split_once(" file '")?.1.rsplit_once("' line: "));
    let (file, line) = place.unzip();
    Some(Problem {
        file: file.map(Into::into),
        line: line.and_then(text::leading_number).map(|(line, _)| line),
        column: None,
        severity: Severity::Error,
        code: None,
        message: lines.text(),
    })
}

fn without_task(file: &Path) -> PathBuf {
    let shown = file.to_string_lossy();
    match shown.strip_prefix(':').and_then(|_| shown.find('/')) {
        Some(at) => shown[at..].into(),
        None => file.to_owned(),
    }
}

fn is_kotlin(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "kt" || extension == "kts")
}

#[cfg(test)]
mod tests;
