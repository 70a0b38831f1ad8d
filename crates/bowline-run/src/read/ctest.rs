//! `ctest --output-on-failure`.

use super::place::{first_place, number};
use crate::{Counts, Failure, Report};

const ENDINGS: [&str; 8] = ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx"];

pub(crate) fn ctest(printed: &str) -> Report {
    let mut report = Report::default();
    let mut counts = Counts::default();
    let mut known = false;
    let lines: Vec<&str> = printed.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        known |= line.contains("No tests were found!!!") || line.contains(" tests failed out of ");
        let Some((name, status)) = result(line) else { continue };
        if status == "Passed" {
            counts.passed += 1;
        } else if status.starts_with("Skipped") || status == "Not Run (Disabled)" {
            counts.skipped += 1;
        } else {
            counts.failed += 1;
            report.failures.push(failure(name, status, &lines[..at], &lines[at + 1..]));
        }
    }
    report.counts = known.then_some(counts);
    report
}

/// `2/5 Test #2: bad ......Subprocess aborted***Exception:   0.01 sec`
fn result(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once(" Test ").filter(|(before, _)| before.contains('/'))?;
    let (_, rest) = number(rest.trim_start().strip_prefix('#')?)?;
    let rest = rest.strip_prefix(": ")?;
    let (rest, _time) = rest.strip_suffix(" sec")?.rsplit_once(' ')?;
    let (name, status) =
        rest.split_once(" .").map_or((rest, ""), |(name, dots)| (name, dots.trim_start_matches('.')));
    let status = status.trim();
    Some((name.trim(), status.strip_prefix("***").unwrap_or(status)))
}

fn failure(name: &str, status: &str, before: &[&str], after: &[&str]) -> Failure {
    let ours = |line: &&&str| !is_frame(line);
    let below: Vec<&str> = after.iter().take_while(|line| !is_frame(line)).copied().collect();
    // What cannot be started is complained about before the result.
    let above: Vec<&str> = before.iter().rev().take_while(ours).copied().collect();
    let mut said = below.join("\n").trim().to_owned();
    if said.is_empty() && status.starts_with("Not Run") {
        said = above.into_iter().rev().collect::<Vec<_>>().join("\n").trim().to_owned();
    }
    let status = status.replace("***", ": ").trim_end_matches(':').trim().to_owned();
    let (file, line) = first_place(&said, &ENDINGS).unzip();
    let message = if said.is_empty() { status } else { format!("{status}\n{said}") };
    Failure { test_name: name.to_owned(), file, line, message }
}

/// What ctest itself says between the outputs.
fn is_frame(line: &str) -> bool {
    let start = line.trim_start().strip_prefix("Start").is_some_and(|rest| {
        rest.trim_start().split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    });
    start || line.contains("% tests passed, ") || result(line).is_some()
}

#[cfg(test)]
mod tests;
