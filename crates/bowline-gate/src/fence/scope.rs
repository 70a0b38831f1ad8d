//! What stands between the parentheses of an entry: `git:*`, `src/**`, `domain:example.com`.

use std::path::{Path, PathBuf};

use bowline_call::{Effect, Target, Targets, host_tool};
use globset::GlobBuilder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Asked, NamePattern};

/// What makes a command line more than one command, or other than it looks. Whoever uses these is not admitted by a scope.
const NOT_PLAIN: &[char] =
    &[';', '&', '|', '<', '>', '`', '$', '(', ')', '{', '}', '\n', '\r', '\\', '#', '!'];

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
            name if host_tool(name) == Some(Effect::Run) => Self::Command(text.trim().to_owned()),
            // Of our own runners either is meant: `run_build(go build:*)`, `run_build(crates/a)`.
            _ if text.contains(' ') || text.ends_with(":*") => Self::Command(text.trim().to_owned()),
            _ => Self::Path(text.trim().to_owned()),
        }
    }

    /// Whether everything that the call touches lies within it. What nobody can tell does not.
    pub(crate) fn admits(&self, asked: &Asked<'_>) -> bool {
        match self {
            Self::Command(pattern) => {
                let mut commands = asked.intent.commands().peekable();
                commands.peek().is_some() && commands.all(|command| is_command(pattern, command))
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
                    first.into_iter().chain(addresses).all(|address| is_domain(pattern, address))
                        && first.is_some()
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

/// `git:*` and `git *` are the word and what follows it, another star is anything, and without one it is the very command.
fn is_command(pattern: &str, command: &str) -> bool {
    let command = command.trim();
    if command.contains(NOT_PLAIN) {
        return false;
    }
    let prefix = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
    match prefix {
        Some(prefix) if !prefix.contains('*') => {
            let rest = command.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
        }
        _ => wildcard(pattern, command),
    }
}

/// Stars mean anything, the rest means itself.
fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut text) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return text.is_empty() };
    for part in parts {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.len() >= last.len() && text.ends_with(last)
}

/// A pattern as in `.gitignore`: `/x` and `x` are below the root, `//x` is absolute, a folder means what is in it.
fn is_path(pattern: &str, root: &Path, path: &Path) -> bool {
    let (base, pattern): (PathBuf, &str) = if let Some(absolute) = pattern.strip_prefix("//") {
        ("/".into(), absolute)
    } else if pattern.starts_with('~') {
        // Whose home it is is not known here.
        return false;
    } else {
        let below = pattern.strip_prefix("./").unwrap_or(pattern);
        (root.to_owned(), below.strip_prefix('/').unwrap_or(below))
    };
    let Ok(below) = path.strip_prefix(&base) else { return false };
    let pattern = pattern.trim_end_matches('/');
    [pattern.to_owned(), format!("{pattern}/**")].iter().any(|pattern| {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        glob.is_ok_and(|glob| glob.compile_matcher().is_match(below))
    })
}

/// A host, or `*.` and what it ends with.
fn is_domain(pattern: &str, address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host).to_ascii_lowercase();
    match pattern.strip_prefix("*.") {
        Some(suffix) => host.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1),
        None => host == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        for (pattern, command, admitted) in [
            ("git:*", "git", true),
            ("git:*", "git status -s", true),
            ("git *", "git status", true),
            ("git:*", "gitk", false),
            ("git:*", "git status; rm -rf x", false),
            ("git:*", "git log $(rm x)", false),
            ("git:*", "git log > x", false),
            ("git:*", "git log\nrm x", false),
            ("git:*", "GIT_DIR=x git status", false),
            ("ls*", "lsof", true),
            ("npm run build", "npm run build", true),
            ("npm run build", "npm run build:all", false),
            ("* --version", "node --version", true),
            ("git * main", "git push origin main", true),
            ("git * main", "git push origin dev", false),
            ("git:* push", "git push", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(is_command(pattern, command), admitted, "{pattern} / {command}");
        }
    }

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

    #[test]
    fn domains() {
        assert!(is_domain("example.com", "Example.com:443"));
        assert!(is_domain("*.example.com", "a.b.example.com"));
        assert!(!is_domain("*.example.com", "example.com"));
        assert!(!is_domain("*.example.com", "evilexample.com"));
    }
}
