//! pytest with `--tb=short -rfE`: the list at the end says what failed, the sections before it where and why.

use std::path::{Path, PathBuf};

use bowline_code::Severity;

use super::place::number;
use crate::{Counts, Failure, Problem, Report};

/// So many failures are looked for in so many sections, and so many dashes may be in a name.
const MOST: usize = 2000;
const MOST_DASHES: usize = 8;

/// One `____ name ____` and what stands under it.
struct Section<'a> {
    name: &'a str,
    /// Files and lines of the traceback, outermost first.
    frames: Vec<(&'a str, u32)>,
    /// The lines that begin with `E`.
    said: Vec<&'a str>,
    used: bool,
}

pub(crate) fn pytest(printed: &str) -> Report {
    let mut sections = sections(printed);
    let mut report = Report::default();
    let summary = printed.rsplit_once(" short test summary info ").map_or("", |(_, summary)| summary);
    let told = |line: &&str| line.starts_with("FAILED ") || line.starts_with("ERROR ");
    for line in summary.lines().filter(told).take(MOST) {
        if let Some(named) = line.strip_prefix("FAILED ") {
            report.failures.push(failure(named, &mut sections));
        } else if let Some(named) = line.strip_prefix("ERROR ") {
            // A file that cannot be read has no test to fail.
            match collected(named, &mut sections) {
                Some(problem) => report.problems.push(problem),
                None => report.failures.push(failure(named, &mut sections)),
            }
        }
    }
    // A file that could not be read is among the errors that are counted, and no test ran of it.
    let unread = report.problems.len();
    report.counts = printed
        .lines()
        .rev()
        .find_map(counts)
        .map(|counts| Counts { failed: counts.failed.saturating_sub(unread), ..counts });
    report
}

fn sections(printed: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open = false;
    for line in printed.lines() {
        if let Some(name) = heading(line) {
            if sections.len() == MOST {
                break;
            }
            sections.push(Section { name, frames: Vec::new(), said: Vec::new(), used: false });
            open = true;
        } else if line.starts_with("=====") || line.starts_with("----- ") || line.starts_with("------") {
            // What the test printed itself, or the next part.
            open = false;
        }
        let Some(section) = sections.last_mut().filter(|_| open) else { continue };
        if let Some(said) = line.strip_prefix('E').filter(|rest| rest.is_empty() || rest.starts_with("  ")) {
            section.said.push(said.strip_prefix("   ").unwrap_or(said));
        } else if let Some((file, rest)) = line.split_once(':').filter(|(file, _)| !file.starts_with(' '))
            && let Some((number, rest)) = number(rest)
            && rest.starts_with(':')
        {
            section.frames.push((file, number));
        }
    }
    sections
}

/// `____ test_a[1] ____`
fn heading(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('_')?.strip_suffix('_')?;
    let (left, rest) = inner.split_once(' ')?;
    let (name, right) = rest.rsplit_once(' ')?;
    let lines = |side: &str| side.bytes().all(|byte| byte == b'_');
    (lines(left) && lines(right)).then_some(name.trim())
}

/// `tests/test_a.py::TestA::test_b - AssertionError: no`
fn failure(named: &str, sections: &mut [Section<'_>]) -> Failure {
    // The dash may also be part of a parameter.
    let splits = named.match_indices(" - ").take(MOST_DASHES).map(|(at, _)| (&named[..at], &named[at + 3..]));
    let mut splits: Vec<(&str, &str)> = splits.chain([(named, "")]).collect();
    let found = splits.iter().find_map(|(id, _)| {
        let (file, inside) = id.split_once("::").unwrap_or((id, ""));
        let name = section_name(inside);
        let fits = |section: &Section<'_>| {
            let at = ["ERROR at setup of ", "ERROR at teardown of "];
            let plain = at.iter().find_map(|at| section.name.strip_prefix(at)).unwrap_or(section.name);
            !section.used && plain == name && section.frames.iter().any(|(frame, _)| same_file(frame, file))
        };
        Some((*id, sections.iter().position(fits)?))
    });
    let Some((id, at)) = found else {
        let (id, message) = splits.swap_remove(0);
        let file = id.split("::").next().map(PathBuf::from);
        return Failure { test_name: id.to_owned(), file, line: None, message: message.to_owned() };
    };
    let section = &mut sections[at];
    section.used = true;
    let file = id.split("::").next().unwrap_or(id);
    let line = section.frames.iter().rev().find(|(frame, _)| same_file(frame, file));
    Failure {
        test_name: id.to_owned(),
        file: Some(file.into()),
        line: line.map(|(_, line)| *line),
        message: section.said.join("\n"),
    }
}

/// `TestA::test_b[x::y]` stands over its section as `TestA.test_b[x::y]`: parameters are left as they are.
fn section_name(inside: &str) -> String {
    let (path, parameters) = inside.split_at(inside.find('[').unwrap_or(inside.len()));
    format!("{}{parameters}", path.replace("::", "."))
}

fn same_file(frame: &str, file: &str) -> bool {
    frame == file || Path::new(frame).ends_with(file) || Path::new(file).ends_with(frame)
}

/// `ERROR tests/test_a.py` is about the file itself.
fn collected(named: &str, sections: &mut [Section<'_>]) -> Option<Problem> {
    let file = named.split(" - ").next().unwrap_or(named);
    let fits = |section: &&mut Section<'_>| {
        !section.used && section.name.strip_prefix("ERROR collecting ").is_some_and(|name| name == file)
    };
    let section = sections.iter_mut().find(fits)?;
    section.used = true;
    let frame = section.frames.iter().rev().find(|(frame, _)| same_file(frame, file));
    // Of a file with wrong syntax there are no frames.
    let quoted = || {
        let line = section.said.iter().find(|line| line.trim_start().starts_with("File \""))?;
        Some(number(line.split_once(", line ")?.1)?.0)
    };
    Some(Problem {
        file: Some(file.into()),
        line: frame.map(|(_, line)| *line).or_else(quoted),
        column: None,
        severity: Severity::Error,
        code: None,
        message: section.said.join("\n").trim().to_owned(),
    })
}

/// `== 4 failed, 2 passed, 1 skipped in 0.51s ==`
fn counts(line: &str) -> Option<Counts> {
    let line = line.trim_matches(['=', ' ']);
    let (words, time) = line.rsplit_once(" in ")?;
    time.split_whitespace().next()?.strip_suffix('s')?.parse::<f64>().ok()?;
    if words == "no tests ran" {
        return Some(Counts::default());
    }
    let mut counts = Counts::default();
    for part in words.split(", ") {
        let (count, word) = number(part)?;
        let into = match word.trim() {
            "passed" | "xpassed" => &mut counts.passed,
            "failed" | "error" | "errors" => &mut counts.failed,
            "skipped" | "xfailed" => &mut counts.skipped,
            "deselected" | "warning" | "warnings" | "rerun" => continue,
            _ => return None,
        };
        *into += count as usize;
    }
    Some(counts)
}

#[cfg(test)]
mod tests;
