//! What stands between the parentheses of an entry: `git:*`, `src/**`, `domain:example.com`.

use std::path::Path;

use bowline_call::{Effect, Target, Targets, host_tool};
use bowline_command::Script;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scope::command::{CommandPattern, Reading};
use crate::scope::domain;
use crate::scope::path::{Bases, PathPatterns};
use crate::{Asked, NamePattern};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scope {
    Command(String),
    Path(String),
    Domain(String),
    /// An argument that has this very value: which agent, which skill.
    Argument {
        keys: Vec<String>,
        value: String,
    },
}

impl Scope {
    pub(crate) fn new(tool: &NamePattern, text: &str) -> Self {
        let argument = |keys: &[&str]| Self::Argument {
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            value: text.trim().to_owned(),
        };
        match tool.text() {
            "Agent" | "Task" | "task" => argument(&["subagent_type"]),
            "Skill" | "skill" => argument(&["skill", "name", "command"]),
            "WebFetch" | "webfetch" | "web_fetch" => {
                Self::Domain(text.strip_prefix("domain:").unwrap_or(text).trim().to_ascii_lowercase())
            }
            name if host_tool(name).is_some_and(|tool| tool.most == Effect::Run) => {
                Self::Command(text.trim().to_owned())
            }
            // Of our own runners either is meant: `run_build(go build:*)`, `run_build(crates/a)`.
            _ if text.contains(' ') || text.ends_with(":*") => Self::Command(text.trim().to_owned()),
            _ => Self::Path(text.trim().to_owned()),
        }
    }

    /// Whether everything that the call touches lies within it. What nobody can tell does not.
    pub(crate) fn admits(&self, asked: &Asked<'_>) -> bool {
        match self {
            Self::Command(pattern) => {
                let (pattern, commands) = (CommandPattern::parse(pattern), &asked.facts.commands);
                commands.len() == asked.intent.commands().count()
                    && !commands.is_empty()
                    && commands.iter().all(|command| admits(&pattern, &command.script))
            }
            // Nothing is written before the files are known and this is asked again.
            Self::Path(_)
                if asked.intent.targets == Targets::Unknown && asked.intent.effect == Effect::Write =>
            {
                true
            }
            Self::Path(pattern) => {
                let (facts, root) = (asked.facts, asked.facts.roots.first());
                let inside = |path: &Path| root.is_some_and(|root| is_path(pattern, root, path));
                facts.paths.len() == asked.intent.paths().count()
                    && !facts.paths.is_empty()
                    && facts
                        .paths
                        .iter()
                        .all(|path| inside(&path.absolute) && path.real.as_deref().is_ok_and(inside))
            }
            Self::Domain(pattern) => match &asked.intent.targets {
                Targets::Known(targets) => {
                    let mut addresses = targets.iter().filter_map(|target| match target {
                        Target::Address(address) => Some(address),
                        Target::Path(_) | Target::Command(_) => None,
                    });
                    let first = addresses.next();
                    first.into_iter().chain(addresses).all(|address| {
                        domain::host(address).is_some_and(|host| domain::is_domain(pattern, &host))
                    }) && first.is_some()
                }
                Targets::Unknown => false,
            },
            Self::Argument { keys, value } => keys.iter().any(|key| {
                asked
                    .call
                    .arguments
                    .get(key)
                    .and_then(Value::as_str)
                    .is_some_and(|given| given.trim() == value)
            }),
        }
    }
}

/// Every command must be meant, and none may write: what is written is not what a pattern over commands speaks of.
fn admits(pattern: &CommandPattern, script: &Script) -> bool {
    let mut runs = script.needing_entries().peekable();
    script.is_readable()
        && script.writes().next().is_none()
        && runs.peek().is_some()
        && runs.all(|command| pattern.allows(command))
}

/// Whether a path lies within a pattern. Whose home `~` is is not known here.
fn is_path(pattern: &str, root: &Path, path: &Path) -> bool {
    let bases = Bases { roots: vec![root.to_owned()], sources: vec![root.to_owned()], home: None };
    let mut patterns = PathPatterns::default();
    patterns.add(0, pattern, &bases, Reading::Allowing).is_ok() && patterns.covering(path, |_| true).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let root = Path::new("/project");
        for (pattern, path, admitted) in [
            ("src/**", "/project/src/a/b.rs", true),
            ("/src/**", "/project/src/a.rs", true),
            ("./src", "/project/src/a.rs", true),
            ("src/", "/project/src/a.rs", true),
            ("src/*", "/project/src/a.rs", true),
            ("src/*", "/project/src/a/b.rs", true),
            ("src/**", "/project/other/src/a.rs", false),
            ("src/**", "/elsewhere/src/a.rs", false),
            ("//elsewhere/**", "/elsewhere/src/a.rs", true),
            ("~/x", "/home/me/x", false),
            ("[", "/project/[", false),
        ] {
            assert_eq!(is_path(pattern, root, Path::new(path)), admitted, "{pattern} / {path}");
        }
    }
}
