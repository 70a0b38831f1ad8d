//! One file for each subcommand.

pub(crate) mod audit;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod gate;
mod serve;
pub(crate) mod servers;
pub(crate) mod skills;
pub(crate) mod tools;
pub(crate) mod undo;

use clap::CommandFactory;
use clap::builder::Resettable;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command, Shared};
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
        Command::Gate(command) => gate::run(cli.shared, command),
        Command::Config(command) => config::run(cli.shared, &command),
        Command::Doctor(arguments) => doctor::run(&cli.shared, &arguments),
        Command::Servers(arguments) => servers::run(&cli.shared, &arguments),
        Command::Skills(command) => skills::run(&cli.shared, &command),
        Command::Undo(arguments) => undo::run(&cli.shared, &arguments),
        Command::ServeWith(words) => serve::run(&with_servers(cli.shared, words)?),
    }
}

/// Language servers in the place of a command, if that is what the words are.
fn with_servers(mut shared: Shared, words: Vec<String>) -> Result<Shared, BadUsage> {
    let first = words.first().map_or("", String::as_str);
    if !bowline_config::names_server(first) {
        refuse(first);
    }
    let pairs = first.contains(':');
    shared.words = shared.take_from(words)?;
    // What follows a program in the other form is the program's.
    let asks = |word: &&String| matches!(word.as_str(), "-h" | "--help" | "-V" | "--version");
    if let Some(word) = shared.words.iter().find(asks).filter(|_| pairs) {
        refuse(word);
    }
    Ok(shared)
}

/// What clap says to a word that is no command of ours, and the end.
fn refuse(word: &str) -> ! {
    // The parser of strange commands alone would let them in again.
    let strict =
        Cli::command().allow_external_subcommands(false).external_subcommand_value_parser(Resettable::Reset);
    let error = match strict.try_get_matches_from(["bowline", word]) {
        Err(error) => error,
        Ok(_) => {
            Cli::command().error(ErrorKind::InvalidSubcommand, format!("unrecognized subcommand '{word}'"))
        }
    };
    error.exit()
}
