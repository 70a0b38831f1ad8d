//! Minitest, run as `ruby -Itest FILE`, `rake test` or `rails test`; it prints to stdout. Tests are named
//! `CartTest#test_adds`, as `--name` wants them.

use super::text::{self, Lines};
use crate::{Counts, Failure, Report};

pub(crate) fn read(output: &str) -> Report {
    let output = text::plain(output);
    let mut report = Report::default();
    let mut open: Option<Open> = None;
    let mut is_headed = false;
    for line in output.lines() {
        if let Some(counts) = totals(line) {
            report.failures.extend(open.take().map(Open::close));
            report.counts = Some(counts);
        } else if is_heading(line) {
            report.failures.extend(open.take().map(Open::close));
            is_headed = true;
        } else if is_headed {
            open = Open::named(line);
            is_headed = false;
        } else if line.trim_start().starts_with("bin/rails test ")
            || line.trim_start().starts_with("rails test ")
        {
            report.failures.extend(open.take().map(Open::close));
        } else if let Some(open) = &mut open {
            open.push(line);
        }
    }
    report.failures.extend(open.map(Open::close));
    text::once(report)
}

/// `  1) Failure:`, and with Rails `Failure:`
fn is_heading(line: &str) -> bool {
    let told = line.trim();
    let told = text::leading_number(told).and_then(|(_, rest)| rest.strip_prefix(") ")).unwrap_or(told);
    matches!(told, "Failure:" | "Error:")
}

struct Open {
    name: String,
    place: Option<(String, u32)>,
    innermost: Option<(String, u32)>,
    message: Lines,
}

impl Open {
    /// `CartTest#test_adds [test/cart_test.rb:9]:`, and of an error `CartTest#test_adds:`
    fn named(line: &str) -> Option<Self> {
        let told = line.trim().strip_suffix(':')?;
        let (name, place) = match told.strip_suffix(']').and_then(|told| told.rsplit_once(" [")) {
            Some((name, place)) => (name, Some(place)),
            None => (told, None),
        };
        let place = place.and_then(|place| place.rsplit_once(':'));
        let place = place.and_then(|(file, line)| Some((file.to_owned(), text::leading_number(line)?.0)));
        Some(Self { name: name.into(), place, innermost: None, message: Lines::default() })
    }

    fn push(&mut self, line: &str) {
        let Some((placed, function)) = frame(line) else { return self.message.push(line) };
        let (class, method) = self.name.rsplit_once('#').unwrap_or(("", &self.name));
        let function = function.trim_end_matches(['\'', '`']);
        // From Ruby 3.4 on the class stands before the method; tests of Rails are blocks in their class.
        let is_own = function.ends_with(method) || function.ends_with(&format!("<class:{class}>"));
        if self.place.is_none() && is_own {
            self.place = Some(placed.clone());
        }
        self.innermost.get_or_insert(placed);
    }

    fn close(self) -> Failure {
        let (file, line) = self.place.or(self.innermost).unzip();
        Failure { test_name: self.name, file: file.map(Into::into), line, message: self.message.text() }
    }
}

/// ``    test/cart_test.rb:17:in `test_adds'``
fn frame(line: &str) -> Option<((String, u32), &str)> {
    let placed = text::before_colons(line.strip_prefix("    ")?)?;
    let function = placed.rest.strip_prefix("in ")?;
    Some(((placed.file.trim_start().into(), placed.line), function))
}

/// `8 runs, 5 assertions, 4 failures, 2 errors, 1 skips`
fn totals(line: &str) -> Option<Counts> {
    let mut numbers = line.trim().split(", ");
    let mut next = |word: &str| -> Option<usize> {
        let (number, unit) = numbers.next()?.split_once(' ')?;
        unit.starts_with(word).then_some(number)?.parse().ok()
    };
    let runs = next("run").filter(|_| line.contains("assertion"))?;
    next("assertion")?;
    let failed = next("failure")?.saturating_add(next("error")?);
    let skipped = next("skip")?;
    Some(Counts { passed: runs.saturating_sub(failed).saturating_sub(skipped), failed, skipped })
}

#[cfg(test)]
mod tests;
