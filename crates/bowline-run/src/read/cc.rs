//! C and C++ compilers, the linker, and `make`, which prints what they print.

use std::path::PathBuf;

use bowline_code::Severity;

use super::place::{Placed, about_nothing, placed, problem};
use crate::{Problem, Report};

pub(crate) fn cc(printed: &str) -> Report {
    let mut report = Report::default();
    // Where each make that is running has gone to.
    let mut dirs: Vec<PathBuf> = Vec::new();
    for line in printed.lines() {
        if let Some(dir) = between(line, "Entering directory ") {
            dirs.push(dir.into());
        } else if line.contains(": Leaving directory ") {
            dirs.pop();
        }
        if let Some(mut problem) = complaint(line) {
            if let (Some(file), Some(dir)) = (&mut problem.file, dirs.last()) {
                *file = dir.join(&*file);
            }
            report.problems.push(problem);
        }
    }
    report
}

/// `make[1]: Entering directory '/src'`
fn between<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let (_, quoted) = line.split_once(words).filter(|(before, _)| before.ends_with(": "))?;
    Some(quoted.trim_matches(['\'', '`', '"']))
}

fn complaint(line: &str) -> Option<Problem> {
    if let Some(placed) = placed(line) {
        return compiler(&placed).or_else(|| makefile(&placed)).or_else(|| linker(line));
    }
    if let Some(rest) = line.split_once(": *** No rule to make target ") {
        return Some(about_nothing(format!(
            "No rule to make target {}",
            rest.1.trim_end_matches(".  Stop.")
        )));
    }
    linker(line).or_else(|| driver(line))
}

/// `a.c:1:2: error: text [-Wrule]`
fn compiler(placed: &Placed<'_>) -> Option<Problem> {
    let words =
        [("error: ", Severity::Error), ("fatal error: ", Severity::Error), ("warning: ", Severity::Warning)];
    let (severity, text) =
        words.iter().find_map(|(word, severity)| Some((*severity, placed.rest.strip_prefix(word)?)))?;
    let (text, code) = match text.strip_suffix(']').and_then(|text| text.rsplit_once(" [-W")) {
        Some((text, rule)) => (text, Some(format!("-W{rule}"))),
        None => (text, None),
    };
    Some(Problem { code, ..problem(placed, severity, text) })
}

/// `Makefile:5: *** missing separator.  Stop.`
fn makefile(placed: &Placed<'_>) -> Option<Problem> {
    let text = placed.rest.strip_prefix("*** ")?;
    Some(problem(placed, Severity::Error, text.strip_suffix("  Stop.").unwrap_or(text)))
}

/// `c.c:(.text+0x5): undefined reference to `gone'`, with a line where there is debug information.
fn linker(line: &str) -> Option<Problem> {
    let words = ["undefined reference to ", "multiple definition of "];
    let at = words.iter().find_map(|word| line.find(word))?;
    let place = line[..at].trim_end_matches([':', ' ']);
    let place = place.rsplit_once("ld: ").map_or(place, |(_, place)| place);
    let (place, line_number) = match place.rsplit_once(':') {
        Some((file, section)) if section.starts_with("(.") => (file, None),
        Some((file, number)) if number.parse::<u32>().is_ok() => (file, number.parse().ok()),
        _ => (place, None),
    };
    Some(Problem {
        file: (!place.is_empty()).then(|| place.into()),
        line: line_number,
        ..about_nothing(&line[at..])
    })
}

/// `cc: fatal error: no input files`, `ld: cannot find -lz`
fn driver(line: &str) -> Option<Problem> {
    let (program, text) = line.split_once(": ")?;
    let name = program.rsplit('/').next()?;
    let compilers = ["cc", "c++", "gcc", "g++", "clang", "clang++", "cc1", "cc1plus"];
    if name == "ld" && text.starts_with("cannot find ") {
        return Some(about_nothing(text));
    }
    let text = text.strip_prefix("fatal error: ").or_else(|| text.strip_prefix("error: "))?;
    compilers.iter().any(|known| name.ends_with(known)).then(|| about_nothing(text))
}

#[cfg(test)]
mod tests;
