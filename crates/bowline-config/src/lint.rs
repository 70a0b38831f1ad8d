//! What is understood and probably not meant.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bowline_gate::{Decision, HostRules, RuleEntry, RulesOptions};
use bowline_std::fs::read_text;

use crate::file::{ConfigFile, MAX_BYTES, ProjectFile, SpannedRules, UserFile, place};

/// Something to look at again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}:{column}: {message}", .path.display())]
pub struct Lint {
    pub path: PathBuf,
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    User,
    Project,
}

/// What is probably not meant in a file that was understood. One that is not there says nothing. `means` tells whether a pattern
/// over names means some tool that there is.
pub fn lint(path: &Path, whose: Whose, means: &dyn Fn(&str) -> bool) -> Vec<Lint> {
    let Ok((text, _)) = read_text(path, MAX_BYTES) else { return Vec::new() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let found = match whose {
        Whose::User => UserFile::parse(path, text).map(|file| of_rules(file.spanned_rules(), whose, means)),
        Whose::Project => {
            ProjectFile::parse(path, text).map(|file| of_rules(file.spanned_rules(), whose, means))
        }
    };
    let lint = |(at, message): (usize, String)| {
        let (line, column) = place(text, at);
        Lint { path: path.to_owned(), line, column, message }
    };
    found.unwrap_or_default().into_iter().map(lint).collect()
}

fn of_rules(rules: &SpannedRules, whose: Whose, means: &dyn Fn(&str) -> bool) -> Vec<(usize, String)> {
    let lists = [(Decision::Deny, &rules.deny), (Decision::Ask, &rules.ask), (Decision::Allow, &rules.allow)];
    let all =
        |entries: &[toml::Spanned<RuleEntry>]| entries.iter().map(|entry| entry.get_ref().clone()).collect();
    let options = RulesOptions { deny: all(&rules.deny), ..RulesOptions::default() };
    let mut seen: HashMap<&str, Decision> = HashMap::new();
    let mut lints = Vec::new();
    for (decision, entries) in lists {
        for entry in entries {
            let text = entry.get_ref().pattern();
            let mut say = |message: String| lints.push((entry.span().start, message));
            if let Some(earlier) = seen.get(text) {
                say(match *earlier {
                    same if same == decision => format!("`{text}` is there twice"),
                    earlier => format!("`{text}` never counts here: `{}` names it too", word(earlier)),
                });
            }
            seen.entry(text).or_insert(decision);
            if decision == Decision::Allow && whose == Whose::Project {
                say(format!(
                    "`{text}` allows nothing: a project's file can only tighten what its user allows"
                ));
            }
            of_entry(entry.get_ref(), decision, means).into_iter().for_each(&mut say);
            HostRules::remarks(decision, entry.get_ref(), &options).into_iter().for_each(say);
        }
    }
    lints.sort();
    lints
}

fn of_entry(entry: &RuleEntry, decision: Decision, means: &dyn Fn(&str) -> bool) -> Vec<String> {
    let text = entry.pattern();
    let (name, scope) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.strip_suffix(')').unwrap_or(rest).trim()),
        None => (text, ""),
    };
    let mut lints = Vec::new();
    let is_of_others = name.starts_with("mcp__") || name.contains('.');
    if !name.starts_with('@') && !is_of_others && !means(name) {
        lints.push(format!("`{name}` means no tool that there is"));
    }
    let inner = scope.strip_suffix(":*").unwrap_or(scope);
    if inner.contains(":*") {
        lints.push(format!("`:*` counts at the end only; in `{text}` the colon means itself"));
    }
    if decision == Decision::Allow && ["*", "@run", "Bash", "Bash(*)", "mcp__*"].contains(&text) {
        lints.push(format!("`{text}` allows whatever a program may do; nothing that it runs is looked at"));
    }
    lints
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a fixture")]
    use super::*;

    fn lints(text: &str, whose: Whose) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bowline.toml");
        std::fs::write(&path, text).unwrap();
        let means = |name: &str| ["Bash", "Edit", "find_symbol", "*"].contains(&name);
        let lints = lint(&path, whose, &means);
        lints.into_iter().map(|lint| format!("{}:{}: {}", lint.line, lint.column, lint.message)).collect()
    }

    #[test]
    fn what_is_probably_not_meant() {
        assert_eq!(
            lints("[rules]\nallow = [\"find_symbol\", \"mcp__x__y\", \"Edit(src/**)\"]\n", Whose::User),
            [""; 0]
        );
        assert_eq!(
            lints(
                "[rules]\nallow = [\"find_symbl\",\n \"Bash(git:* push)\"]\ndeny = [\"find_symbl\"]\n",
                Whose::User
            ),
            [
                "2:10: `find_symbl` means no tool that there is",
                "2:10: `find_symbl` never counts here: `deny` names it too",
                "3:2: `:*` counts at the end only; in `Bash(git:* push)` the colon means itself",
                "4:9: `find_symbl` means no tool that there is",
            ]
        );
        assert_eq!(
            lints("[rules]\nallow = [\"find_symbol\"]\n", Whose::Project),
            ["2:10: `find_symbol` allows nothing: a project's file can only tighten what its user allows"]
        );
    }
}
