//! The runners of JavaScript and TypeScript.

use std::borrow::Cow;

use bowline_code::Severity;

use super::node::{self, needs, quoted, script, step, whole, with_path};
use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, Report, read};

const GET_NODE: &str = "install Node.js with npm, or put it on the PATH that bowline is started with";
const BOTH: &[Language] = &[Language::TypeScript, Language::JavaScript];

pub(super) const TSC: Runner = Runner {
    name: "tsc",
    task: Task::Build,
    languages: BOTH,
    by: "`tsconfig.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| Mark::of(folder.first(&["tsconfig.json"])),
    plan: tsc,
};

pub(super) const ESLINT: Runner = Runner {
    name: "eslint",
    task: Task::Build,
    languages: &[Language::JavaScript, Language::TypeScript],
    by: "`eslint.config.*`, `.eslintrc*`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| Mark::of(node::config(folder, &["eslint.config.", ".eslintrc"])),
    plan: eslint,
};

pub(super) const NPM_BUILD: Runner = Runner {
    name: "npm run build",
    task: Task::Build,
    languages: &[Language::JavaScript, Language::TypeScript],
    by: "a script `build` in `package.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| has_script(folder, "build"),
    plan: |project| {
        project.refuse_test()?;
        Ok(vec![manager(project, &["run", "build"], read::tsc::read)])
    },
};

pub(super) const VITEST: Runner = Runner {
    name: "vitest",
    task: Task::Test,
    languages: BOTH,
    by: "`vitest.config.*`, or vitest among the packages of `package.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| {
        Mark::of(
            node::config(folder, &["vitest.config.", "vitest.workspace."])
                .or_else(|| needs(folder, "vitest")),
        )
    },
    plan: vitest,
};

pub(super) const JEST: Runner = Runner {
    name: "jest",
    task: Task::Test,
    languages: BOTH,
    by: "`jest.config.*`, or jest among the packages of `package.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| Mark::of(node::config(folder, &["jest.config."]).or_else(|| needs(folder, "jest"))),
    plan: jest,
};

pub(super) const MOCHA: Runner = Runner {
    name: "mocha",
    task: Task::Test,
    languages: BOTH,
    by: "`.mocharc*`, or mocha among the packages of `package.json`",
    proof: Proof::Recorded,
    get: GET_NODE,
    finds: |folder| Mark::of(node::config(folder, &[".mocharc"]).or_else(|| needs(folder, "mocha"))),
    plan: mocha,
};

pub(super) const NODE_TEST: Runner = Runner {
    name: "node --test",
    task: Task::Test,
    languages: &[Language::JavaScript, Language::TypeScript],
    by: "`node --test` in the script `test` of `package.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| {
        let script = script(&folder.json("package.json")?, "test")?;
        script.starts_with("node ").then_some(())?;
        script.contains("--test").then(|| Mark { file: "package.json".to_owned(), weak: false })
    },
    plan: node_test,
};

pub(super) const NPM_TEST: Runner = Runner {
    name: "npm test",
    task: Task::Test,
    languages: &[Language::JavaScript, Language::TypeScript],
    by: "another script `test` in `package.json`",
    proof: Proof::Live,
    get: GET_NODE,
    finds: |folder| has_script(folder, "test"),
    plan: |project| {
        project.refuse_target("npm test")?;
        Ok(vec![manager(project, &["test"], read::tsc::read)])
    },
};

fn has_script(folder: Folder<'_>, name: &str) -> Option<Mark> {
    script(&folder.json("package.json")?, name)?;
    Some(Mark { file: "package.json".to_owned(), weak: false })
}

/// The package manager of the project runs a script of its `package.json`.
fn manager(project: &Project<'_>, words: &[&str], read: fn(&str) -> Report) -> Step {
    let name = node::manager(project);
    // It would print the script before it runs it.
    let quiet = (name == "npm").then_some("--silent");
    with_path(project, Step::new(name, project.dir, read).args(quiet).args(words))
}

/// The whole project: a file alone would be read without its configuration.
fn tsc(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    let config = project.folder().text("tsconfig.json").unwrap_or_default();
    // A project that only refers to others has nothing to check but them.
    let how: &[&str] = if config.contains("\"references\"") { &["-b"] } else { &["-p", "."] };
    let step = step(project, "tsc", read::tsc::read)?.args(how).args(["--noEmit", "--pretty", "false"]);
    Ok(vec![step])
}

fn eslint(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    let part = project.target.as_ref().map_or(".".into(), |target| project.inside(&target.path));
    let step = step(project, "eslint", read::eslint::read)?
        .args(["--format", "json"])
        .args([part])
        .view(eslint_view)
        .reading(|printed| read::eslint::read(&printed.stdout));
    Ok(vec![step])
}

/// Its report is one line of JSON. People get a line for each complaint.
fn eslint_view(line: &str) -> Option<Cow<'_, str>> {
    if !line.starts_with("[{") {
        return Some(line.into());
    }
    let mut shown = String::new();
    for problem in read::eslint::read(line).problems {
        let part = |part: Option<u32>| part.map_or_else(String::new, |part| format!(":{part}"));
        let file = problem.file.as_deref().map_or_else(String::new, |file| file.display().to_string());
        let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
        let code = problem.code.map_or_else(String::new, |code| format!("  {code}"));
        let (line, column) = (part(problem.line), part(problem.column));
        shown.push_str(&format!("{file}{line}{column}: {severity}: {}{code}\n", problem.message));
    }
    Some(shown.into())
}

fn vitest(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let name = project.test().map(|test| format!("--testNamePattern={}", quoted(test)));
    let what = project.target.as_ref().map(whole);
    let step = step(project, "vitest", read::vitest::read)?
        .args(["run", "--reporter=default", "--reporter=json"])
        .scratch(|step, room| {
            let file = room.join("report.json");
            step.args([format!("--outputFile.json={}", file.display())]).reports(file, read::vitest::read)
        })?;
    Ok(vec![step.args(name).args(what)])
}

fn jest(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let name = project.test().map(|test| format!("--testNamePattern={}", quoted(test)));
    let step = step(project, "jest", read::jest::read)?
        .args(["--json"])
        .args(name)
        .view(|line| (!line.starts_with("{\"num")).then_some(line.into()))
        .reading(|printed| read::jest::read(&printed.stdout));
    let step = match &project.target {
        Some(target) if target.is_dir => step.args([quoted(&target.path.to_string_lossy())]),
        Some(target) => step.args(["--runTestsByPath".into(), whole(target)]),
        None => step,
    };
    Ok(vec![step])
}

fn mocha(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let name = project.test().map(|test| format!("--fgrep={test}"));
    let what = project.target.as_ref().map(whole);
    let recursive = project.target.as_ref().filter(|target| target.is_dir).map(|_| "--recursive");
    let step = step(project, "mocha", read::mocha::read)?
        .args(["--reporter", "json", "--no-color"])
        .args(recursive)
        .args(name)
        .args(what)
        .reading(|printed| {
            let mut report = read::mocha::read(&printed.stdout);
            // Files that cannot be loaded are told there.
            let unloaded = read::mocha::read(&printed.stderr);
            report.failures.extend(unloaded.failures);
            report.problems.extend(unloaded.problems);
            report
        });
    Ok(vec![step])
}

fn node_test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let name = project.test().map(|test| format!("--test-name-pattern={}", quoted(test)));
    let step = Step::new("node", project.dir, read::node_test::read);
    let step = with_path(project, step).args(["--test", "--test-reporter=tap"]).args(name);
    let files = match &project.target {
        // Some versions take a folder for a file.
        Some(target) if target.is_dir => node::test_files(&target.path),
        Some(target) => vec![target.path.clone()],
        None => Vec::new(),
    };
    if let Some(target) = project.target.as_ref().filter(|_| files.is_empty()) {
        return Err(PlanError::Unfit(format!("`{}` holds no test files of Node's", target.path.display())));
    }
    Ok(vec![step.args(files.iter().map(|file| project.inside(file)))])
}
