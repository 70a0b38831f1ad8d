//! Reports as lines, so that a test's table is what one would say of the output.

use std::path::Path;

use crate::Report;

/// `error src/a.ts:3:4 TS1: message`, `failed name (src/a.ts:3): message`, `1 passed, 2 failed, 3 skipped`.
pub(crate) fn shown(report: &Report) -> Vec<String> {
    let place = |file: Option<&Path>, numbers: &[Option<u32>]| {
        let file = file.map_or("-".into(), |file| file.display().to_string());
        let numbers = numbers.iter().flatten().map(|number| format!(":{number}"));
        numbers.fold(file, |place, number| place + &number)
    };
    let mut lines: Vec<String> = Vec::new();
    for problem in &report.problems {
        let place = place(problem.file.as_deref(), &[problem.line, problem.column]);
        let code = problem.code.as_deref().map(|code| format!(" {code}")).unwrap_or_default();
        let message = problem.message.replace('\n', "⏎");
        lines.push(format!("{} {place}{code}: {message}", problem.severity.as_str()));
    }
    for failure in &report.failures {
        let place = place(failure.file.as_deref(), &[failure.line]);
        lines.push(format!("failed {} ({place}): {}", failure.test_name, failure.message.replace('\n', "⏎")));
    }
    lines.extend(report.counts.map(|counts| {
        format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped)
    }));
    lines
}

/// Compares, and shows what was read where it is not what was expected.
#[track_caller]
pub(crate) fn expect(report: &Report, expected: &str) {
    let shown = shown(report).join("\n");
    assert_eq!(shown, expected.trim_matches('\n'), "\n{shown}\n");
}
