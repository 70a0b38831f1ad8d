//! C and C++ with CMake and CTest.

use std::path::{Path, PathBuf};

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str = "install CMake, which brings ctest, and a C or C++ compiler";
const BY: &str = "`CMakeLists.txt`";
/// Where people build, and the editors they build with.
const PLACES: [&str; 7] =
    ["build", "out", "_build", "cmake-build-debug", "cmake-build-release", "build/debug", "build/release"];

pub(super) const BUILD: Runner = Runner {
    name: "cmake --build",
    task: Task::Build,
    languages: &[Language::Cpp],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: build,
};

pub(super) const TEST: Runner = Runner {
    name: "ctest",
    task: Task::Test,
    languages: &[Language::Cpp],
    by: BY,
    proof: Proof::Live,
    get: GET,
    finds,
    plan: test,
};

/// The topmost one is the project's; those in its folders are parts of it, and say `project` seldom.
fn finds(folder: Folder<'_>) -> Option<Mark> {
    let text = folder.text("CMakeLists.txt")?.to_lowercase();
    let says = |line: &str| {
        line.trim_start().strip_prefix("project").is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    text.lines().any(says).then(|| Mark { file: "CMakeLists.txt".to_owned(), weak: false })
}

fn build(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    project.refuse_test()?;
    Ok(built(project).0)
}

fn test(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let (mut steps, place) = built(project);
    let mut step =
        Step::new("ctest", &place, read::ctest::ctest).args(["--output-on-failure", "--no-tests=error"]);
    step = step.base(project.dir);
    match &project.target {
        Some(target) if target.test.is_some() => {
            let name = target.test.as_deref().unwrap_or_default();
            step = step.args(["-R", &format!("^{}$", quoted(name))]);
        }
        // ctest runs what was added below a folder, in the same folder of the build.
        Some(target) => {
            let inside = target.dir().strip_prefix(project.dir).unwrap_or(Path::new(""));
            let below = place.join(inside);
            if !below.join("CTestTestfile.cmake").is_file() && !inside.as_os_str().is_empty() {
                project.refuse_target("ctest")?;
            }
            step.dir = below;
        }
        None => {}
    }
    steps.push(step);
    Ok(steps)
}

/// Configured where it is not yet, then built; and where.
fn built(project: &Project<'_>) -> (Vec<Step>, PathBuf) {
    let configured = PLACES.iter().find(|place| project.folder().has(&format!("{place}/CMakeCache.txt")));
    let place = configured.unwrap_or(&"build");
    let mut steps = Vec::new();
    if configured.is_none() {
        steps.push(Step::new("cmake", project.dir, read::cmake::configure).args(["-S", ".", "-B", place]));
    }
    let jobs = bowline_std::process::parallelism();
    let build = Step::new("cmake", project.dir, read::cmake::build)
        .args(["--build", place, "--parallel", &jobs.to_string()])
        .base(project.dir.join(place));
    steps.push(build);
    (steps, project.dir.join(place))
}

/// A pattern of CMake's that only this name fits.
fn quoted(name: &str) -> String {
    let mut quoted = String::new();
    for c in name.chars() {
        if "^$.[]|()*+?\\-".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}
