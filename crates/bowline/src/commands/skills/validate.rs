//! `bowline skills validate`: what is wrong with a skill, or with each of a directory.

mod prove;

use std::path::{Path, PathBuf};

use bowline_skills::{Finding, Reading, Report, RootReport, validate, validate_root};
use clap::Args;
use serde::Serialize;

use self::prove::Prover;
use crate::exit::Ending;
use crate::paint::{BAD, DIM, GOOD, line, styled, tame};

const FILE: &str = "SKILL.md";

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// The directory of a skill, its SKILL.md, or a directory of skills.
    path: PathBuf,
    /// Only what lenient reading cannot mend is an error.
    #[arg(long)]
    lenient: bool,
    /// For machines: one JSON object.
    #[arg(long)]
    json: bool,
}

/// What is said of one skill, or of all of a directory together.
#[derive(Debug, Serialize)]
struct Said {
    #[serde(flatten)]
    report: Report,
    /// Of a directory of skills: each of them. The files of findings then begin with the skill's directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<Vec<One>>,
}

#[derive(Debug, Serialize)]
struct One {
    directory: String,
    valid: bool,
}

pub(super) fn run(asked: &Validate) -> Ending {
    let reading = if asked.lenient { Reading::Lenient } else { Reading::Strict };
    let said = judge(&asked.path, reading, &Prover::default());
    if asked.json {
        // Nothing in it can fail to be written as JSON.
        line(serde_json::to_string(&said).unwrap_or_default());
    } else {
        people(&asked.path, &said);
    }
    if said.report.valid { Ending::Well } else { Ending::Failed }
}

fn judge(path: &Path, reading: Reading, prover: &Prover) -> Said {
    let alone = |mut report: Report| {
        prover.prove(&mut report);
        Said { report, skills: None }
    };
    let wrong = |message: &str| {
        let errors = vec![Finding { file: ".".into(), line: None, message: message.into() }];
        Said { report: Report { errors, ..Report::default() }, skills: None }
    };
    match path.metadata() {
        Ok(found) if found.is_dir() => {}
        Ok(_) if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(FILE)) => {
            // A bare name has an empty parent, which is here.
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            return alone(validate(parent.unwrap_or(Path::new(".")), reading));
        }
        Ok(_) => return wrong("this is neither a directory nor a SKILL.md"),
        Err(error) => return wrong(&format!("it cannot be read: {error}")),
    }
    if is_skill(path) {
        return alone(validate(path, reading));
    }
    let root = validate_root(path, reading);
    if root.skills.is_empty() && root.errors.is_empty() {
        return alone(validate(path, reading));
    }
    together(root, prover)
}

/// Whether it has a `SKILL.md`, or what was meant to be one.
fn is_skill(path: &Path) -> bool {
    [FILE, "skill.md", "Skill.md"].iter().any(|name| path.join(name).symlink_metadata().is_ok())
}

fn together(root: RootReport, prover: &Prover) -> Said {
    let mut report = Report { valid: root.errors.is_empty(), errors: root.errors, ..Report::default() };
    let mut each = Vec::new();
    for (directory, mut one) in root.skills {
        prover.prove(&mut one);
        let placed = |finding: Finding| Finding { file: format!("{directory}/{}", finding.file), ..finding };
        report.valid &= one.valid;
        report.errors.extend(one.errors.into_iter().map(placed));
        report.warnings.extend(one.warnings.into_iter().map(placed));
        each.push(One { directory, valid: one.valid });
    }
    Said { report, skills: Some(each) }
}

fn people(path: &Path, said: &Said) {
    let Report { valid, errors, warnings, .. } = &said.report;
    let shown = tame(&path.display().to_string());
    let verdict = if *valid { styled(GOOD, "valid") } else { styled(BAD, "not valid") };
    match &said.skills {
        None => line(format_args!("{shown}: {verdict}")),
        Some(skills) => {
            let well = skills.iter().filter(|one| one.valid).count();
            line(format_args!("{shown}: {verdict}, {well} of {} skills are", skills.len()));
        }
    }
    for (kind, findings) in [(styled(BAD, "error  "), errors), (styled(DIM, "warning"), warnings)] {
        for finding in findings {
            line(format_args!("  {kind} {}", tame(&finding.to_string())));
        }
    }
}
