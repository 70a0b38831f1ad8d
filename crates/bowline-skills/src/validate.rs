//! Everything that is wrong with one skill, for whoever writes it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::disk::{Dir, Refusal, read_up_to};
use crate::file_system::{directories, files, read_head, read_table};
use crate::reading::{FILE, Reading};
use crate::{Catalogue, FileSystemStore, Finding, Location, PhaseTable, Scope, Store, body, phases};

/// So much of a body is looked through.
const MOST_BODY: usize = 1024 * 1024;

/// What a validator says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Report {
    pub valid: bool,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
    /// The table of phases that was read, for whoever can say whether it holds.
    #[serde(skip)]
    pub phases: Option<PhaseTable>,
}

/// What a validator says of a directory of skills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RootReport {
    /// What is wrong with the directory itself.
    pub errors: Vec<Finding>,
    /// Each directory in it that is a skill or was meant to be one, in the order of the names.
    pub skills: Vec<(String, Report)>,
}

impl Report {
    fn done(mut self) -> Self {
        self.valid = self.errors.is_empty();
        self
    }
}

/// Checks the skill in a directory: its head, its text, its table of phases, and the files beside it.
pub fn validate(dir: &Path, reading: Reading) -> Report {
    let mut report = Report::default();
    match Dir::open(dir) {
        Ok(opened) => check(&opened, &directory_name(dir, &opened), reading, &mut report),
        Err(failed) => {
            let message = format!("the directory cannot be read: {failed}");
            report.errors.push(Finding::new(".", None, message));
        }
    }
    report.done()
}

/// Checks every skill of a directory of skills. What a store that has it for a root leaves out is not valid.
pub fn validate_root(root: &Path, reading: Reading) -> RootReport {
    let opened = Dir::open(root).and_then(|dir| Ok((directories(&dir)?, dir)));
    let (directories, dir) = match opened {
        Ok(opened) => opened,
        Err(failed) => {
            let message = format!("the directory cannot be read: {failed}");
            return RootReport { errors: vec![Finding::new(".", None, message)], skills: Vec::new() };
        }
    };
    let listed = FileSystemStore::new([(dir.real.clone(), Scope::User)], reading).list();
    let mut places = by_place(listed);
    let place = |path: &Path| path.display().to_string();
    let errors = places.remove(&place(&dir.real)).unwrap_or_default().errors;
    let skills = directories.iter().filter_map(|directory| {
        let said = places.remove(&place(&dir.real.join(directory)))?;
        let name = directory.to_string_lossy().into_owned();
        let mut report = Report::default();
        // What is wrong with the directory itself is all that there is to say of it.
        if said.errors.is_empty() || said.errors.iter().any(|finding| finding.file != ".") {
            // Why it cannot be opened the list has said.
            if let Ok(opened) = dir.dir(directory) {
                check(&opened, &name, reading, &mut report);
            }
        }
        add(&mut report.errors, said.errors);
        add(&mut report.warnings, said.warnings);
        Some((name, report.done()))
    });
    RootReport { errors, skills: skills.collect() }
}

#[derive(Default)]
struct Said {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

/// What a list says of each directory that it speaks of.
fn by_place(listed: Catalogue) -> HashMap<String, Said> {
    let mut places: HashMap<String, Said> = HashMap::new();
    for skill in &listed.skills {
        if let Location::File(path) = &skill.location {
            places.entry(path.parent().unwrap_or(path).display().to_string()).or_default();
        }
    }
    for rejected in listed.rejected {
        places.entry(rejected.place).or_default().errors.extend(rejected.findings);
    }
    for (place, finding) in listed.warnings {
        let said = places.entry(place).or_default();
        // Of a file with nearly the right name an author is told as an error.
        if finding.file == FILE {
            said.warnings.push(finding);
        }
    }
    places
}

fn add(known: &mut Vec<Finding>, more: Vec<Finding>) {
    for finding in more {
        if !known.contains(&finding) {
            known.push(finding);
        }
    }
}

fn check(dir: &Dir, name: &str, reading: Reading, report: &mut Report) {
    let mut error = |file: &str, message: String| report.errors.push(Finding::new(file, None, message));
    let mut file = match dir.file(OsStr::new(FILE)) {
        Ok(file) => file,
        Err(Refusal::Missing) => return error(FILE, missing(dir)),
        Err(refusal) => return error(FILE, refusal.about(FILE)),
    };
    let mut bytes = Vec::new();
    let document = match read_head(&mut file, &mut bytes, name, reading) {
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
    if let Some(fields) = document.fields {
        match phases::of(&fields, |file| read_table(dir, file)) {
            Ok(table) => report.phases = table,
            Err(findings) => report.errors.extend(findings),
        }
    }
    report.warnings.extend(files(dir).1);
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
