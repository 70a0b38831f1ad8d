//! `bowline.toml`: what may stand in it, and errors that point at the line.

use std::path::{Path, PathBuf};

use bowline_gate::{RuleEntry, RulesOptions, ToolPattern};
use bowline_std::fs::{ReadError, read_text};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

/// More than any person reads, and few enough to be understood at each start.
const MOST_RULES: usize = 20_000;
/// Larger than any configuration a person writes.
const MAX_BYTES: u64 = 1 << 20;

/// A configuration that cannot be followed. bowline does not start with half of one.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{}:{line}:{column}: {message}", .path.display())]
    InFile { path: PathBuf, line: usize, column: usize, message: String },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the root `{}` cannot be used: {reason}", .path.display())]
    Root { path: PathBuf, reason: String },
    #[error("there is no home directory to keep the audit trail in; say where with `--audit-log FILE`")]
    NoHome,
}

/// Rules whose places in the file are remembered.
type SpannedRules = RulesOptions<Spanned<RuleEntry>>;

/// What the user's own file may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UserFile {
    rules: SpannedRules,
    pub index: bowline_workspace::Options,
    pub calls: bowline_dispatch::Options,
    pub audit: bowline_audit::Options,
}

/// What a project's file may say. It travels with code that was merely cloned, so it can tighten rules and tune the
/// index, and nothing else.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectFile {
    rules: SpannedRules,
    pub index: Option<bowline_workspace::Options>,
}

/// A kind of file that bowline can be configured by.
pub trait ConfigFile: DeserializeOwned + Default {
    fn spanned_rules(&self) -> &SpannedRules;

    /// Reads a file. One that does not exist says nothing.
    fn read(path: &Path) -> Result<Self, ConfigError> {
        match read_text(path, MAX_BYTES) {
            Ok((text, _)) => Self::parse(path, &text),
            // A link to nowhere is a mistake: rules that nobody can read protect nobody.
            Err(ReadError::NotFound(_)) if path.symlink_metadata().is_err() => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Understands a file's text, every rule of it.
    fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed: Self = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            in_file(path, text, offset, error.message().to_owned())
        })?;
        let rules = parsed.spanned_rules();
        let count = rules.allow.len() + rules.ask.len() + rules.deny.len();
        if count > MOST_RULES {
            let message = format!("there are {count} rules; at most {MOST_RULES} are read");
            return Err(in_file(path, text, 0, message));
        }
        for entry in rules.allow.iter().chain(&rules.ask).chain(&rules.deny) {
            ToolPattern::parse(entry.get_ref().pattern())
                .map_err(|error| in_file(path, text, entry.span().start, error.to_string()))?;
        }
        Ok(parsed)
    }

    /// The rules, once every one of them has been understood.
    fn rules(&self) -> RulesOptions {
        let plain =
            |entries: &[Spanned<RuleEntry>]| entries.iter().map(|entry| entry.get_ref().clone()).collect();
        let rules = self.spanned_rules();
        RulesOptions {
            allow: plain(&rules.allow),
            ask: plain(&rules.ask),
            deny: plain(&rules.deny),
            default: rules.default,
        }
    }
}

impl ConfigFile for UserFile {
    fn spanned_rules(&self) -> &SpannedRules {
        &self.rules
    }
}

impl ConfigFile for ProjectFile {
    fn spanned_rules(&self) -> &SpannedRules {
        &self.rules
    }
}

fn in_file(path: &Path, text: &str, offset: usize, message: String) -> ConfigError {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
    ConfigError::InFile { path: path.to_owned(), line, column, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong<F: ConfigFile + std::fmt::Debug>(text: &str) -> String {
        F::parse(Path::new("bowline.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn errors_point_at_line_and_column() {
        assert_eq!(
            wrong::<UserFile>("[rules]\ndeny = [\"find_*\", \"@writes\"]\n"),
            "bowline.toml:2:19: `@writes` is not a class: `@read`, `@draft`, `@write` and `@run` are"
        );
        assert_eq!(
            wrong::<UserFile>("[rules]\ndefault = \"maybe\"\n"),
            "bowline.toml:2:11: unknown variant `maybe`, expected one of `allow`, `ask`, `deny`"
        );
        assert!(
            wrong::<UserFile>("[rules]\nalow = []\n").starts_with("bowline.toml:2:1: unknown field `alow`")
        );
        assert!(wrong::<UserFile>("[rules\n").starts_with("bowline.toml:1:7: "));
        assert!(
            wrong::<UserFile>("[rules]\ndeny = [3]\n")
                .starts_with("bowline.toml:2:8: expected a tool pattern")
        );
    }

    #[test]
    fn a_link_to_nowhere_is_a_mistake() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("bowline.toml");
        assert!(UserFile::read(&link).is_ok());
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(UserFile::read(&link).is_err());
    }

    #[test]
    fn a_project_cannot_touch_the_audit_trail() {
        assert!(wrong::<ProjectFile>("[audit]\nmax_bytes = 1\n").contains("unknown field `audit`"));
    }

    #[test]
    fn rules_come_with_or_without_a_justification() {
        let text =
            "[rules]\ndeny = [\"a\", { tool = \"b\", justification = \"because\" }]\ndefault = \"ask\"\n";
        let file = UserFile::parse(Path::new("bowline.toml"), text).unwrap();
        let rules = file.rules();
        assert_eq!(rules.deny[0], RuleEntry::Pattern("a".into()));
        assert_eq!(rules.deny[1].justification(), Some("because"));
    }
}
