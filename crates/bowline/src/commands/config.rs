//! `bowline config check`: is the configuration understood, and does it say what was meant?

use clap::Subcommand;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{line, note};
use crate::wiring::{Purpose, assemble_for};

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Read every file that counts here, and say what is wrong and what is probably not meant. Exits with 0 if nothing is wrong.
    #[command(after_help = "`--config FILE` is read here as a bowline.toml, in place of your own.")]
    Check,
}

pub(crate) fn run(mut shared: Shared, command: &Config) -> anyhow::Result<Ending> {
    let Config::Check = command;
    shared.user_file = shared.config.take();
    let bowline = assemble_for(Purpose::Rehearsal, &shared)?;
    bowline.settings.warnings.iter().for_each(note);
    line("the configuration is understood");
    Ok(Ending::Well)
}
