//! Ruby: RSpec or Minitest, and whether a file can be read at all.

use super::{Mark, Proof, Runner, Step, Task};
use crate::project::Project;
use crate::{Language, PlanError, Report, read};

const GET: &str = "install Ruby and the project's gems (`bundle install`)";

pub(super) const SYNTAX: Runner = Runner {
    name: "ruby -wc",
    task: Task::Build,
    languages: &[Language::Ruby],
    by: "`Gemfile`, `Rakefile`, `*.gemspec`; `path` names the file",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| Mark::of(folder.first(&["Gemfile", "Rakefile"]).or_else(|| folder.ending(&[".gemspec"]))),
    plan: |project| {
        project.refuse_test()?;
        // Ruby has no build, and looks at one file at a time.
        let file = project.target.as_ref().filter(|target| !target.is_dir).ok_or_else(|| {
            PlanError::Unfit("Ruby has no build; name a file by `path` and its syntax is checked".into())
        })?;
        Ok(vec![
            Step::new("ruby", project.dir, read::ruby::read).args(["-wc".into(), project.inside(&file.path)]),
        ])
    },
};

pub(super) const RSPEC: Runner = Runner {
    name: "rspec",
    task: Task::Test,
    languages: &[Language::Ruby],
    by: "`.rspec`, a folder `spec`",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| {
        let specs = (folder.has_dir("spec") && folder.first(&["Gemfile", "Rakefile"]).is_some())
            .then(|| "spec".to_owned());
        Mark::of(folder.first(&[".rspec"]).or(specs))
    },
    plan: rspec,
};

pub(super) const MINITEST: Runner = Runner {
    name: "minitest",
    task: Task::Test,
    languages: &[Language::Ruby],
    by: "`Rakefile` and a folder `test`",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| Mark::of(folder.first(&["Rakefile"]).filter(|_| folder.has_dir("test"))),
    plan: minitest,
};

/// With the gems that the project asks for, where it asks for any.
fn bundled(project: &Project<'_>, program: &str, read: fn(&str) -> Report) -> Step {
    if project.folder().has("Gemfile") {
        Step::new("bundle", project.dir, read).args(["exec", program])
    } else {
        Step::new(program, project.dir, read)
    }
}

fn rspec(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    let step = bundled(project, "rspec", read::rspec::read).args(["--no-color", "--format", "progress"]);
    let step = step.scratch(|step, room| {
        let file = room.join("report.json");
        let out = file.clone().into_os_string();
        step.args(["--format".into(), "json".into(), "--out".into(), out]).reports(file, read::rspec::read)
    })?;
    let step = match project.test() {
        Some(test) => step.args(["--example", test]),
        None => step,
    };
    Ok(vec![step.args(project.target.as_ref().map(|target| project.inside(&target.path)))])
}

fn minitest(project: &Project<'_>) -> Result<Vec<Step>, PlanError> {
    Ok(vec![match &project.target {
        Some(target) if !target.is_dir => {
            let file = project.inside(&target.path);
            let step =
                bundled(project, "ruby", read::minitest::read).args(["-Itest".into(), "-Ilib".into(), file]);
            match &target.test {
                Some(test) => step.args(["--name", test]),
                None => step,
            }
        }
        _ => {
            project.refuse_target("rake test")?;
            bundled(project, "rake", read::minitest::read).args(["test"])
        }
    }])
}
