//! One file for each subcommand.

pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod demo;
mod serve;
pub(crate) mod tools;

use crate::cli::{Cli, Command};
use crate::exit::Ending;

/// A command line that clap took and we do not.
#[derive(Debug)]
pub(crate) struct BadUsage(pub(crate) String);

impl std::fmt::Display for BadUsage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUsage {}

pub(crate) fn run(cli: Cli) -> anyhow::Result<Ending> {
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(&cli.shared),
        Command::Call(arguments) => call::run(cli.shared, arguments),
        Command::Tools(arguments) => tools::run(&cli.shared, &arguments),
        Command::Audit(command) => audit::run(&cli.shared, command),
        Command::Demo(arguments) => demo::run(&cli.shared, &arguments),
        Command::Completions(arguments) => Ok(completions::run(&arguments)),
    }
}
