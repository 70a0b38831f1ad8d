//! From a question to the programs that answer it. Looks at files, runs nothing.

mod choose;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::project::{Project, Target};
use crate::runner::Step;
use crate::{Language, PlanError, Runner, Task};

/// What is to be built or tested.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub task: Task,
    /// A real directory.
    pub dir: &'a Path,
    /// The real directory around it, above which nobody looks for a project.
    pub root: &'a Path,
    /// A directory, a file or `file::test` inside `dir`.
    pub path: Option<&'a str>,
    pub language: Option<&'a str>,
    /// What the programs will see of it.
    pub environment: &'a [(OsString, OsString)],
}

/// The programs that would run, one after the other until one fails.
#[derive(Debug)]
pub struct Plan {
    pub runner: &'static Runner,
    pub(crate) steps: Vec<Step>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    project: PathBuf,
}

impl Plan {
    pub(crate) fn of(
        runner: &'static Runner,
        steps: Vec<Step>,
        environment: Vec<(OsString, OsString)>,
        project: &Path,
    ) -> Self {
        Self { runner, steps, environment, project: project.to_owned() }
    }

    /// The folder of the project.
    pub fn dir(&self) -> &Path {
        &self.project
    }

    /// What runs, one line for each program.
    pub fn commands(&self) -> Vec<String> {
        self.steps.iter().map(line).collect()
    }

    /// The same as one line.
    pub fn command(&self) -> String {
        self.commands().join(" && ")
    }

    /// Without its program it is of no use.
    pub fn program(&self) -> &Path {
        self.steps.first().map_or(Path::new(""), |step| &step.program)
    }
}

/// Which programs would run.
pub fn plan(request: &Request<'_>) -> Result<Plan, PlanError> {
    let language = match request.language {
        Some(named) => Some(
            Language::named(named)
                .ok_or_else(|| PlanError::UnknownLanguage { named: bowline_std::text::cut(named, 40) })?,
        ),
        None => None,
    };
    let target = request.path.map(|path| target(request.dir, path)).transpose()?.flatten();
    let chosen = choose::choose(request, target.as_ref(), language)?;
    // Whoever asks in a part of a project means that part.
    let part = || {
        let inside = request.dir != chosen.dir && request.dir.starts_with(&chosen.dir);
        inside.then(|| Target { path: request.dir.to_owned(), is_dir: true, test: None })
    };
    let project = Project {
        dir: &chosen.dir,
        root: request.root,
        target: target.or_else(part),
        environment: Environment::new(request.environment),
    };
    let steps = (chosen.runner.plan)(&project)?;
    let environment = request.environment.to_vec();
    Ok(Plan { runner: chosen.runner, steps, environment, project: chosen.dir })
}

/// What a path means: a directory, a file or one test. `None` is all there is.
fn target(dir: &Path, written: &str) -> Result<Option<Target>, PlanError> {
    let (path, test) = match written.split_once("::") {
        Some((path, test)) => (path, Some(test)),
        None => (written, None),
    };
    // No test is called so, and some runner would take it for an option.
    if test.is_some_and(|test| test.is_empty() || test.starts_with('-')) {
        return Err(PlanError::Unfit(format!("`{written}` names no test after `::`")));
    }
    // As Go says "and everything below".
    let path = path.strip_suffix("...").unwrap_or(path);
    if path.is_empty() && test.is_none() {
        return Ok(None);
    }
    let path = dir.join(path);
    let missing = || {
        let hint = if test.is_none() { "; a single test is written `file::test`" } else { "" };
        PlanError::NoSuchPath { path: path.clone(), hint: hint.to_owned() }
    };
    let real = path.canonicalize().map_err(|_| missing())?;
    if !real.starts_with(dir) {
        return Err(PlanError::Outside { path: real, dir: dir.to_owned() });
    }
    let is_dir = real.is_dir();
    if real == dir && test.is_none() {
        return Ok(None);
    }
    Ok(Some(Target { path: real, is_dir, test: test.map(str::to_owned) }))
}

/// The command as one would type it.
pub(crate) fn line(step: &Step) -> String {
    let words = std::iter::once(step.program.as_os_str()).chain(step.args.iter().map(OsString::as_os_str));
    words.map(word).collect::<Vec<_>>().join(" ")
}

fn word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
