//! `bowline config check`: is the configuration understood, and does it say what was meant?

use bowline_call::HOST_TOOLS;
use bowline_call::ToolIdentity;
use bowline_config::{Whose, lint};
use bowline_gate::NamePattern;
use clap::Subcommand;

use crate::cli::Shared;
use crate::exit::Ending;
use crate::paint::{line, note};
use crate::wiring::{Purpose, assemble_for};

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Read every file that counts here; say what is wrong, and what is probably not meant. Exits with 0 if nothing is wrong.
    #[command(after_help = "`--config FILE` is read here as a bowline.toml, in place of your own.")]
    Check,
}

pub(crate) fn run(mut shared: Shared, command: &Config) -> anyhow::Result<Ending> {
    let Config::Check = command;
    shared.user_file = shared.config.take();
    let bowline = assemble_for(Purpose::Rehearsal, &shared)?;
    let names = bowline.corridor.registry().specs().map(|spec| spec.name.as_str());
    let tools: Vec<_> = names.chain(HOST_TOOLS.iter().map(|tool| tool.name)).map(ToolIdentity::of).collect();
    let means = |pattern: &str| {
        NamePattern::parse(pattern).is_ok_and(|pattern| tools.iter().any(|tool| pattern.matches(tool)))
    };
    let files = &bowline.settings.files;
    let user = files.user.iter().map(|path| (path, Whose::User));
    let others = files.projects.iter().filter(|path| Some(*path) != files.user.as_ref());
    let all: Vec<_> = user.chain(others.map(|path| (path, Whose::Project))).collect();
    bowline.settings.warnings.iter().for_each(note);
    for (path, whose) in &all {
        let there = if path.exists() { "understood" } else { "not there" };
        line(format_args!("{}: {there}", path.display()));
        lint(path, *whose, &means).iter().for_each(note);
    }
    Ok(Ending::Well)
}
