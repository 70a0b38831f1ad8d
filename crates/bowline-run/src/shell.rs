//! One command line of a person's own, run by the shell like a build or a test: same limits, same end.

use std::ffi::OsString;
use std::path::Path;

use crate::runner::{Proof, Step};
use crate::{Plan, Report, Runner, Task};

/// In no list: nothing about a project leads to it.
static SHELL: Runner = Runner {
    name: "command",
    task: Task::Build,
    languages: &[],
    by: "a command line",
    proof: Proof::Live,
    get: "install a POSIX shell",
    finds: |_| None,
    plan: |_| Ok(Vec::new()),
};

/// What runs this line in this directory.
pub fn shell(line: &str, dir: &Path, environment: &[(OsString, OsString)]) -> Plan {
    let mut step = Step::new("sh", dir, |_| Report::default());
    step.args = vec!["-c".into(), line.into()];
    Plan::of(&SHELL, vec![step], environment.to_vec(), dir)
}
