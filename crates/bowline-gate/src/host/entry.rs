//! One entry of a list, understood: a tool, a class, or a tool with something between parentheses.

use bowline_call::{Effect, Family, host_tool};
use bowline_command::Access;

use crate::scope::command::CommandPattern;
use crate::{BadPattern, NamePattern, ToolPattern};

/// What an entry means.
#[derive(Debug)]
pub(super) enum Meant {
    /// `@write`
    Class(Effect),
    /// `find_*`, `mcp__memory__*`
    Name(NamePattern),
    /// `Bash`, `Bash(git:*)`: commands, whichever shell they are given to. With a tool: of that tool alone.
    Commands { of: Option<NamePattern>, pattern: CommandPattern },
    /// `Edit(src/**)`: files, whichever tool touches them. With a tool: of that tool alone.
    Files { of: Option<NamePattern>, access: Access, pattern: String },
    /// `WebFetch(domain:example.com)`
    Domain(String),
    /// `Agent(Explore)`, `Skill(name)`, `tool(param:value)`
    Argument { tool: NamePattern, keys: Vec<String>, value: String },
}

/// Names that mean every tool of their family.
const SHELLS: &[&str] = &[
    "Bash",
    "bash",
    "Shell",
    "shell",
    "run_shell_command",
    "exec_command",
    "local_shell",
    "shell_command",
    "unified_exec",
];
const EDITS: &[&str] = &["Edit", "edit"];

/// Arguments that have a pattern of their own.
const SCOPED: &[&str] = &["command", "file_path", "path", "url", "notebook_path"];

impl Meant {
    /// Understands an entry. `allows`: it stands in a list that allows.
    pub(super) fn parse(text: &str, allows: bool) -> Result<Self, BadPattern> {
        let text = text.trim();
        let bad = |reason: &str| BadPattern::Call { pattern: text.to_owned(), reason: reason.to_owned() };
        let Some((tool, rest)) = text.split_once('(') else {
            if text.contains(')') {
                return Err(bad("a parenthesis is closed that was never opened"));
            }
            return Self::without_scope(text);
        };
        let scope =
            rest.strip_suffix(')').ok_or_else(|| bad("a parenthesis is not closed at the end"))?.trim();
        let tool = tool.trim();
        if tool.starts_with('@') {
            return Err(bad("a class is every call with that effect, whatever its arguments"));
        }
        if let Some(unseen) = scope.chars().find(|c| crate::pattern::is_unseen(*c)) {
            return Err(BadPattern::Unseen { pattern: text.to_owned(), code: unseen.into() });
        }
        let name = NamePattern::parse(tool)?;
        if scope.is_empty() {
            return Err(bad("there is nothing between the parentheses"));
        }
        if scope == "*" {
            return Self::without_scope(tool);
        }
        let of_family = || (!SHELLS.contains(&tool)).then(|| name.clone());
        let argument = |keys: &[&str], value: &str| Self::Argument {
            tool: name.clone(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            value: value.to_owned(),
        };
        let files = |access| Self::Files { of: None, access, pattern: scope.to_owned() };
        Ok(match host_tool(tool).map(|tool| tool.family) {
            Some(Family::Shell) => Self::Commands { of: of_family(), pattern: CommandPattern::parse(scope) },
            Some(Family::Edit | Family::Patch) => files(Access::Write),
            Some(Family::Read) => files(Access::Read),
            Some(Family::Fetch) => {
                let domain = scope.strip_prefix("domain:").unwrap_or(scope).trim();
                if domain.contains("://") || domain.contains('/') {
                    return Err(bad("a host is wanted, such as `domain:docs.example.com`"));
                }
                Self::Domain(domain.to_ascii_lowercase())
            }
            Some(Family::Agent) => argument(&["subagent_type", "agent_type"], scope),
            Some(Family::Skill) => argument(&["skill", "name", "command"], scope),
            // Of our own runners either is meant: `run_build(go build:*)`, `run_build(crates/a)`.
            _ if scope.contains(' ') || scope.ends_with(":*") => {
                Self::Commands { of: Some(name), pattern: CommandPattern::parse(scope) }
            }
            _ => match scope.split_once(':') {
                Some((key, _)) if SCOPED.contains(&key) => {
                    return Err(bad(
                        "files and commands have patterns of their own: `Edit(src/**)`, `Bash(git:*)`",
                    ));
                }
                Some(_) if allows => {
                    return Err(bad(
                        "an argument is compared in `ask` and `deny` only; an entry that allows names a tool",
                    ));
                }
                Some((key, value)) => argument(&[key], value),
                None => Self::Files { of: Some(name), access: Access::Write, pattern: scope.to_owned() },
            },
        })
    }

    fn without_scope(text: &str) -> Result<Self, BadPattern> {
        if SHELLS.contains(&text) {
            return Ok(Self::Commands { of: None, pattern: CommandPattern::Any });
        }
        Ok(match ToolPattern::parse(text)? {
            ToolPattern::Class(effect) => Self::Class(effect),
            ToolPattern::Name(name) => Self::Name(name),
        })
    }

    /// Whether it is the bare name of every tool that edits.
    pub(super) fn is_every_edit(text: &str) -> bool {
        let text = text.trim();
        EDITS.iter().any(|edit| text == *edit || text.strip_prefix(edit) == Some("(*)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_entry_says_why() {
        let wrong = |text: &str| Meant::parse(text, true).unwrap_err().to_string();
        assert_eq!(wrong(""), "an empty pattern names no tool");
        assert_eq!(
            wrong("Bash(git"),
            "`Bash(git` cannot be understood: a parenthesis is not closed at the end"
        );
        assert_eq!(
            wrong("Bash()"),
            "`Bash()` cannot be understood: there is nothing between the parentheses"
        );
        assert_eq!(wrong("a)"), "`a)` cannot be understood: a parenthesis is closed that was never opened");
        assert!(wrong("@write(x)").contains("whatever its arguments"));
        assert!(wrong("deploy(stage:prod)").contains("in `ask` and `deny` only"));
        assert!(wrong("x(file_path:a)").contains("patterns of their own"));
        assert!(wrong("WebFetch(https://a.b/c)").contains("a host is wanted"));
        assert!(wrong("Bash(gi\u{200b}t)").contains("U+200B"));
    }
}
