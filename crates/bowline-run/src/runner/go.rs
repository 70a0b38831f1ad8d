//! Go: `go build` and `go test`, with the workspace of `go.work` if there is one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str = "install Go, or put its `bin` folder on the PATH that bowline is started with";
const BY: &str = "`go.mod`, `go.work`";

pub(super) const BUILD: Runner = Runner {
    name: "go build",
    task: Task::Build,
    languages: &[Language::Go],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: build,
};

pub(super) const TEST: Runner = Runner {
    name: "go test",
    task: Task::Test,
    languages: &[Language::Go],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: test,
};

fn finds(folder: Folder<'_>) -> Option<Mark> {
    Mark::of(folder.first(&["go.work", "go.mod"]))
}

fn build(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    // Without it, a single command would be left in the folder.
    let step = Step::new("go", project.dir, read::go::build).args(["build", "-o", "/dev/null"]);
    Ok(vec![step.args(packages(project))])
}

fn test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let modules = modules(project);
    let one = project.test().map(|test| format!("-run={}", pattern(test)));
    let step = Step::new("go", project.dir, read::go::build)
        .args(["test", "-json"])
        .args(one)
        .args(packages(project))
        .view(read::go::view)
        .reading(move |printed| {
            read::go::test(&printed.stdout, &printed.stderr, |package| dir_of(&modules, package))
        });
    Ok(vec![step])
}

/// A file means its package, a directory everything in it.
fn packages(project: &Project<'_>) -> Vec<OsString> {
    let all = |dir: &Path| {
        let mut word = project.inside(dir);
        word.push("/...");
        word
    };
    match &project.target {
        Some(target) if target.is_dir && target.test.is_none() => vec![all(&target.path)],
        Some(target) => vec![project.inside(target.dir())],
        None => match used(project.folder()) {
            modules if modules.is_empty() => vec!["./...".into()],
            // `./...` does not look into the modules of a workspace.
            modules => modules.iter().map(|module| all(module)).collect(),
        },
    }
}

/// The folders that `go.work` names.
fn used(folder: Folder<'_>) -> Vec<PathBuf> {
    let text = folder.text("go.work").unwrap_or_default();
    let mut dirs = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let named = match (inside, line.strip_prefix("use")) {
            (true, _) if line == ")" => {
                inside = false;
                continue;
            }
            (true, _) => line,
            (false, Some(rest)) if rest.trim() == "(" => {
                inside = true;
                continue;
            }
            (false, Some(rest)) => rest.trim(),
            (false, None) => continue,
        };
        let named = named.trim_matches(['"', '`']);
        if !named.is_empty() {
            dirs.push(bowline_std::fs::absolute(folder.path(), Path::new(named)));
        }
    }
    dirs
}

/// The modules of the project: their names and where they are.
fn modules(project: &Project<'_>) -> Vec<(String, PathBuf)> {
    let mut dirs: Vec<PathBuf> = vec![project.dir.to_owned()];
    dirs.extend(project.around().flat_map(used));
    let mut modules: Vec<(String, PathBuf)> = dirs
        .into_iter()
        .filter_map(|dir| {
            let text = Folder::new(&dir).text("go.mod")?;
            let name = text.lines().find_map(|line| line.trim().strip_prefix("module"))?;
            Some((name.split("//").next()?.trim().trim_matches('"').to_owned(), dir))
        })
        .collect();
    // The longest name that fits is the module of a package.
    modules.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    modules
}

fn dir_of(modules: &[(String, PathBuf)], package: &str) -> Option<PathBuf> {
    modules.iter().find_map(|(name, dir)| match package.strip_prefix(name.as_str())? {
        "" => Some(dir.clone()),
        rest => Some(dir.join(rest.strip_prefix('/')?)),
    })
}

/// A pattern that only this test fits, and its parts.
fn pattern(test: &str) -> String {
    let quoted = |part: &str| {
        let mut quoted = String::from("^");
        for c in part.chars() {
            if c.is_ascii_punctuation() && c != '_' {
                quoted.push('\\');
            }
            quoted.push(c);
        }
        quoted.push('$');
        quoted
    };
    // Go writes blanks in the names of parts as underscores.
    test.split('/').map(|part| quoted(&part.replace(' ', "_"))).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_test_that_is_named_fits() {
        assert_eq!(pattern("TestAdd"), "^TestAdd$");
        assert_eq!(pattern("TestAdd/one (of two)"), r"^TestAdd$/^one_\(of_two\)$");
    }

    #[test]
    fn packages_are_found_by_the_longest_module_name() {
        let modules = [("a/b/c".to_owned(), PathBuf::from("/c")), ("a/b".to_owned(), PathBuf::from("/b"))];
        assert_eq!(dir_of(&modules, "a/b/c/d"), Some("/c/d".into()));
        assert_eq!(dir_of(&modules, "a/b"), Some("/b".into()));
        assert_eq!(dir_of(&modules, "a/bcd"), None);
    }
}
