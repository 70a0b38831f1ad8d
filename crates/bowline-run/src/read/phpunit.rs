//! PHPUnit, run as `phpunit --colors=never`; it prints to stdout. Tests are named `Shop\Tests\CartTest::testAdds`, a case of
//! a data provider with its name and without its values, as `--filter` wants them (it is a regular expression: escape
//! them).

use super::text::{self, Lines};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut open: Option<Open> = None;
    let mut in_failures = false;
    for line in output.lines() {
        if let Some(counted) = section(line) {
            report.failures.extend(open.take().map(Open::close));
            in_failures = counted;
        } else if let Some(counts) = totals(line) {
            report.failures.extend(open.take().map(Open::close));
            report.counts = Some(counts);
        } else if let Some(name) = numbered(line).filter(|_| in_failures) {
            report.failures.extend(open.take().map(Open::close));
            open = Some(Open::new(name));
        } else if matches!(line, "--" | "FAILURES!" | "ERRORS!" | "WARNINGS!") {
            report.failures.extend(open.take().map(Open::close));
            in_failures = false;
        } else if let Some(open) = &mut open {
            open.push(line);
        }
    }
    report.failures.extend(open.map(Open::close));
    text::once(report)
}

/// `There were 2 errors:`: whether what follows are failures. Risky tests, warnings and deprecations are not.
fn section(line: &str) -> Option<bool> {
    let told = line.strip_prefix("There was ").or_else(|| line.strip_prefix("There were "))?;
    let (_, what) = text::leading_number(told)?;
    let what = what.trim_start().strip_suffix(':')?;
    Some(what.starts_with("error") || what.starts_with("failure"))
}

/// `1) Shop\Tests\CartTest::testDoubles with data set "three" (3, 7)`
fn numbered(line: &str) -> Option<&str> {
    let (_, rest) = text::leading_number(line)?;
    let name = rest.strip_prefix(") ")?;
    let is_test = name.contains("::") || !name.contains(' ');
    // The values of a case come after its name.
    let case = name.find(" with data set ").filter(|_| name.ends_with(')'));
    let end = case.and_then(|from| name[from..].find(" (").map(|at| from + at)).unwrap_or(name.len());
    is_test.then(|| &name[..end])
}

struct Open {
    name: String,
    message: Lines,
    frames: Vec<(String, u32)>,
}

/// Enough to find the test's own.
const MOST_FRAMES: usize = 100;

impl Open {
    fn new(name: &str) -> Self {
        Self { name: name.into(), message: Lines::default(), frames: Vec::new() }
    }

    fn push(&mut self, line: &str) {
        match frame(line) {
            Some(frame) if self.frames.len() < MOST_FRAMES => self.frames.push(frame),
            Some(_) => {}
            None if self.frames.is_empty() => self.message.push(line),
            None => {}
        }
    }

    /// The frame nearest to the throw that is in the class's file; else the outermost.
    fn close(self) -> Failure {
        let class = self.name.split("::").next().unwrap_or_default().rsplit('\\').next().unwrap_or_default();
        let file = format!("{class}.php");
        let own = self.frames.iter().find(|(path, _)| text::base_name(path) == file).or(self.frames.last());
        let (file, line) = own.map(|(file, line)| (file.into(), *line)).unzip();
        Failure { file, line, message: self.message.text(), test_name: self.name }
    }
}

/// `/home/me/tests/CartTest.php:17`, alone on its line.
fn frame(line: &str) -> Option<(String, u32)> {
    let (file, number) = line.rsplit_once(':')?;
    let (number, rest) = text::leading_number(number)?;
    let is_file = file.ends_with(".php") || file.ends_with(".phpt") || file.ends_with(".inc");
    (rest.is_empty() && is_file).then(|| (file.into(), number))
}

/// `Tests: 12, Assertions: 7, Errors: 2, Failures: 5, Skipped: 1.` and `OK (3 tests, 5 assertions)`
fn totals(line: &str) -> Option<Counts> {
    if let Some(all) = line.strip_prefix("OK (") {
        let (passed, _) = text::leading_number(all)?;
        return Some(Counts { passed: passed as usize, ..Counts::default() });
    }
    let numbers = line.strip_prefix("Tests: ")?.trim_end_matches('.');
    let (tests, _) = text::leading_number(numbers)?;
    let mut counts = Counts::default();
    for part in numbers.split(", ").skip(1).take(16) {
        let (word, number) = part.split_once(": ")?;
        let (number, _) = text::leading_number(number)?;
        let number = number as usize;
        match word {
            "Errors" | "Failures" => counts.failed = counts.failed.saturating_add(number),
            "Skipped" | "Incomplete" => counts.skipped = counts.skipped.saturating_add(number),
            _ => {}
        }
    }
    counts.passed = (tests as usize).saturating_sub(counts.failed).saturating_sub(counts.skipped);
    Some(counts)
}

#[cfg(test)]
mod tests;
