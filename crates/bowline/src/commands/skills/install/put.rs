//! One skill into one directory: whole or not at all, and nothing that is there already is lost.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use bowline_skills::EmbeddedSkill;
use bowline_std::fs::{ReadError, read_bounded};
use rustix::fs::Access;

use super::aside;
use super::hold::{STAGE, STAGE_LETTERS};

/// How skills are put into a directory.
pub(super) struct Put<'a> {
    pub(super) directory: &'a Path,
    /// Where what is replaced is kept.
    pub(super) aside: Option<&'a Path>,
    pub(super) force: bool,
}

/// What became of a skill, or would.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Installed,
    UpToDate,
    LeftAlone,
    Replaced { kept: PathBuf },
}

/// What is there already.
#[derive(Debug, PartialEq, Eq)]
enum There {
    Nothing,
    Same,
    Other,
}

impl Put<'_> {
    /// What `install` would do now.
    pub(super) fn foresee(&self, skill: &EmbeddedSkill) -> anyhow::Result<Outcome> {
        Ok(match look(&self.directory.join(skill.name), skill)? {
            There::Nothing => Outcome::Installed,
            There::Same => Outcome::UpToDate,
            There::Other if self.force => Outcome::Replaced { kept: self.aside()?.to_owned() },
            There::Other => Outcome::LeftAlone,
        })
    }

    /// What `install` would do now, or why it could not.
    pub(super) fn rehearse(&self, skill: &EmbeddedSkill) -> anyhow::Result<Outcome> {
        let outcome = self.foresee(skill)?;
        if let Outcome::Installed | Outcome::Replaced { .. } = outcome {
            writable(self.directory).context("nothing can be written into the directory")?;
        }
        if let Outcome::Replaced { kept } = &outcome {
            writable(kept).with_context(|| format!("nothing can be kept in `{}`", kept.display()))?;
        }
        Ok(outcome)
    }

    pub(super) fn install(&self, skill: &EmbeddedSkill) -> anyhow::Result<Outcome> {
        let outcome = self.foresee(skill)?;
        match outcome {
            Outcome::UpToDate | Outcome::LeftAlone => Ok(outcome),
            Outcome::Installed => self.add(skill),
            Outcome::Replaced { .. } => self.replace(skill),
        }
    }

    fn add(&self, skill: &EmbeddedSkill) -> anyhow::Result<Outcome> {
        let target = self.directory.join(skill.name);
        let stage = stage(self.directory, skill)?;
        match std::fs::rename(stage.path().join(skill.name), &target) {
            Ok(()) => Ok(Outcome::Installed),
            // Somebody else was quicker. If they put the same there, all is well.
            Err(error) => match look(&target, skill) {
                Ok(There::Same) => Ok(Outcome::UpToDate),
                _ => Err(error).context("it cannot be put in its place"),
            },
        }
    }

    fn replace(&self, skill: &EmbeddedSkill) -> anyhow::Result<Outcome> {
        let target = self.directory.join(skill.name);
        let stage = stage(self.directory, skill)?;
        let kept = aside::put(&target, self.aside()?, stage.path())?;
        if let Err(error) = std::fs::rename(stage.path().join(skill.name), &target) {
            let back = std::fs::rename(&kept.moved, &target);
            let where_it_is = match back {
                Ok(()) => "the old one is in its place again".to_owned(),
                Err(_) => format!("the old one is in `{}`", kept.path.display()),
            };
            return Err(error).context(format!("it cannot be put in its place; {where_it_is}"));
        }
        Ok(Outcome::Replaced { kept: kept.path })
    }

    fn aside(&self) -> anyhow::Result<&Path> {
        self.aside.context("there is no home directory, and so no place to keep the old one")
    }
}

/// Whether something can be made in a directory, which need not be there yet.
fn writable(directory: &Path) -> anyhow::Result<()> {
    for ancestor in directory.ancestors() {
        match ancestor.metadata() {
            Ok(found) if found.is_dir() => {
                return Ok(rustix::fs::access(ancestor, Access::WRITE_OK | Access::EXEC_OK)?);
            }
            Ok(_) => bail!("`{}` is not a directory", ancestor.display()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Writes the skill into a new directory beside its place, which goes away by itself.
fn stage(directory: &Path, skill: &EmbeddedSkill) -> anyhow::Result<tempfile::TempDir> {
    std::fs::create_dir_all(directory).context("the directory cannot be made")?;
    let stage = tempfile::Builder::new().prefix(STAGE).rand_bytes(STAGE_LETTERS).tempdir_in(directory);
    let stage = stage.context("nothing can be written into the directory")?;
    let root = stage.path().join(skill.name);
    std::fs::create_dir(&root)?;
    for (path, bytes) in skill.files {
        let file = root.join(relative(path)?);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&file)?;
        file.write_all(bytes)?;
        // A name must not outlive a crash that its content does not.
        file.sync_all()?;
    }
    Ok(stage)
}

fn relative(path: &str) -> anyhow::Result<&Path> {
    let path = Path::new(path);
    if path.components().any(|part| !matches!(part, Component::Normal(_))) {
        bail!("`{}` is not a path in a skill", path.display());
    }
    Ok(path)
}

/// Compares what is there with the skill.
fn look(target: &Path, skill: &EmbeddedSkill) -> anyhow::Result<There> {
    match target.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            let leads = std::fs::read_link(target).unwrap_or_default();
            bail!("a link to `{}` is in the way", leads.display())
        }
        Ok(found) if !found.is_dir() => bail!("a file is in the way"),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(There::Nothing),
        Err(error) => return Err(error.into()),
    }
    let mut missing: BTreeMap<PathBuf, &[u8]> =
        skill.files.iter().map(|(path, bytes)| (target.join(path), *bytes)).collect();
    let mut directories = vec![target.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in directory.read_dir().context("what is there cannot be read")? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            // A directory that leads to none of our files need not be looked into.
            if kind.is_dir() && missing.keys().any(|file| file.starts_with(&path)) {
                directories.push(path);
                continue;
            }
            match missing.remove(&path) {
                Some(bytes) if kind.is_file() && holds(&path, bytes)? => {}
                _ => return Ok(There::Other),
            }
        }
    }
    Ok(if missing.is_empty() { There::Same } else { There::Other })
}

fn holds(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match read_bounded(path, bytes.len() as u64) {
        Ok((found, _)) => Ok(found == bytes),
        Err(ReadError::TooLarge { .. } | ReadError::NotAFile { .. }) => Ok(false),
        Err(error) => Err(error).context("what is there cannot be read"),
    }
}

#[cfg(test)]
mod tests;
