//! The binary: reads the command line, wires the rooms together, and hands over.

mod asker;
mod cli;
mod commands;
mod exit;
mod index_store;
mod ledger_store;
mod paint;
mod probe;
mod reference_store;
mod roster;
mod skills;
mod stdio;
mod wiring;

use clap::Parser;

use crate::exit::Ending;

fn main() -> std::process::ExitCode {
    let ending = commands::run(cli::Cli::parse()).unwrap_or_else(|error| Ending::from(&error).tell(&error));
    match ending {
        Ending::Well if !paint::all_written() => Ending::Failed.into(),
        ending => ending.into(),
    }
}
