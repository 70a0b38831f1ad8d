//! What checks Python without running it: mypy, pyright, `compileall`.

use bowline_code::Severity;

use super::place::{number, placed, problem};
use crate::{Problem, Report};

/// `a.py:2:12: error: text  [code]`
pub(crate) fn mypy(printed: &str) -> Report {
    let complaint = |line: &str| {
        let placed = placed(line)?;
        let (severity, text) = match placed.rest.split_once(": ")? {
            ("error", text) => (Severity::Error, text),
            ("note", text) => (Severity::Information, text),
            _ => return None,
        };
        let (text, code) = match text.strip_suffix(']').and_then(|text| text.rsplit_once("  [")) {
            Some((text, code)) => (text, Some(code.to_owned())),
            None => (text, None),
        };
        Some(Problem { code, ..problem(&placed, severity, text) })
    };
    Report { problems: printed.lines().filter_map(complaint).collect(), ..Report::default() }
}

/// `  /src/a.py:2:12 - error: text (reportRule)`, and what is indented further goes on with it.
pub(crate) fn pyright(printed: &str) -> Report {
    let mut problems: Vec<Problem> = Vec::new();
    for line in printed.lines() {
        if let Some(problem) = pyright_line(line) {
            problems.push(problem);
        } else if let (true, Some(last)) = (line.starts_with("  "), problems.last_mut()) {
            last.message.push('\n');
            last.message.push_str(line.trim());
        }
    }
    for problem in &mut problems {
        let rule = problem.message.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
        if let Some((text, rule)) = rule.filter(|(_, rule)| rule.starts_with("report")) {
            (problem.code, problem.message) = (Some(rule.to_owned()), text.to_owned());
        }
    }
    Report { problems, ..Report::default() }
}

fn pyright_line(line: &str) -> Option<Problem> {
    let words = [
        (" - error: ", Severity::Error),
        (" - warning: ", Severity::Warning),
        (" - information: ", Severity::Information),
    ];
    words.into_iter().find_map(|(word, severity)| {
        let (place, text) = line.trim_start().split_once(word)?;
        let mut parts = place.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Problem {
            file: Some(parts.next()?.into()),
            line: Some(line),
            column: Some(column),
            severity,
            code: None,
            message: text.to_owned(),
        })
    })
}

/// `*** Error compiling './a.py'...`, and what is wrong with it.
pub(crate) fn compileall(printed: &str) -> Report {
    let mut problems: Vec<Problem> = Vec::new();
    for part in printed.split("*** Error compiling ").skip(1) {
        let Some((file, text)) = part.split_once("...\n") else { continue };
        let file = file.trim_matches(['\'', '"']);
        let text = text.trim_end();
        // `  File "./a.py", line 1`, or `Sorry: IndentationError: text (a.py, line 2)`.
        let line = text.find(", line ").and_then(|at| number(&text[at + ", line ".len()..]));
        let said = text.lines().rev().find(|line| !line.starts_with(' ')).unwrap_or(text);
        let said = said.strip_prefix("Sorry: ").unwrap_or(said);
        problems.push(Problem {
            file: Some(file.into()),
            line: line.map(|(line, _)| line),
            column: None,
            severity: Severity::Error,
            code: None,
            message: said.to_owned(),
        });
    }
    Report { problems, ..Report::default() }
}

#[cfg(test)]
mod tests;
