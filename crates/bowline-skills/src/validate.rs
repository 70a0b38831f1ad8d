//! Everything that is wrong with one skill, for whoever writes it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::disk::{Dir, Refusal, read_up_to};
use crate::file_system::{files, read_head, read_table};
use crate::reading::{FILE, Reading};
use crate::{Finding, body, phases};

/// So much of a body is looked through.
const MOST_BODY: usize = 1024 * 1024;

/// What a validator says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub valid: bool,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
}

/// Checks the skill in a directory: its head, its text, its table of phases, and the files beside it.
pub fn validate(dir: &Path, reading: Reading) -> Report {
    let mut report = Report { valid: false, errors: Vec::new(), warnings: Vec::new() };
    check(dir, reading, &mut report);
    report.valid = report.errors.is_empty();
    report
}

fn check(path: &Path, reading: Reading, report: &mut Report) {
    let mut error = |file: &str, message: String| report.errors.push(Finding::new(file, None, message));
    let dir = match Dir::open(path) {
        Ok(dir) => dir,
        Err(failed) => return error(".", format!("the directory cannot be read: {failed}")),
    };
    let name = directory_name(path, &dir);
    let mut file = match dir.file(OsStr::new(FILE)) {
        Ok(file) => file,
        Err(Refusal::Missing) => return error(FILE, missing(&dir)),
        Err(refusal) => return error(FILE, refusal.about(FILE)),
    };
    let mut bytes = Vec::new();
    let document = match read_head(&mut file, &mut bytes, &name, reading) {
        Ok(document) => document,
        Err(failed) => return error(FILE, format!("{FILE} cannot be read: {failed}")),
    };
    report.errors.extend(document.errors);
    report.warnings.extend(document.warnings);
    if let Some((start, line)) = document.body {
        if let Err(failed) = read_up_to(&mut file, &mut bytes, start.saturating_add(MOST_BODY + 1)) {
            report.errors.push(Finding::new(FILE, None, format!("{FILE} cannot be read: {failed}")));
        }
        let text = &bytes[start..];
        let body = body::read(text, text.len() as u64, line, MOST_BODY);
        report.warnings.extend(body.warnings);
        if body.truncated.is_some() {
            let message = format!("the text has more than {MOST_BODY} bytes; the rest was not checked");
            report.warnings.push(Finding::new(FILE, None, message));
        }
    }
    if let Some(fields) = document.fields
        && let Err(findings) = phases::of(&fields, |file| read_table(&dir, file))
    {
        report.errors.extend(findings);
    }
    report.warnings.extend(files(&dir).1);
}

/// The last part of the path as it was written; where it has none (`.`), of the path that it leads to.
fn directory_name(path: &Path, dir: &Dir) -> String {
    let written: PathBuf = path.components().collect();
    let last = match written.components().next_back() {
        Some(std::path::Component::Normal(last)) => Some(last),
        _ => dir.real.file_name(),
    };
    last.unwrap_or_default().to_string_lossy().into_owned()
}

fn missing(dir: &Dir) -> String {
    let other = ["skill.md", "Skill.md"].into_iter().find(|other| dir.file(OsStr::new(other)).is_ok());
    match other {
        Some(other) => format!("there is no {FILE}: `{other}` is not read, rename it"),
        None => format!("there is no {FILE}"),
    }
}
