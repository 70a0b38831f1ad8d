//! The entries that would allow a call, were they written: for whoever is asked about it.

use std::path::Path;

use bowline_call::{Effect, Family, Target, Targets};
use bowline_command::Access;
use serde_json::Value;

use super::HostRules;
use super::list::List;
use crate::addresses::odd;
use crate::scope::command::{Reading, spelt};
use crate::scope::domain::host;
use crate::{Asked, PathFact, RuleEntry};

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
            Some(Family::Agent | Family::Skill) => argument(asked)?,
            // Of our own writers the files are meant, not whatever else they may write.
            _ if asked.intent.effect == Effect::Write && !asked.facts.paths.is_empty() => {
                files("Edit", &asked.facts.paths)?
            }
            _ => vec![named(asked)],
        };
        let is_about_files =
            offers.iter().all(|offer| offer.starts_with("Edit(") || offer.starts_with("Read("));
        let is_enough = || {
            let entries: Vec<RuleEntry> = offers.iter().cloned().map(RuleEntry::Pattern).collect();
            let list = List::new(&entries, &self.bases, Reading::Allowing);
            list.is_ok_and(|list| super::covering(&list, asked).is_some())
        };
        let is_enough = asked.family == Some(Family::Shell) || !is_about_files || is_enough();
        // What is offered has to mean this very call.
        (!offers.is_empty() && offers.len() <= MOST && is_enough).then_some(offers)
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
                let written = fact.touched.iter().filter(|touch| touch.must_be_allowed());
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

/// The longest name is the one that says whose tool it is.
fn named(asked: &Asked<'_>) -> String {
    let server = asked.call.server.as_ref().and_then(|_| asked.tool.names().last());
    server.map_or_else(|| asked.tool.bare().to_owned(), |name| name.text.clone())
}

/// `Agent(Explore)`, `Skill(deploy)`.
fn argument(asked: &Asked<'_>) -> Option<Vec<String>> {
    let (head, keys) = match asked.family {
        Some(Family::Agent) => ("Agent", ["subagent_type", "agent_type", "agent_type"]),
        _ => ("Skill", ["skill", "name", "command"]),
    };
    let value = keys.iter().find_map(|key| asked.call.arguments.get(key).and_then(Value::as_str));
    match value.map(str::trim) {
        Some(value) if !value.is_empty() && !value.contains(['*', '(', ')']) => {
            Some(vec![format!("{head}({value})")])
        }
        Some(_) => None,
        None => Some(vec![named(asked)]),
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
    let is_plain = |text: &&str| {
        text.starts_with('/') && text.trim_end() == *text && !text.chars().any(char::is_control)
    };
    path.to_str().filter(is_plain)
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
