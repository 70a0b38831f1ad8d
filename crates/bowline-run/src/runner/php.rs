//! PHP: PHPUnit, PHPStan, and whether a file can be read at all.

use std::path::PathBuf;

use super::{Mark, Proof, Runner, Step, Task};
use crate::project::Project;
use crate::{Language, PlanError, read};

const GET: &str = "install PHP and the project's packages (`composer install`)";

pub(super) const PHPSTAN: Runner = Runner {
    name: "phpstan",
    task: Task::Build,
    languages: &[Language::Php],
    by: "`phpstan.neon`, `phpstan.neon.dist`, `phpstan.dist.neon`",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| Mark::of(folder.first(&["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"])),
    plan: |project| {
        project.refuse_test()?;
        let part = project.target.as_ref().map(|target| project.inside(&target.path));
        let step = Step::new(vendor(project, "phpstan")?, project.dir, read::phpstan::read)
            .args(["analyse", "--error-format=json", "--no-progress", "--no-ansi"])
            .args(part)
            .reading(|printed| read::phpstan::read(&printed.stdout));
        Ok(vec![step])
    },
};

pub(super) const SYNTAX: Runner = Runner {
    name: "php -l",
    task: Task::Build,
    languages: &[Language::Php],
    by: "`composer.json`; `path` names the file",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| Mark::of(folder.first(&["composer.json"])),
    plan: |project| {
        project.refuse_test()?;
        // PHP has no build, and before 8.3 looks at one file at a time.
        let file = project.target.as_ref().filter(|target| !target.is_dir).ok_or_else(|| {
            PlanError::Unfit(
                "PHP has no build; name a file by `path` and its syntax is checked, or set up PHPStan".into(),
            )
        })?;
        Ok(vec![
            Step::new("php", project.dir, read::php::read).args(["-l".into(), project.inside(&file.path)]),
        ])
    },
};

pub(super) const PHPUNIT: Runner = Runner {
    name: "phpunit",
    task: Task::Test,
    languages: &[Language::Php],
    by: "`phpunit.xml`, `phpunit.xml.dist`, `phpunit.dist.xml`",
    proof: Proof::Recorded,
    get: GET,
    finds: |folder| Mark::of(folder.first(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"])),
    plan: |project| {
        let step =
            Step::new(vendor(project, "phpunit")?, project.dir, read::phpunit::read).args(["--colors=never"]);
        let step = match project.test() {
            Some(test) => step.args(["--filter", &super::node::quoted(test)]),
            None => step,
        };
        Ok(vec![step.args(project.target.as_ref().map(|target| project.inside(&target.path)))])
    },
};

/// A program of the packages that Composer has installed.
fn vendor(project: &Project<'_>, name: &str) -> Result<PathBuf, PlanError> {
    let places = project.around().map(|folder| folder.join("vendor/bin").join(name));
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| PlanError::NotInstalled {
        program: name.to_owned(),
        get: format!("run `composer install` in `{}`", project.dir.display()),
    })
}
