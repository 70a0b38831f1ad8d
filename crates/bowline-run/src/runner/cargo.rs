//! Rust: `cargo build` and `cargo test`, of a package or of the whole workspace.

mod part;

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str =
    "install Rust with rustup, or put cargo's `bin` folder on the PATH that bowline is started with";
const BY: &str = "`Cargo.toml`";

pub(super) const BUILD: Runner = Runner {
    name: "cargo build",
    task: Task::Build,
    languages: &[Language::Rust],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: build,
};

pub(super) const TEST: Runner = Runner {
    name: "cargo test",
    task: Task::Test,
    languages: &[Language::Rust],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: test,
};

fn finds(folder: Folder<'_>) -> Option<Mark> {
    Mark::of(folder.first(&["Cargo.toml"]))
}

fn build(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    let step =
        cargo(project, "build").reading(|printed| read::cargo::build(&printed.stdout, &printed.stderr));
    Ok(vec![step])
}

fn test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let words = project.target.as_ref().map(|target| part::words(project, target)).unwrap_or_default();
    let step = cargo(project, "test")
        .args(["--no-fail-fast"])
        .args(words)
        .reading(|printed| read::cargo::test(&printed.stdout, &printed.stderr));
    Ok(vec![step])
}

/// In the folder of a member cargo takes that member alone; at the top everything is meant.
fn cargo(project: &Project<'_>, word: &str) -> Step {
    let is_top = is_workspace(project.folder());
    let all = (is_top && project.target.is_none()).then_some("--workspace");
    let mut step = Step::new("cargo", project.dir, |_| crate::Report::default())
        .args([word, "--message-format=json"])
        .args(all)
        .view(read::cargo::view);
    // The compiler runs at the top of the workspace, and prints paths from there on.
    if let Some(top) = project.around().filter(|folder| is_workspace(*folder)).last() {
        step = step.base(top.path());
    }
    step
}

fn is_workspace(folder: Folder<'_>) -> bool {
    folder.toml("Cargo.toml").is_some_and(|manifest| manifest.contains_key("workspace"))
}
