//! What the compiler says of an edit: which errors are there afterwards that were not there before.
//!
//! It runs in a copy beside the sources, once for each edit. The repository is pinned and the edit is data, so what it said
//! is kept with the sources and read again the next time.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::compilers::{self, Said};
use super::edits::Edit;
use crate::bench::repositories::Repository;

/// Raised when the compilers are asked another way: then what they said counts no more.
const ASKED: u32 = 1;

/// What an edit does to a repository.
pub(super) struct Truth {
    /// Errors that it introduces: the file, from the root on, and what is said.
    pub(super) introduced: Vec<(String, String)>,
}

impl Truth {
    pub(super) fn is_clean(&self) -> bool {
        self.introduced.is_empty()
    }
}

/// The truth about every edit of a repository.
pub(super) fn of(repository: &Repository, edits: &[&Edit]) -> Result<Vec<Truth>> {
    let mut compiling = Compiling::new(repository)?;
    edits.iter().map(|edit| compiling.judge(edit).with_context(|| edit.name())).collect()
}

struct Compiling<'a> {
    repository: &'a Repository,
    /// The copy.
    root: PathBuf,
    /// What was said before.
    kept: PathBuf,
    before: Option<Said>,
    /// Two runs must not edit the same copy.
    _lock: File,
}

impl<'a> Compiling<'a> {
    fn new(repository: &'a Repository) -> Result<Self> {
        let folder = repository.folder();
        repository.source()?;
        let lock = File::create(folder.join("truth.lock"))?;
        lock.lock()?;
        let kept = folder.join("truth");
        fs::create_dir_all(&kept)?;
        Ok(Self { repository, root: folder.join("compiled"), kept, before: None, _lock: lock })
    }

    fn judge(&mut self, edit: &Edit) -> Result<Truth> {
        let mut hasher = DefaultHasher::new();
        (ASKED, edit.identity()).hash(&mut hasher);
        let file = self.kept.join(format!("{:016x}.json", hasher.finish()));
        if let Some(truth) = read(&file) {
            return Ok(truth);
        }
        let began = Instant::now();
        let before = self.before()?.clone();
        self.write(edit, true)?;
        let after = compilers::ask(self.repository, &self.root, &files(edit));
        self.write(edit, false)?;
        let introduced = after?.new_since(&before);
        println!(
            "  the compiler on {}, {}: {} errors introduced, {:.0} s",
            self.repository.short(),
            edit.name(),
            introduced.len(),
            began.elapsed().as_secs_f64()
        );
        let value = json!({ "edit": edit.name(), "introduced": introduced });
        fs::write(&file, serde_json::to_string_pretty(&value)? + "\n")?;
        Ok(Truth { introduced })
    }

    /// What is said of the repository as it is.
    fn before(&mut self) -> Result<&Said> {
        if self.before.is_none() {
            // Whatever was left by a run that was cut off is no copy.
            let whole = self.root.with_extension("whole");
            if !whole.exists() {
                if self.root.exists() {
                    fs::remove_dir_all(&self.root)?;
                }
                self.repository.copy_to(&self.root)?;
                fs::write(&whole, "")?;
            }
            let file = self.kept.join(format!("before-{ASKED}.json"));
            let said = match fs::read_to_string(&file).ok().and_then(|text| Said::from_json(&text)) {
                Some(said) => said,
                None => {
                    let began = Instant::now();
                    let said = compilers::ask(self.repository, &self.root, &[])?;
                    let took = began.elapsed().as_secs_f64();
                    println!(
                        "  the compiler on {}: {} errors, {took:.0} s",
                        self.repository.short(),
                        said.len()
                    );
                    fs::write(&file, said.to_json())?;
                    said
                }
            };
            self.before = Some(said);
        }
        self.before.as_ref().context("it was just asked")
    }

    fn write(&self, edit: &Edit, is_after: bool) -> Result<()> {
        let whole = self.root.with_extension("whole");
        if is_after {
            let _ = fs::remove_file(&whole);
        }
        for change in &edit.changes {
            let file = self.root.join(&change.file);
            match (is_after, &change.before) {
                (true, _) => {
                    fs::create_dir_all(file.parent().context("it has a folder")?)?;
                    fs::write(&file, &change.after)?;
                }
                (false, Some(before)) => fs::write(&file, before)?,
                (false, None) => fs::remove_file(&file)?,
            }
        }
        if !is_after {
            fs::write(&whole, "")?;
        }
        Ok(())
    }
}

fn files(edit: &Edit) -> Vec<&Path> {
    edit.changes.iter().map(|change| change.file.as_path()).collect()
}

fn read(file: &Path) -> Option<Truth> {
    let value: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
    let introduced = value["introduced"].as_array()?.iter().filter_map(pair).collect();
    Some(Truth { introduced })
}

/// For one compiler over a whole repository, on a busy machine.
pub(super) const COMPILE: Duration = Duration::from_secs(1500);
