//! Zig: `zig build` and `zig build test`.

use super::{Mark, Proof, Runner, Step, Task};
use crate::folder::Folder;
use crate::{Language, read};

const GET: &str = "install Zig, or put it on the PATH that bowline is started with";

pub(super) const BUILD: Runner = Runner {
    name: "zig build",
    task: Task::Build,
    languages: &[Language::Zig],
    by: "`build.zig`",
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        project.refuse_test()?;
        Ok(vec![Step::new("zig", project.dir, read::zig::read).args(["build"])])
    },
};

pub(super) const TEST: Runner = Runner {
    name: "zig build test",
    task: Task::Test,
    languages: &[Language::Zig],
    by: "`build.zig`",
    proof: Proof::Recorded,
    get: GET,
    finds,
    plan: |project| {
        let step = Step::new("zig", project.dir, read::zig::read);
        Ok(vec![match &project.target {
            // One file is tested without the build, which knows no files.
            Some(target) if !target.is_dir => {
                let step = step.args(["test".into(), project.inside(&target.path)]);
                match &target.test {
                    Some(test) => step.args(["--test-filter", test]),
                    None => step,
                }
            }
            _ => {
                project.refuse_target("zig build test")?;
                step.args(["build", "test"])
            }
        }])
    },
};

fn finds(folder: Folder<'_>) -> Option<Mark> {
    Mark::of(folder.first(&["build.zig"]))
}
