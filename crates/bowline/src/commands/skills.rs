//! `bowline skills`: what skills there are, what is wrong with one, and our own where agents look for them.

mod install;
mod list;
mod show;
mod validate;

use std::sync::Arc;

use bowline_config::Settings;
use bowline_skills::{FileSystemStore, Library, Reading, Store};
use clap::{Args, Subcommand};

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::note;

#[derive(Debug, Subcommand)]
pub(crate) enum Skills {
    /// Every skill that an agent gets here, and what is left out and why.
    List(List),
    /// One skill: its head, its text, its files and its phases.
    Show(Show),
    /// Check a skill, or a directory of skills. Exits with 0 if all is well, with 1 if not.
    Validate(validate::Validate),
    /// Write bowline's own skills where an agent looks for them.
    Install(install::Install),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// For machines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Its name, as `list` has it.
    name: String,
}

pub(crate) fn run(shared: &Shared, command: &Skills) -> anyhow::Result<Ending> {
    match command {
        Skills::List(list) => list::run(&library(&settings(shared)?), list.json),
        Skills::Show(show) => show::run(&library(&settings(shared)?), &show.name),
        Skills::Validate(validate) => Ok(validate::run(validate)),
        Skills::Install(install) => install::run(shared, install),
    }
}

fn settings(shared: &Shared) -> anyhow::Result<Settings> {
    let (_, settings) = crate::wiring::settings(shared)?;
    settings.warnings.iter().for_each(note);
    Ok(settings)
}

/// All skills: those of the roots, and our own.
fn library(settings: &Settings) -> Library {
    let ours = bowline_guide::ours();
    let reading = if settings.skills.strict { Reading::Strict } else { Reading::Lenient };
    let on_disk = FileSystemStore::new(settings.skills.roots.iter().cloned(), reading)
        .without_for_projects(ours.reserved());
    Library::new(vec![Arc::new(on_disk), Arc::new(ours)])
}
