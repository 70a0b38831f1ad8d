//! Swift: `swift build` and `swift test`.

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::{Language, read};

const GET: &str = "install Swift, or put it on the PATH that bowline is started with";
const BY: &str = "`Package.swift`";

pub(super) const BUILD: Runner = Runner {
    name: "swift build",
    task: Task::Build,
    languages: &[Language::Swift],
    by: BY,
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        project.refuse_test()?;
        Ok(vec![Step::new("swift", project.dir, read::swift::read).args(["build"])])
    },
};

pub(super) const TEST: Runner = Runner {
    name: "swift test",
    task: Task::Test,
    languages: &[Language::Swift],
    by: BY,
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        let target = project.target.as_ref();
        // A test class is called as its file, mostly.
        let named = target.filter(|target| !target.is_dir).map(|target| {
            let class = target.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            target.test.clone().unwrap_or(class)
        });
        let step = Step::new("swift", project.dir, read::swift::read).args(["test"]);
        Ok(vec![match named {
            Some(name) => step.args(["--filter", &super::node::quoted(&name)]),
            None => step,
        }])
    },
};

fn finds(folder: Folder<'_>) -> Option<Mark> {
    Mark::of(folder.first(&["Package.swift"]))
}
