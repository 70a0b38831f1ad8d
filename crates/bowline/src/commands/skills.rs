//! `bowline skills`: what skills there are, what is wrong with one, and our own where agents look for them.

mod install;
mod list;
mod show;
mod validate;

use bowline_config::Settings;
use clap::{Args, Subcommand};

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::note;
use crate::skills::library;

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
        Skills::List(list) => list::run(&*library(&settings(shared)?.skills), list.json),
        Skills::Show(show) => show::run(&*library(&settings(shared)?.skills), &show.name),
        Skills::Validate(validate) => Ok(validate::run(validate)),
        Skills::Install(install) => install::run(shared, install),
    }
}

fn settings(shared: &Shared) -> anyhow::Result<Settings> {
    let (_, settings) = crate::wiring::settings(shared)?;
    settings.warnings.iter().for_each(note);
    Ok(settings)
}
