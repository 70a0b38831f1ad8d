//! Places in text: `file:line` and `file:line:column`, as most programs write them.

use std::path::PathBuf;

use bowline_code::Severity;

use crate::Problem;

/// The number at the beginning of a text, and what follows.
pub(super) fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

/// `file:line[:column]: rest`. The file may hold blanks and colons, but no line and no place of its own.
pub(super) struct Placed<'a> {
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) column: Option<u32>,
    pub(super) rest: &'a str,
}

/// A line that begins with a place and a colon: `a.c:1:2: error: no`.
pub(super) fn placed(text: &str) -> Option<Placed<'_>> {
    text.match_indices(':').find_map(|(at, _)| {
        let file = &text[..at];
        let (line, rest) = number(&text[at + 1..])?;
        let (column, rest) = match rest.strip_prefix(':').and_then(number) {
            Some((column, rest)) => (Some(column), rest),
            None => (None, rest),
        };
        let rest = rest.strip_prefix(':')?;
        (!file.trim().is_empty()).then_some(Placed { file, line, column, rest: rest.trim_start() })
    })
}

/// The first place in a text whose file ends so, wherever in a line it stands.
pub(super) fn first_place(text: &str, endings: &[&str]) -> Option<(PathBuf, u32)> {
    text.lines().find_map(|line| {
        // Nobody writes a place further on, and every colon costs a look back.
        let line = bowline_std::text::prefix(line, 1000);
        line.match_indices(':').find_map(|(at, _)| {
            let (number, _) = number(&line[at + 1..])?;
            let before = &line[..at];
            let from =
                before.rfind(|c: char| c.is_whitespace() || "\"'(`".contains(c)).map_or(0, |at| at + 1);
            let file = &before[from..];
            let ending = file.rsplit_once('.')?.1;
            endings.contains(&ending).then(|| (PathBuf::from(file), number))
        })
    })
}

pub(super) fn problem(placed: &Placed<'_>, severity: Severity, message: &str) -> Problem {
    Problem {
        file: Some(placed.file.into()),
        line: Some(placed.line),
        column: placed.column,
        severity,
        code: None,
        message: message.to_owned(),
    }
}

/// A complaint about no file.
pub(super) fn about_nothing(message: impl Into<String>) -> Problem {
    Problem {
        file: None,
        line: None,
        column: None,
        severity: Severity::Error,
        code: None,
        message: message.into(),
    }
}

#[cfg(test)]
pub(super) fn shown(problems: &[Problem]) -> Vec<String> {
    let part = |part: Option<u32>| part.map_or_else(String::new, |part| format!(":{part}"));
    let one = |problem: &Problem| {
        let file = problem.file.as_deref().map_or("-".into(), |file| file.display().to_string());
        let code = problem.code.as_deref().map_or_else(String::new, |code| format!(" [{code}]"));
        let severity = problem.severity.as_str();
        format!("{file}{}{} {severity}{code}: {}", part(problem.line), part(problem.column), problem.message)
    };
    problems.iter().map(one).collect()
}

#[cfg(test)]
pub(super) fn failed(failures: &[crate::Failure]) -> Vec<String> {
    let one = |failure: &crate::Failure| {
        let file = failure.file.as_deref().map_or("-".into(), |file| file.display().to_string());
        let line = failure.line.map_or_else(String::new, |line| format!(":{line}"));
        format!("{} {file}{line}: {}", failure.test_name, failure.message)
    };
    failures.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_where_the_first_number_stands_between_colons() {
        let placed = placed("C:/a b.c:12:3: error: x:1: y").unwrap();
        assert_eq!((placed.file, placed.line, placed.column), ("C:/a b.c", 12, Some(3)));
        assert_eq!(placed.rest, "error: x:1: y");
        assert!(super::placed("no place: here").is_none() && super::placed(":1: x").is_none());
    }

    #[test]
    fn a_place_may_stand_anywhere() {
        let endings = ["c", "cc"];
        let text = "x: 1:2\nprogram: /src/a.c:7: main: Assertion";
        assert_eq!(first_place(text, &endings), Some(("/src/a.c".into(), 7)));
        assert_eq!(first_place("12:30 a.txt:3", &endings), None);
    }
}
