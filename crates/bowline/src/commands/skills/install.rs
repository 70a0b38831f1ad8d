//! `bowline skills install`: our own skills as files, where agents look for them.

mod aside;
mod hold;
mod place;
mod put;

use std::path::PathBuf;

use bowline_config::Environment;
use bowline_skills::EmbeddedSkill;
use bowline_std::text::nearest;
use clap::Args;

use self::place::{Agent, Destination};
use self::put::{Outcome, Put};
use crate::cli::Shared;
use crate::commands::BadUsage;
use crate::exit::Ending;
use crate::paint::{BOLD, DIM, GOOD, complain, line, note, styled, tame};

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Which of bowline's own skills. Default: all of them.
    names: Vec<String>,
    /// Install where this agent looks for skills; may be repeated.
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    agent: Vec<Agent>,
    /// Install into this directory.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agent", "project"])]
    dest: Option<PathBuf>,
    /// Install into the project (the roots) rather than for the user.
    #[arg(long, requires = "agent")]
    project: bool,
    /// Replace skills that differ. The old ones are kept in the state directory.
    #[arg(long)]
    force: bool,
    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(shared: &Shared, install: &Install) -> anyhow::Result<Ending> {
    // The configuration has no say in this, so a mistake in it is no reason to fail.
    let environment = Environment::read();
    let skills = chosen(bowline_guide::ours().skills(), &install.names)?;
    let destinations = place::destinations(&environment, shared, install)?;
    let mut failed = 0;
    for destination in &destinations {
        failed += fill(destination, &skills, install, &environment);
    }
    if failed > 0 {
        note(format_args!("{failed} could not be installed"));
        return Ok(Ending::Failed);
    }
    Ok(Ending::Well)
}

fn chosen(all: &'static [EmbeddedSkill], names: &[String]) -> Result<Vec<&'static EmbeddedSkill>, BadUsage> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let mut chosen: Vec<&'static EmbeddedSkill> = Vec::new();
    for name in names {
        let Some(skill) = all.iter().find(|skill| skill.name == name) else {
            let near = nearest(name, all.iter().map(|skill| skill.name));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(BadUsage(format!("bowline has no skill `{name}`{near}")));
        };
        if !chosen.iter().any(|known| known.name == skill.name) {
            chosen.push(skill);
        }
    }
    Ok(chosen)
}

/// Puts every skill into one destination, and says what became of each. How many could not be put there.
fn fill(
    destination: &Destination,
    skills: &[&EmbeddedSkill],
    install: &Install,
    environment: &Environment,
) -> usize {
    let shown = tame(&destination.dir.display().to_string());
    if let Err(error) = destination.check() {
        complain(&format!("{shown}: {error:#}"));
        return skills.len();
    }
    // As long as it is held, nobody else changes what was just looked at.
    let held = if install.dry_run { Ok(None) } else { hold::hold(&destination.dir) };
    let _held = match held {
        Ok(held) => held,
        Err(error) => {
            complain(&format!("{shown}: {error:#}"));
            return skills.len();
        }
    };
    line(styled(BOLD, &shown));
    let aside = environment.state_dir.as_ref().map(|state| state.join("replaced-skills"));
    let put = Put { directory: &destination.dir, aside: aside.as_deref(), force: install.force };
    let mut failed = 0;
    for skill in skills {
        let outcome = if install.dry_run { put.rehearse(skill) } else { put.install(skill) };
        match outcome {
            Ok(outcome) => line(format_args!("  {:<28} {}", skill.name, said(&outcome, install.dry_run))),
            Err(error) => {
                failed += 1;
                complain(&format!("{}: {error:#}", destination.dir.join(skill.name).display()));
            }
        }
    }
    failed
}

fn said(outcome: &Outcome, dry_run: bool) -> String {
    match outcome {
        Outcome::Installed if dry_run => styled(GOOD, "would be installed"),
        Outcome::Installed => styled(GOOD, "installed"),
        Outcome::UpToDate => styled(DIM, "up to date"),
        Outcome::LeftAlone => {
            "differs, and is left alone; --force replaces it and keeps the old one".to_owned()
        }
        Outcome::Replaced { kept } => {
            let kept = tame(&kept.display().to_string());
            if dry_run {
                format!("{}; the old one would be kept below {kept}", styled(GOOD, "would be replaced"))
            } else {
                format!("{}; the old one is kept in {kept}", styled(GOOD, "replaced"))
            }
        }
    }
}
