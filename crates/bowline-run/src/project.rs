//! One project and what of it is meant, as its runner sees them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::PlanError;
use crate::environment::Environment;
use crate::folder::Folder;

#[derive(Debug)]
pub(crate) struct Project<'a> {
    /// Where the runner was found.
    pub(crate) dir: &'a Path,
    /// Nothing above it belongs to the workspace.
    pub(crate) root: &'a Path,
    /// `None` is all of it.
    pub(crate) target: Option<Target>,
    pub(crate) environment: Environment<'a>,
}

/// What of a project is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Real and absolute: whatever it is called, it is no option.
    pub(crate) path: PathBuf,
    pub(crate) is_dir: bool,
    /// The name of one test in it.
    pub(crate) test: Option<String>,
}

impl Target {
    /// The directory, or the one that the file is in.
    pub(crate) fn dir(&self) -> &Path {
        if self.is_dir { &self.path } else { self.path.parent().unwrap_or(&self.path) }
    }
}

impl<'a> Project<'a> {
    pub(crate) fn folder(&self) -> Folder<'a> {
        Folder::new(self.dir)
    }

    /// A path from the project's folder on, as a word that is no option: `.`, `./src/a.c`.
    pub(crate) fn inside(&self, path: &Path) -> OsString {
        match path.strip_prefix(self.dir) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
            Ok(inside) => Path::new(".").join(inside).into_os_string(),
            Err(_) => path.as_os_str().to_owned(),
        }
    }

    /// The name of the one test that is meant.
    pub(crate) fn test(&self) -> Option<&str> {
        self.target.as_ref()?.test.as_deref()
    }

    /// This folder and those around it, up to the workspace's root.
    pub(crate) fn around(&self) -> impl Iterator<Item = Folder<'a>> {
        let root = self.root;
        self.dir.ancestors().take_while(move |dir| dir.starts_with(root)).map(Folder::new)
    }

    /// For builds: they have no tests to choose from.
    pub(crate) fn refuse_test(&self) -> Result<(), PlanError> {
        match self.test() {
            Some(test) => Err(PlanError::Unfit(format!(
                "a build does not know the test `{test}`; name a file or directory"
            ))),
            None => Ok(()),
        }
    }

    /// For programs that take all or nothing.
    pub(crate) fn refuse_target(&self, program: &str) -> Result<(), PlanError> {
        match &self.target {
            Some(target) => Err(PlanError::Unfit(format!(
                "`{program}` takes the whole project at once; leave out `path`, or name the project's own folder instead of `{}`",
                target.path.display()
            ))),
            None => Ok(()),
        }
    }
}
