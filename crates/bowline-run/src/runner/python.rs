//! Python: pytest or unittest; mypy, pyright, or else whether the files can be compiled at all.
//!
//! Python has no build. What comes nearest is the type checker that the project has set up. A project without one is
//! only compiled, which finds wrong syntax and writes nothing into the project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET_PYTHON: &str = "install Python 3, or make a virtual environment `.venv` in the project";
const PROJECT: [&str; 6] =
    ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "tox.ini"];
/// So many test files are looked into to tell pytest from unittest.
const MOST_READ: usize = 30;
/// Folders whose files are other people's.
const PASSED_OVER: &str = r"(^|/)(\.[^/]+|venv|env|node_modules|site-packages|__pycache__|build|dist)/";

pub(super) const MYPY: Runner = Runner {
    name: "mypy",
    task: Task::Build,
    languages: &[Language::Python],
    by: "`mypy.ini`, `.mypy.ini`, `[tool.mypy]` in `pyproject.toml`, `[mypy]` in `setup.cfg`",
    proof: Proof::Live,
    get: "install mypy into the project's virtual environment: `python -m pip install mypy`",
    finds: |folder| {
        let file = folder.first(&["mypy.ini", ".mypy.ini"]);
        let file = file.or_else(|| tool(folder, "mypy")).or_else(|| section(folder, "setup.cfg", "[mypy]"));
        Mark::of(file)
    },
    plan: mypy,
};

pub(super) const PYRIGHT: Runner = Runner {
    name: "pyright",
    task: Task::Build,
    languages: &[Language::Python],
    by: "`pyrightconfig.json`, `[tool.pyright]` in `pyproject.toml`",
    proof: Proof::Live,
    get: "install pyright: `npm install --save-dev pyright`, or `python -m pip install pyright`",
    finds: |folder| Mark::of(folder.first(&["pyrightconfig.json"]).or_else(|| tool(folder, "pyright"))),
    plan: pyright,
};

pub(super) const COMPILE: Runner = Runner {
    name: "python compileall",
    task: Task::Build,
    languages: &[Language::Python],
    by: "`pyproject.toml`, `setup.py`, `setup.cfg`, `requirements.txt`, `Pipfile`, `tox.ini`, or a `.py` file",
    proof: Proof::Live,
    get: GET_PYTHON,
    finds: |folder| Mark::of(folder.first(&PROJECT)).or_else(|| script(folder)),
    plan: compile,
};

pub(super) const PYTEST: Runner = Runner {
    name: "pytest",
    task: Task::Test,
    languages: &[Language::Python],
    by: "`pytest.ini`, its section in `pyproject.toml`, `setup.cfg` or `tox.ini`, `conftest.py`, pytest among the \
         requirements, or test files that are not for unittest",
    proof: Proof::Live,
    get: "install pytest into the project's virtual environment: `python -m pip install pytest`",
    finds: |folder| Mark::of(wants_pytest(folder)).or_else(|| written(folder, is_for_pytest)),
    plan: pytest,
};

pub(super) const UNITTEST: Runner = Runner {
    name: "unittest",
    task: Task::Test,
    languages: &[Language::Python],
    by: "test files that use `unittest`",
    proof: Proof::Live,
    get: GET_PYTHON,
    finds: |folder| written(folder, |_| true),
    plan: unittest,
};

/// A folder with scripts in it is a project only if there is nothing else.
fn script(folder: Folder<'_>) -> Option<Mark> {
    Some(Mark { file: folder.ending(&[".py"])?, weak: true })
}

/// `[tool.name]` of pyproject.toml.
fn tool(folder: Folder<'_>, name: &str) -> Option<String> {
    folder.toml("pyproject.toml")?.get("tool")?.get(name)?;
    Some("pyproject.toml".to_owned())
}

fn section(folder: Folder<'_>, file: &str, section: &str) -> Option<String> {
    folder.text(file)?.lines().any(|line| line.trim() == section).then(|| file.to_owned())
}

fn wants_pytest(folder: Folder<'_>) -> Option<String> {
    let configured = folder
        .first(&["pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py"])
        .or_else(|| tool(folder, "pytest"))
        .or_else(|| section(folder, "setup.cfg", "[tool:pytest]"))
        .or_else(|| section(folder, "tox.ini", "[pytest]"));
    let required = || {
        let names = folder
            .names()
            .into_iter()
            .filter(|name| name.starts_with("requirements") && name.ends_with(".txt"));
        let files: Vec<String> =
            names.chain(["pyproject.toml".into(), "Pipfile".into(), "setup.cfg".into()]).collect();
        files.into_iter().find(|name| folder.text(name).is_some_and(|text| names_pytest(&text)))
    };
    configured.or_else(required)
}

/// Test files alone say little: they may lie in a project's folder of tests, or beside another language.
fn written(folder: Folder<'_>, fits: fn(&str) -> bool) -> Option<Mark> {
    let name = folder.path().file_name().and_then(|name| name.to_str());
    if matches!(name, Some("tests" | "test")) || folder.has("__init__.py") {
        return None;
    }
    let files = test_files(folder).into_iter();
    let file = files.into_iter().find(|file| fits(&folder.text(file).unwrap_or_default()))?;
    Some(Mark { file, weak: folder.first(&PROJECT).is_none() })
}

fn is_for_pytest(text: &str) -> bool {
    text.contains("import pytest") || (!text.contains("unittest") && text.contains("def test"))
}

/// As a word of its own: `pytest>=8`, `"pytest"`, and not `pytest-cov` alone.
fn names_pytest(text: &str) -> bool {
    text.match_indices("pytest").any(|(at, word)| {
        let after = text[at + word.len()..].chars().next();
        let before = text[..at].chars().next_back();
        let part = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// Test files in the folder and in its folders of tests.
fn test_files(folder: Folder<'_>) -> Vec<String> {
    let mut files = Vec::new();
    for dir in ["", "tests/", "test/"] {
        let inside = folder.join(dir);
        let names = Folder::new(&inside).names().into_iter();
        let tests = names.filter(|name| {
            let stem = name.strip_suffix(".py");
            stem.is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
        });
        files.extend(tests.map(|name| format!("{dir}{name}")));
    }
    files.truncate(MOST_READ);
    files
}

/// The Python of the project's own environment; or of the one that bowline was started in; or the machine's.
fn python(project: &Project<'_>) -> (PathBuf, Option<PathBuf>) {
    let own = project
        .around()
        .flat_map(|folder| [".venv", "venv", "env"].map(|name| folder.join(name)))
        .find(|dir| dir.join("pyvenv.cfg").is_file());
    let started_in =
        || project.environment.get("VIRTUAL_ENV").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let conda = || project.environment.get("CONDA_PREFIX").map(PathBuf::from).filter(|dir| dir.is_absolute());
    for home in own.into_iter().chain(started_in()).chain(conda()) {
        let program = home.join("bin/python");
        if program.exists() {
            return (program, Some(home));
        }
    }
    let names = ["python3", "python"];
    let found = names.iter().find(|name| project.environment.find(name).is_some()).unwrap_or(&"python3");
    ((*found).into(), None)
}

/// A module that is run as a program.
fn module(project: &Project<'_>, name: &str, read: fn(&str) -> crate::Report) -> Step {
    let (program, home) = python(project);
    let step = Step::new(program, project.dir, read).args(["-m", name]);
    let step = step.env("PYTHONUNBUFFERED", "1");
    match home {
        Some(home) => {
            let path = project.environment.path_with([home.join("bin")]);
            step.env("VIRTUAL_ENV", home).env("PATH", path)
        }
        None => step,
    }
}

/// The part that is meant, or all of it.
fn part(project: &Project<'_>) -> OsString {
    project.target.as_ref().map_or(".".into(), |target| project.inside(&target.path))
}

fn mypy(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    // Without a path mypy takes the files that its configuration names.
    let names_files = |text: &str| {
        text.lines().any(|line| {
            let line = line.trim_start();
            ["files", "packages", "modules"]
                .iter()
                .any(|key| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
        })
    };
    let folder = project.folder();
    let set_up =
        ["mypy.ini", ".mypy.ini"].iter().any(|name| folder.text(name).is_some_and(|text| names_files(&text)))
            || folder.toml("pyproject.toml").is_some_and(|manifest| {
                let mypy = manifest.get("tool").and_then(|tool| tool.get("mypy"));
                mypy.is_some_and(|mypy| {
                    ["files", "packages", "modules"].iter().any(|key| mypy.get(key).is_some())
                })
            });
    let what = (project.target.is_some() || !set_up).then(|| part(project));
    let step = module(project, "mypy", read::python::mypy)
        .args(["--show-column-numbers", "--show-error-codes", "--no-pretty", "--no-color-output"])
        .args(what)
        .absent("No module named mypy");
    Ok(vec![step])
}

fn pyright(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    let (python, home) = python(project);
    let in_node = super::node_program(project, "pyright");
    let in_home = home.map(|home| home.join("bin/pyright")).filter(|program| program.is_file());
    let program = in_node.or(in_home).unwrap_or_else(|| "pyright".into());
    let mut step = Step::new(program, project.dir, read::python::pyright);
    if python.is_absolute() {
        step = step.args(["--pythonpath".into(), python.into_os_string()]);
    }
    let what = project.target.as_ref().map(|target| project.inside(&target.path));
    Ok(vec![step.args(what)])
}

fn compile(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    let step = module(project, "compileall", read::python::compileall)
        .args(["-q", "-x", PASSED_OVER])
        .args([part(project)])
        .scratch(|step, room| step.env("PYTHONPYCACHEPREFIX", room))?;
    Ok(vec![step])
}

fn pytest(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let what = project.target.as_ref().map(|target| {
        let mut word = project.inside(&target.path);
        if let Some(test) = &target.test {
            word.push("::");
            word.push(test);
        }
        word
    });
    let step = module(project, "pytest", read::pytest::pytest)
        .args(["--tb=short", "-rfE", "--color=no"])
        .args(what)
        .absent("No module named pytest");
    Ok(vec![step])
}

fn unittest(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let importable = |dir: &Path| dir == project.dir || dir.join("__init__.py").is_file();
    let start = match &project.target {
        Some(target) => target.dir().to_owned(),
        // `.` does not look into folders that are no packages.
        None => ["tests", "test"]
            .iter()
            .map(|name| project.dir.join(name))
            .find(|dir| dir.is_dir() && !importable(dir))
            .unwrap_or_else(|| project.dir.to_owned()),
    };
    let mut step = module(project, "unittest", read::unittest::unittest).args(["discover", "-v", "-s"]);
    step = step.args([project.inside(&start)]);
    if importable(&start) {
        step = step.args(["-t", "."]);
    }
    if let Some(file) = project.target.as_ref().filter(|target| !target.is_dir) {
        let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.contains(['*', '?', '[']) {
            return Err(PlanError::Unfit(format!("unittest takes `{name}` for a pattern; name its folder")));
        }
        step = step.args(["-p", name]);
    }
    if let Some(test) = project.test() {
        step = step.args(["-k", &test.replace("::", ".")]);
    }
    Ok(vec![step])
}
