//! What the server takes by itself for an edit: it is shown the file, says what is wrong with it, and again with the edit;
//! then with every file that refers to the symbol. For Rust it is the compiler: only it knows all errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::compilers;
use super::edits::{Budget, Edit};
use crate::bench::drafts::open::Open;
use crate::bench::repositories::{Language, Repository};
use crate::bench::servers::raw::{path, uri};
use crate::home::Home;

/// For the diagnostics of all files that are asked about together, and for references.
const LIMIT: Duration = Duration::from_secs(90);

/// What the server took, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(super) struct Timing {
    /// The edited file, shown as it is on disk.
    pub(super) open: f64,
    /// The edit.
    pub(super) edit: f64,
    pub(super) referring: Option<Referring>,
    /// In the edited file, before and after.
    pub(super) errors: (usize, usize),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Referring {
    pub(super) files: usize,
    /// To say which files refer to the symbol.
    pub(super) references: f64,
    /// For what is wrong with them, with the edit.
    pub(super) took: f64,
}

impl Timing {
    /// The file before and after the edit.
    pub(super) fn file(&self) -> f64 {
        self.open + self.edit
    }

    /// The file before and after the edit, and all that refer to the symbol after it.
    pub(super) fn referring(&self) -> f64 {
        self.file() + self.referring.as_ref().map_or(0.0, |referring| referring.references + referring.took)
    }
}

pub(super) enum Raw {
    Server { open: Box<Open>, root: PathBuf },
    Compiler { repository: &'static Repository, root: PathBuf },
}

impl Raw {
    /// A server that has read the whole repository.
    pub(super) fn start(
        repository: &'static Repository,
        home: &Home,
        root: &Path,
        edits: &[&Edit],
    ) -> Result<Self> {
        if repository.language == Language::Rust {
            let root = root.to_owned();
            compilers::ask(repository, &root, &[])?;
            return Ok(Self::Compiler { repository, root });
        }
        let first = edits.iter().flat_map(|edit| &edit.changes).find(|change| change.before.is_some());
        let first = root.join(&first.context("no edit of a file that is there")?.file);
        let open = repository.serve(home, root, &first, LIMIT)?;
        let mut raw = Self::Server { open: Box::new(open), root: root.to_owned() };
        if let Some(edit) = edits.iter().find(|edit| edit.symbol.is_some()) {
            raw.try_out(edit).context("the first edit, which is not measured")?;
        }
        Ok(raw)
    }

    pub(super) fn try_out(&mut self, edit: &Edit) -> Result<Timing> {
        match self {
            Self::Server { open, root } => on_server(open, root, edit),
            Self::Compiler { repository, root } => by_compiler(repository, root, edit),
        }
    }

    pub(super) fn close(self) -> Result<()> {
        let Self::Server { mut open, .. } = self else { return Ok(()) };
        open.client.ask("shutdown", &Value::Null, LIMIT)?;
        open.client.talk.notify("exit", &Value::Null)?;
        open.client.talk.close(Duration::from_secs(20)).map(drop)
    }
}

fn on_server(open: &mut Open, root: &Path, edit: &Edit) -> Result<Timing> {
    let files: Vec<PathBuf> = edit.changes.iter().map(|change| root.join(&change.file)).collect();
    let there: Vec<&Path> = edit
        .changes
        .iter()
        .zip(&files)
        .filter(|(change, _)| change.before.is_some())
        .map(|(_, file)| file.as_path())
        .collect();
    let edited: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    for file in &edited {
        open.close(file)?;
    }
    let mut timing = Timing::default();
    let began = Instant::now();
    for file in &there {
        open.open(file)?;
    }
    if !there.is_empty() {
        timing.errors.0 = open.errors(&there, &[])?;
    }
    timing.open = millis(began);
    let referring = match (edit.symbol, edit.budget) {
        (Some(place), Budget::OfReferring(_)) => {
            let began = Instant::now();
            let files = references(open, &files[0], place, root)?;
            Some((files, millis(began)))
        }
        _ => None,
    };
    let began = Instant::now();
    for (change, file) in edit.changes.iter().zip(&files) {
        match change.before {
            Some(_) => open.change(file, &change.after)?,
            None => open.open_as(file, &change.after)?,
        }
    }
    timing.errors.1 = open.errors(&edited, &[])?;
    timing.edit = millis(began);
    if let Some((files, references)) = referring {
        let others: Vec<&Path> =
            files.iter().map(PathBuf::as_path).filter(|file| !edited.contains(file)).collect();
        let began = Instant::now();
        let fresh: Vec<&Path> = others.iter().copied().filter(|file| !open.is_open(file)).collect();
        for file in &fresh {
            open.open(file)?;
        }
        // Later than the limit is not a figure, but it is no reason to give up.
        if let Err(error) = open.errors(&[], &others) {
            println!("  raw, {}: {error:#}", edit.name());
        }
        timing.referring = Some(Referring { files: others.len(), references, took: millis(began) });
        for file in &fresh {
            open.close(file)?;
        }
    }
    for (change, file) in edit.changes.iter().zip(&files) {
        if let Some(before) = &change.before {
            open.change(file, before)?;
        }
        open.close(file)?;
    }
    Ok(timing)
}

/// The files with uses of what stands at a place.
fn references(open: &mut Open, file: &Path, place: (usize, usize), root: &Path) -> Result<BTreeSet<PathBuf>> {
    let params = json!({
        "textDocument": { "uri": uri(file) },
        "position": { "line": place.0, "character": place.1 },
        "context": { "includeDeclaration": false },
    });
    let answer =
        open.client.ask("textDocument/references", &params, LIMIT)?.context("no references in time")?;
    let result = answer.result.map_err(anyhow::Error::msg)?;
    let found = result.as_array().into_iter().flatten();
    let files = found.filter_map(|found| path(found["uri"].as_str()?));
    Ok(files.filter(|file| file.starts_with(root)).collect())
}

/// The compiler reads the disk, and goes by the times of files: without an edit it has nothing to do.
fn by_compiler(repository: &Repository, root: &Path, edit: &Edit) -> Result<Timing> {
    let write = |is_after: bool| -> Result<()> {
        for change in &edit.changes {
            let file = root.join(&change.file);
            match (is_after, &change.before) {
                (true, _) => fs::write(&file, &change.after)?,
                (false, Some(before)) => fs::write(&file, before)?,
                (false, None) => fs::remove_file(&file)?,
            }
        }
        Ok(())
    };
    let began = Instant::now();
    write(true)?;
    let said = compilers::ask(repository, root, &[]);
    let edited = millis(began);
    write(false)?;
    let after = said?.len();
    // It compiles the state before again, for the next.
    let before = compilers::ask(repository, root, &[])?.len();
    Ok(Timing { open: 0.0, edit: edited, referring: None, errors: (before, after) })
}

fn millis(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
