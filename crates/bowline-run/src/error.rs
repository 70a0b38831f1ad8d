//! Why nothing ran: what the caller can mend, and what must be installed.

use std::path::PathBuf;

use bowline_std::process::SpawnError;

use crate::{Language, Task};

/// The question has no plan for its answer. The caller can mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("unsupported language: `{named}`; there are {}", names())]
    UnknownLanguage { named: String },
    #[error("no such file or directory: `{}`{}", .path.display(), .hint)]
    NoSuchPath { path: PathBuf, hint: String },
    #[error("`{}` is outside `{}`", .path.display(), .dir.display())]
    Outside { path: PathBuf, dir: PathBuf },
    #[error("nothing to {task} was found in `{}`{}; looked for {looked_for}", .dir.display(), of(.language))]
    Nothing { task: Task, dir: PathBuf, language: Option<Language>, looked_for: String },
    #[error("several projects could be meant: {}; say which by `path` or `language`", .found.join(", "))]
    Several { found: Vec<String> },
    /// The runner cannot do what is asked of it: one test alone, a file alone.
    #[error("{0}")]
    Unfit(String),
    #[error("there is no room for a directory that the run needs: {0}")]
    Scratch(String),
    /// The project names it, and it is not installed.
    #[error("`{program}` is not installed; {get}")]
    NotInstalled { program: String, get: String },
}

fn of(language: &Option<Language>) -> String {
    language.map_or_else(String::new, |language| format!(" for {language}"))
}

fn names() -> String {
    Language::all().map(Language::name).collect::<Vec<_>>().join(", ")
}

/// A plan was there, and its program did not start.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("`{program}` was not found; {get}")]
    Missing { program: String, get: &'static str },
    #[error(transparent)]
    Start(SpawnError),
    #[error("cancelled by the caller")]
    Cancelled,
}
