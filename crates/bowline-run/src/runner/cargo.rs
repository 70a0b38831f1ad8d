//! Rust: `cargo build` and `cargo test`, of a package or of the whole workspace.

use std::ffi::OsString;
use std::path::Path;

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::{Project, Target};
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
    let words = project.target.as_ref().map(|target| narrowed(project, target)).unwrap_or_default();
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

/// Which tests a file or directory of a package means: a target of cargo's, and a part of their names.
fn narrowed(project: &Project<'_>, target: &Target) -> Vec<OsString> {
    let inside = target.path.strip_prefix(project.dir).unwrap_or(Path::new(""));
    let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
    let stem = |name: &str| name.strip_suffix(".rs").unwrap_or(name).to_owned();
    let (mut words, modules): (Vec<OsString>, &[&str]) = match parts.as_slice() {
        ["src", "lib.rs"] => (vec!["--lib".into()], &[]),
        ["src", "main.rs"] => (vec!["--bins".into()], &[]),
        ["src", "bin", name, rest @ ..] => (vec![format!("--bin={}", stem(name)).into()], rest),
        ["tests", name, rest @ ..] => (vec![format!("--test={}", stem(name)).into()], rest),
        ["examples", name, rest @ ..] => (vec![format!("--example={}", stem(name)).into()], rest),
        ["benches", name, rest @ ..] => (vec![format!("--bench={}", stem(name)).into()], rest),
        ["src", rest @ ..] => (Vec::new(), rest),
        _ => (Vec::new(), &[]),
    };
    let modules: Vec<String> = modules.iter().map(|name| stem(name)).collect();
    let modules: Vec<&str> =
        modules.iter().map(String::as_str).filter(|name| !matches!(*name, "mod" | "main")).collect();
    let filter = match (&target.test, modules.is_empty()) {
        (Some(test), _) => Some(test.clone()),
        (None, false) => Some(format!("{}::", modules.join("::"))),
        (None, true) => None,
    };
    if let Some(filter) = filter {
        words.extend(["--".into(), filter.into()]);
    }
    words
}
