//! `pydoc`, which imports the module and so runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Documentation, DocumentationError, LIMIT, Question};
use crate::program::Run;
use crate::{ProgramError, WorkspaceError};

const SCRIPT: &str = include_str!("pydoc.py");

#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Known { signature: String, text: String },
    Unknown { error: String },
}

pub(super) async fn ask(question: &Question<'_>) -> Result<Documentation, DocumentationError> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut names = Vec::new();
    if let Some(file) = &question.file {
        let (package_root, module) = module_of(file)?;
        paths.push(package_root);
        names.push(format!("{module}.{}", question.symbol));
        if module == question.symbol || module.ends_with(&format!(".{}", question.symbol)) {
            names.push(module);
        }
    }
    names.push(question.symbol.to_owned());
    paths.push(question.root.clone());
    paths.push(question.root.join("src"));
    let said = run(question, &paths, &names).await?;
    match serde_json::from_slice(&said) {
        Ok(Said::Known { signature, text }) => Ok(Documentation::new(&signature, &text)),
        Ok(Said::Unknown { error }) => Err(question.not_found(error)),
        Err(_) => Err(DocumentationError::Unreadable { program: "pydoc" }),
    }
}

async fn run(
    question: &Question<'_>,
    paths: &[PathBuf],
    names: &[String],
) -> Result<Vec<u8>, DocumentationError> {
    let arguments: Vec<OsString> = paths
        .iter()
        .map(|path| path.as_os_str().to_owned())
        .chain([OsString::new()])
        .chain(names.iter().map(OsString::from))
        .collect();
    let with = |python: PathBuf| {
        Run::new(python, question.dir(), question.workspace.fleet.environment(), LIMIT)
            // No byte code is left behind. Without isolation: `PYTHONPATH` may be where the project's modules are.
            .args(["-B", "-c", SCRIPT])
            .args(&arguments)
            .env("PYTHONIOENCODING", "utf-8")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .without_env(&["PYTHONSTARTUP", "PYTHONINSPECT"])
    };
    let python = interpreter(question);
    let first = with(python.clone().unwrap_or_else(|| "python3".into())).output(question.patience).await;
    let said = match first {
        // Some systems have it by the other name only.
        Err(WorkspaceError::Program(ProgramError::Start(missing))) if python.is_none() => {
            with("python".into()).output(question.patience).await.map_err(|_| ProgramError::from(missing))?
        }
        said => said?,
    };
    Ok(said.successful()?)
}

/// The project's own interpreter, which knows what the project imports.
fn interpreter(question: &Question<'_>) -> Option<PathBuf> {
    let inside = question.dir().ancestors().take_while(|dir| dir.starts_with(&question.root));
    let places = inside.flat_map(|dir| [".venv/bin/python", "venv/bin/python"].map(|place| dir.join(place)));
    places.into_iter().find(|place| place.is_file())
}

/// From where a file is imported, and by what name: its packages are the directories with an `__init__.py`.
fn module_of(file: &Path) -> Result<(PathBuf, String), DocumentationError> {
    let bad = || DocumentationError::NotImportable { file: file.to_owned() };
    let stem = file.file_stem().and_then(|stem| stem.to_str()).ok_or_else(bad)?;
    let mut names = Vec::new();
    if stem != "__init__" {
        names.push(stem.to_owned());
    }
    let mut dir = file.parent().ok_or_else(bad)?;
    while dir.join("__init__.py").is_file() {
        names.push(dir.file_name().and_then(|name| name.to_str()).ok_or_else(bad)?.to_owned());
        dir = dir.parent().ok_or_else(bad)?;
    }
    let is_name = |name: &String| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    if names.is_empty() || !names.iter().all(is_name) {
        return Err(bad());
    }
    names.reverse();
    Ok((dir.to_owned(), names.join(".")))
}
