//! `bowline completions`: a script that teaches a shell our words.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::Ending;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Ending {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "bowline", &mut script);
    crate::paint::line(String::from_utf8_lossy(&script).trim_end());
    Ending::Well
}
