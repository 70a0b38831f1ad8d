//! Entries that may allow a call, were they written: for the person who is asked about it. The gate tries them before it says them.

use std::path::Path;

use bowline_call::{Effect, Family, Target, Targets};
use bowline_command::{Access, Command, Pin};
use serde_json::Value;

use super::HostRules;
use crate::addresses::odd;
use crate::scope::command::{CommandPattern, last_part, quoted, spelt};
use crate::scope::domain::host;
use crate::{Asked, PathFact};

/// More than so many cannot be read by the person who is asked.
const MOST: usize = 8;
/// A longer command is not said twice, so an entry for this very one is of no use.
const MAX_WORDS: usize = 5;
const MAX_BYTES: usize = 60;

/// Of these only the very command is offered: with other words they destroy, give away, or run anything.
const GRAVE: &[&str] = &[
    "rm",
    "rmdir",
    "dd",
    "mkfs",
    "shred",
    "truncate",
    "chmod",
    "chown",
    "chgrp",
    "kill",
    "pkill",
    "killall",
    "curl",
    "wget",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "telnet",
    "ftp",
    "su",
    "sudo",
    "doas",
    "systemctl",
    "service",
    "crontab",
    "at",
    "mount",
    "umount",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "tofu",
    "aws",
    "gcloud",
    "az",
    "gh",
    "glab",
    "psql",
    "mysql",
    "sqlite3",
    "redis-cli",
    "mongosh",
    "eval",
    "source",
    ".",
    "exec",
    "git push",
    "git reset",
    "git clean",
    "git config",
    "git checkout",
    "git restore",
    "git rebase",
    "git filter-branch",
    "npm publish",
    "npm exec",
    "npm config",
    "pnpm publish",
    "pnpm dlx",
    "yarn publish",
    "yarn dlx",
    "cargo publish",
    "cargo install",
    "cargo login",
    "npx",
    "bunx",
    "uvx",
    "pipx",
    "pip install",
    "pip3 install",
    "npm install",
    "npm i",
    "gem install",
    "brew install",
    "apt",
    "apt-get",
];

/// Beginnings of grave programs that do one thing, whatever follows: a text for people, a check of the project.
const TASKS: &[&str] = &[
    "gh pr create",
    "gh pr comment",
    "gh issue create",
    "gh issue comment",
    "npx tsc",
    "npx eslint",
    "npx prettier",
    "npx jest",
    "npx vitest",
];

/// Programs whose first operand says what they do.
const WITH_SUBCOMMANDS: &[&str] = &[
    "git", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "rustup", "go", "dotnet", "pip", "pip3", "uv",
    "poetry", "gem", "bundle", "composer", "brew", "make", "just", "hg", "svn", "jj",
];

/// What is offered, best first.
pub(super) type Offers = Vec<Vec<String>>;

impl HostRules {
    /// As narrow as a person would want to keep them, and then as narrow as they can be. Nothing, if nothing that can be written
    /// allows it.
    pub(super) fn offers_for(&self, asked: &Asked<'_>) -> Offers {
        if !self.counts_allowing(asked) || super::unreadable(asked).is_some() {
            return Vec::new();
        }
        let paths = &asked.facts.paths;
        let offers: Vec<Option<Vec<String>>> = match asked.family {
            Some(Family::Shell) => return self.of_commands(asked),
            Some(Family::Edit | Family::Patch) => vec![files("Edit", paths)],
            Some(Family::Read) if !paths.is_empty() => vec![files("Read", paths)],
            Some(Family::Fetch) => vec![addresses(asked)],
            Some(Family::Agent | Family::Skill) => vec![argument(asked)],
            // Of our own writers the files are meant, not whatever else they may write.
            _ if asked.intent.effect == Effect::Write && !paths.is_empty() => vec![files("Edit", paths)],
            _ => vec![Some(vec![named(asked)])],
        };
        offers.into_iter().flatten().filter(|offers| is_short(offers)).collect()
    }

    fn of_commands(&self, asked: &Asked<'_>) -> Offers {
        // Where everything is allowed already, an entry that asks is in the way: then all of it is to be remembered.
        [true, false]
            .into_iter()
            .flat_map(|missing_only| {
                [useful, exact].map(|form| self.commands_and_files(asked, missing_only, form))
            })
            .flatten()
            .filter(|offers| is_short(offers))
            .collect()
    }

    fn commands_and_files(
        &self,
        asked: &Asked<'_>,
        missing_only: bool,
        form: fn(&Command) -> Option<String>,
    ) -> Option<Vec<String>> {
        let mut offers = Vec::new();
        let mut add = |offer: String| {
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        };
        for fact in &asked.facts.commands {
            let commands = fact.script.needing_entries();
            for command in commands {
                if !(missing_only && self.allow.allows_command(asked, command)) {
                    add(format!("Bash({})", form(command)?));
                }
            }
            let written = fact.touched.iter().filter(|touch| touch.must_be_allowed());
            for path in written.flat_map(|touch| &touch.readings) {
                if !(missing_only && self.allow.allows_file(asked, Access::Write, path)) {
                    files("Edit", std::slice::from_ref(path))?.into_iter().for_each(&mut add);
                }
            }
        }
        Some(offers)
    }
}

fn is_short(offers: &[String]) -> bool {
    !offers.is_empty() && offers.len() <= MOST
}

/// This very command.
fn exact(command: &Command) -> Option<String> {
    spelt(command)
}

/// What a person would want to keep: the very words of a short command, and of a longer one those that say what it does.
fn useful(command: &Command) -> Option<String> {
    let exact = exact(command);
    if exact.as_deref().is_some_and(|text| is_plain(command, text)) {
        return exact;
    }
    beginning(command).or(exact).or_else(|| of_core(command)).or_else(|| named_task(command))
}

/// The same command without its harmless options, where one of these cannot be written: `make` for `make -j$(nproc)`.
fn of_core(command: &Command) -> Option<String> {
    let core = command.core.as_ref()?;
    let plain =
        Command { words: core.words.clone(), core: None, is_wrapper: command.is_wrapper, pin: core.pin };
    spelt(&plain).filter(|text| CommandPattern::parse(text).allows(command))
}

/// What a grave program is told by its first words, where the rest of them cannot be written.
fn named_task(command: &Command) -> Option<String> {
    let mut tasks = TASKS.iter().map(|task| format!("{task}:*"));
    tasks.find(|text| CommandPattern::parse(text).allows(command))
}

/// Whether the same words will come again: it is short, and carries no message.
fn is_plain(command: &Command, text: &str) -> bool {
    let carries_message = command.words.windows(2).any(|pair| {
        let option = pair[0].literal().unwrap_or_default();
        let is_message = option.starts_with('-') && (option.ends_with('m') || option == "--message");
        is_message && pair[1].literal().is_some_and(|value| value.contains(' '))
    });
    text.len() <= MAX_BYTES && command.words.len() <= MAX_WORDS && !text.contains('\n') && !carries_message
}

/// `cargo test:*`, `ls:*`: the first words that say what it does, where nothing that may follow them is grave.
fn beginning(command: &Command) -> Option<String> {
    let words: Vec<&str> = command.words.iter().map_while(|word| word.literal()).collect();
    let program = last_part(words.first()?);
    let is_word = |word: &&&str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_:".contains(letter))
    };
    let has_subcommand = WITH_SUBCOMMANDS.contains(&program);
    let subcommand = words.get(1).filter(|_| has_subcommand).filter(is_word);
    let spoken = subcommand.map(|subcommand| format!("{program} {subcommand}"));
    let is_grave = |text: &str| GRAVE.contains(&text);
    if is_grave(program) || spoken.as_deref().is_some_and(is_grave) {
        return None;
    }
    let wanted = match command.pin {
        Some(Pin::Everything) => return None,
        Some(Pin::Words(needed)) => needed.max(1 + usize::from(subcommand.is_some())),
        None if has_subcommand => 1 + usize::from(subcommand.is_some()),
        None => 1,
    };
    // A program that takes subcommands, without one, is all of them.
    if has_subcommand && wanted < 2 || wanted > words.len() {
        return None;
    }
    let text = words[..wanted].iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ") + ":*";
    CommandPattern::parse(&text).allows(command).then_some(text)
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
