//! Repositories that every machine has on which the tests ran: this one, and sources that came with the pinned tools.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::bench::repositories::copy;
use crate::tools::{GOPLS, PYTHON_SDK, TYPESCRIPT_SERVER};
use crate::{install, paths, run};

pub(super) struct Repository {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) language: &'static str,
    pub(super) extension: &'static str,
    pub(super) variable: &'static str,
    arguments: &'static [&'static str],
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Own,
    GoModule,
    PythonPackage,
    NodePackage,
}

pub(super) const REPOSITORIES: [Repository; 4] = [
    Repository {
        name: "gopls",
        about: "golang.org/x/tools/gopls v0.23.0, from Go's module cache",
        language: "go",
        extension: ".go",
        variable: "BOWLINE_SERVER_GOPLS",
        arguments: &[],
        kind: Kind::GoModule,
    },
    Repository {
        name: "mcp",
        about: "the Python package mcp 2.3.0, from the environment of the tests",
        language: "python",
        extension: ".py",
        variable: "BOWLINE_SERVER_PYRIGHT",
        arguments: &["--stdio"],
        kind: Kind::PythonPackage,
    },
    Repository {
        name: "typescript",
        about: "lib/typescript.d.ts of typescript 5.9.3, beside the language server",
        language: "typescript",
        extension: ".ts",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        arguments: &["--stdio"],
        kind: Kind::NodePackage,
    },
    Repository {
        name: "bowline",
        about: "this repository as it is, in its place",
        language: "rust",
        extension: ".rs",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        arguments: &[],
        kind: Kind::Own,
    },
];

impl Repository {
    pub(super) fn spec(&self, program: &str) -> String {
        let words: Vec<&str> = std::iter::once(program).chain(self.arguments.iter().copied()).collect();
        format!("{}:{}", self.language, words.join(","))
    }

    /// Where its sources are; none if they are not here.
    pub(super) fn source(&self) -> Option<PathBuf> {
        let folder = match self.kind {
            Kind::Own => paths::root().to_owned(),
            Kind::GoModule => {
                let mut go = run::command("go");
                let cache = run::stdout(go.args(["env", "GOMODCACHE"]), Duration::from_secs(30)).ok()?;
                PathBuf::from(cache.trim()).join(format!("{}@{}", GOPLS.package, GOPLS.version))
            }
            Kind::PythonPackage => {
                let python = install::tool(&PYTHON_SDK).ok()?;
                packages(&python)?.join("mcp")
            }
            Kind::NodePackage => {
                let script = install::tool(&TYPESCRIPT_SERVER).ok()?;
                script.ancestors().nth(3)?.join("typescript")
            }
        };
        folder.is_dir().then_some(folder)
    }

    /// The folder to work in: a copy, but for our own, which is built and must not be built again.
    pub(super) fn place(&self, source: &Path, home: &Path) -> Result<PathBuf> {
        let root = home.join("repository");
        match self.kind {
            Kind::Own => return Ok(source.to_owned()),
            Kind::GoModule => copy(source, &root, &|_| true)?,
            Kind::PythonPackage => {
                copy(source, &root.join(self.name), &|name| name.ends_with(".py"))?;
                // What it imports is found where it came from.
                let environment = source.ancestors().nth(4).context("a package is in an environment")?;
                let settings = json!({ "venvPath": environment.parent(), "venv": environment.file_name().map(|name| name.to_string_lossy()) });
                std::fs::write(root.join("pyrightconfig.json"), settings.to_string())?;
            }
            Kind::NodePackage => {
                std::fs::create_dir_all(root.join("lib"))?;
                let file = "lib/typescript.d.ts";
                std::fs::write(root.join(file), std::fs::read(source.join(file))?)?;
                std::fs::write(root.join("tsconfig.json"), "{ \"include\": [\"lib\"] }\n")?;
            }
        }
        Ok(root)
    }
}

/// The folder with the packages of a Python environment.
fn packages(python: &Path) -> Option<PathBuf> {
    let library = python.parent()?.parent()?.join("lib");
    let versions = std::fs::read_dir(library).ok()?.flatten();
    versions.map(|version| version.path().join("site-packages")).find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tokens::asked::ASKED;

    #[test]
    fn every_question_is_about_a_repository_that_is_known() {
        for asked in &ASKED {
            assert!(REPOSITORIES.iter().any(|repository| repository.name == asked.repository));
        }
    }

    #[test]
    fn versions_are_those_of_the_tools() {
        let about = |name| REPOSITORIES.iter().find(|one| one.name == name).unwrap().about;
        assert!(about("gopls").contains(GOPLS.version));
        assert!(about("mcp").contains(PYTHON_SDK.version));
        let crate::tools::Source::NpmBeside(beside) = TYPESCRIPT_SERVER.source else { panic!() };
        assert!(about("typescript").contains(beside.split_once('@').unwrap().1));
    }
}
