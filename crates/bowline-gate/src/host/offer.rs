//! The entries that would allow a call, were they written: for whoever is asked about it.

use std::path::Path;

use bowline_call::{Family, Target, Targets};
use bowline_command::Access;

use super::HostRules;
use crate::addresses::odd;
use crate::scope::command::spelt;
use crate::scope::domain::host;
use crate::{Asked, PathFact};

/// More than so many cannot be read by the person who is asked.
const MOST: usize = 8;

impl HostRules {
    /// As narrow as they can be. `None` if nothing that can be written allows it.
    pub(super) fn offers(&self, asked: &Asked<'_>) -> Option<Vec<String>> {
        if !self.counts_allowing(asked) || super::unreadable(asked).is_some() {
            return None;
        }
        let offers = match asked.family {
            Some(Family::Shell) => self.of_commands(asked)?,
            Some(Family::Edit | Family::Patch) => files("Edit", &asked.facts.paths)?,
            Some(Family::Read) if !asked.facts.paths.is_empty() => files("Read", &asked.facts.paths)?,
            Some(Family::Fetch) => addresses(asked)?,
            _ => vec![asked.tool.bare().to_owned()],
        };
        (!offers.is_empty() && offers.len() <= MOST).then_some(offers)
    }

    fn of_commands(&self, asked: &Asked<'_>) -> Option<Vec<String>> {
        let all = |missing_only: bool| {
            let mut offers = Vec::new();
            for fact in &asked.facts.commands {
                let commands = fact.script.commands.iter().filter(|command| !command.is_wrapper);
                for command in
                    commands.filter(|command| !(missing_only && self.allow.allows_command(asked, command)))
                {
                    offers.push(format!("Bash({})", spelt(command)?));
                }
                let written = fact.touched.iter().filter(|touch| touch.access == Access::Write);
                for path in written.flat_map(|touch| &touch.readings) {
                    if !(missing_only && self.allow.allows_file(asked, Access::Write, path)) {
                        offers.extend(files("Edit", std::slice::from_ref(path))?);
                    }
                }
            }
            offers.dedup();
            Some(offers)
        };
        // Where everything is allowed already, an entry that asks is in the way: then all of it is to be remembered.
        match all(true)? {
            missing if missing.is_empty() => all(false),
            missing => Some(missing),
        }
    }
}

fn files(tool: &str, paths: &[PathFact]) -> Option<Vec<String>> {
    let mut offers = Vec::new();
    for path in paths {
        let real = path.real.as_deref().ok()?;
        for reading in [path.absolute.as_path(), real] {
            let offer = format!("{tool}(/{})", globset::escape(text(reading)?));
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        }
    }
    Some(offers)
}

/// A path that can stand in an entry.
fn text(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.starts_with('/') && !text.chars().any(char::is_control))
}

fn addresses(asked: &Asked<'_>) -> Option<Vec<String>> {
    let Targets::Known(targets) = &asked.intent.targets else { return None };
    let hosts = targets.iter().map(|target| match target {
        Target::Address(address) if odd(address).is_some() => None,
        Target::Address(address) => host(address).map(|host| format!("WebFetch(domain:{host})")),
        Target::Path(_) | Target::Command(_) => None,
    });
    hosts.collect()
}
