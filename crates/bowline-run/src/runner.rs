//! What a runner is, and all of them.

mod cargo;
mod cmake;
mod dotnet;
mod go;
mod javascript;
mod jvm;
mod make;
mod node;
mod php;
mod python;
mod ruby;
mod swift;
mod zig;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::folder::Folder;
use crate::project::Project;
use crate::{Language, PlanError, Report};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Build,
    Test,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Build => "build",
            Self::Test => "test",
        })
    }
}

/// How it is known that a runner is read as it prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A failing project of it runs in the tests.
    Live,
    /// What it printed elsewhere is read in the tests; it has not run in them.
    Recorded,
}

/// One program that builds or tests. Where a project has several for a language, the first in [`ALL`] is taken.
pub struct Runner {
    /// `go test`
    pub name: &'static str,
    pub task: Task,
    /// Those that it is for; the first one is what it is called by.
    pub languages: &'static [Language],
    /// By which files a project has it, in words.
    pub by: &'static str,
    pub proof: Proof,
    /// How to get the program.
    pub get: &'static str,
    /// What says that this folder is a project of it.
    pub(crate) finds: fn(Folder<'_>) -> Option<Mark>,
    pub(crate) plan: fn(&Project<'_>) -> Result<Vec<Step>, PlanError>,
}

/// What says that a folder is a runner's project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The file that says so.
    pub(crate) file: String,
    /// A weak one counts only where nothing else does: many a project of another language has a `Makefile`.
    pub(crate) weak: bool,
}

impl Mark {
    pub(crate) fn of(file: Option<String>) -> Option<Self> {
        file.map(|file| Self { file, weak: false })
    }
}

/// One program that is to be run.
pub(crate) struct Step {
    /// By its name on the `PATH`, or by its path.
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) dir: PathBuf,
    /// What the project adds to the environment.
    pub(crate) env: Vec<(OsString, OsString)>,
    /// An empty directory of its own, which is taken away with the step.
    pub(crate) scratch: Option<TempDir>,
    /// Where the program leaves its report for machines.
    pub(crate) report: Option<Left>,
    /// What people see of a line that the program wrote for machines.
    pub(crate) view: View,
    pub(crate) read: Read,
    /// What it writes for machines and what it writes for people come through two pipes; else both are one, in order.
    pub(crate) apart: bool,
    /// If it prints this, what was to be run is not installed.
    pub(crate) absent: Option<&'static str>,
    /// Where else than in `dir` the paths that it prints may start.
    pub(crate) bases: Vec<PathBuf>,
}

pub(crate) type View = fn(&str) -> Option<Cow<'_, str>>;
pub(crate) type Read = Box<dyn Fn(&Printed) -> Report + Send + Sync>;

/// What a program leaves for machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Left {
    File(PathBuf),
    Xml { below: PathBuf, folder: &'static str },
}

/// What a program printed, without colours, as far as it is kept.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Both, in the order in which they came.
    pub(crate) both: String,
    /// What it left in its report for machines.
    pub(crate) report: String,
}

impl Step {
    /// A program that is read as it prints, both of its pipes together.
    pub(crate) fn new(
        program: impl Into<PathBuf>,
        dir: impl Into<PathBuf>,
        read: fn(&str) -> Report,
    ) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            dir: dir.into(),
            env: Vec::new(),
            scratch: None,
            report: None,
            view: |line| Some(Cow::Borrowed(line)),
            read: Box::new(move |printed| read(&printed.both)),
            apart: false,
            absent: None,
            bases: Vec::new(),
        }
    }

    /// If it prints this, what was to be run is not installed.
    pub(crate) fn absent(mut self, words: &'static str) -> Self {
        self.absent = Some(words);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Lends it an empty directory and lets it say what to do with that.
    pub(crate) fn scratch(mut self, with: impl FnOnce(Self, &Path) -> Self) -> Result<Self, PlanError> {
        let room = tempfile::Builder::new().prefix("bowline-run-").tempdir();
        let room = room.map_err(|error| PlanError::Scratch(error.to_string()))?;
        self = with(self, room.path());
        self.scratch = Some(room);
        Ok(self)
    }

    /// A program that leaves a report for machines in this file.
    pub(crate) fn reports(mut self, file: PathBuf, read: fn(&str) -> Report) -> Self {
        self.report = Some(Left::File(file));
        self.read = Box::new(move |printed| read(&printed.report));
        self
    }

    /// A program that leaves files of JUnit's XML in folders of this name, below its own.
    pub(crate) fn leaving(mut self, folder: &'static str) -> Self {
        self.report = Some(Left::Xml { below: self.dir.clone(), folder });
        self
    }

    pub(crate) fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// A program whose pipes are read one by one.
    pub(crate) fn reading(mut self, read: impl Fn(&Printed) -> Report + Send + Sync + 'static) -> Self {
        self.read = Box::new(read);
        self.apart = true;
        self
    }

    /// Paths may also start here.
    pub(crate) fn base(mut self, base: impl Into<PathBuf>) -> Self {
        self.bases.push(base.into());
        self
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("dir", &self.dir)
            .field("env", &self.env)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Every runner. Of those for one language and task, the one to be preferred comes first.
pub const ALL: &[&Runner] = &[
    &go::BUILD,
    &go::TEST,
    &cargo::BUILD,
    &cargo::TEST,
    &python::MYPY,
    &python::PYRIGHT,
    &python::COMPILE,
    &python::PYTEST,
    &python::UNITTEST,
    &javascript::TSC,
    &javascript::ESLINT,
    &javascript::NPM_BUILD,
    &javascript::VITEST,
    &javascript::JEST,
    &javascript::MOCHA,
    &javascript::NODE_TEST,
    &javascript::NPM_TEST,
    &jvm::MAVEN_BUILD,
    &jvm::MAVEN_TEST,
    &jvm::GRADLE_BUILD,
    &jvm::GRADLE_TEST,
    &cmake::BUILD,
    &cmake::TEST,
    &make::BUILD,
    &make::TEST,
    &dotnet::BUILD,
    &dotnet::TEST,
    &swift::BUILD,
    &swift::TEST,
    &zig::BUILD,
    &zig::TEST,
    &ruby::SYNTAX,
    &ruby::RSPEC,
    &ruby::MINITEST,
    &php::PHPSTAN,
    &php::SYNTAX,
    &php::PHPUNIT,
];

/// A program of the packages that the project has installed, its own or those of the folders around it.
fn node_program(project: &Project<'_>, name: &str) -> Option<PathBuf> {
    project.around().map(|folder| folder.join("node_modules/.bin").join(name)).find(|path| path.is_file())
}
