//! `make`, where nothing else is known of a project.

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str = "install make and a C or C++ compiler";
const FILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
const TARGETS: [&str; 2] = ["test", "check"];

pub(super) const BUILD: Runner = Runner {
    name: "make",
    task: Task::Build,
    languages: &[Language::Cpp],
    by: "`Makefile`, where nothing else is found",
    proof: Proof::Live,
    get: GET,
    finds: |folder| weak(folder.first(&FILES)),
    plan: build,
};

pub(super) const TEST: Runner = Runner {
    name: "make test",
    task: Task::Test,
    languages: &[Language::Cpp],
    by: "`Makefile` with a target `test` or `check`, where nothing else is found",
    proof: Proof::Live,
    get: GET,
    finds: |folder| weak(target(folder).and(folder.first(&FILES))),
    plan: test,
};

/// Projects of every language have one, for people.
fn weak(file: Option<String>) -> Option<Mark> {
    file.map(|file| Mark { file, weak: true })
}

/// What its tests are called.
fn target(folder: Folder<'_>) -> Option<&'static str> {
    let text = folder.text(&folder.first(&FILES)?)?;
    let has = |name: &&&str| {
        text.lines().any(|line| {
            let head = line.split(':').next().filter(|head| head.len() < line.len()).unwrap_or_default();
            !line.starts_with(['\t', ' ', '.']) && head.split_whitespace().any(|word| word == **name)
        })
    };
    TARGETS.iter().find(has).copied()
}

fn build(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    Ok(vec![Step::new("make", project.dir, read::cc::cc)])
}

fn test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_target("make")?;
    Ok(vec![Step::new("make", project.dir, read::cc::cc).args(target(project.folder()))])
}
