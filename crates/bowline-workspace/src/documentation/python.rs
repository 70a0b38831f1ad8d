//! Python's own documentation. What belongs to the project or to the standard library is read by Python's own parser
//! and never imported, which would run it; what has no source is described by `pydoc`.

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
    paths.extend(installed(question));
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
    let list = |paths: &[PathBuf]| {
        let paths: Vec<OsString> = paths.iter().map(|path| path.as_os_str().to_owned()).collect();
        paths.into_iter().chain([OsString::new()])
    };
    let arguments: Vec<OsString> =
        list(question.workspace.roots()).chain(list(paths)).chain(names.iter().map(OsString::from)).collect();
    let with = |python: &str| {
        Run::new(python, question.dir(), question.workspace.fleet.environment(), LIMIT)
            // Isolated: nothing of the project or of the user is on its path. No byte code is left behind.
            .args(["-I", "-B", "-c", SCRIPT])
            .args(&arguments)
            .env("PYTHONIOENCODING", "utf-8")
            .without_env(&["PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONPATH", "PYTHONHOME"])
    };
    let said = match with("python3").output(question.patience).await {
        // Some systems have it by the other name only.
        Err(WorkspaceError::Program(ProgramError::Start(missing))) => {
            with("python").output(question.patience).await.map_err(|_| ProgramError::from(missing))?
        }
        said => said?,
    };
    Ok(said.successful()?)
}

/// Where the project keeps what it has installed. It is read, like the project itself; its interpreter is not run.
/// What a link leads to outside of the project is not its own.
fn installed(question: &Question<'_>) -> Vec<PathBuf> {
    let inside = question.dir().ancestors().take_while(|dir| dir.starts_with(&question.root));
    let libraries = inside.flat_map(|dir| [".venv/lib", "venv/lib"].map(|place| dir.join(place)));
    let versions = libraries.filter_map(|library| library.read_dir().ok()).flatten().flatten();
    versions
        .map(|version| version.path().join("site-packages"))
        .filter(|path| {
            path.is_dir() && path.canonicalize().is_ok_and(|real| real.starts_with(&question.root))
        })
        .take(4)
        .collect()
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
