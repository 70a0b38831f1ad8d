//! `bowline.toml`: what may stand in it, and errors that point at the line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bowline_gate::{Decision, HostRules, Openings, RuleEntry, RulesOptions};
use bowline_std::fs::{ReadError, read_text};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use toml::Spanned;

use crate::profiles::{self, Declared};
use crate::remembered::RememberedEntry;
use crate::servers::{Entry, Layer, MOST_SERVERS, Mistake, Origin, TrustedProject, check_name, options_of};
use crate::skills::{ProjectSkills, UserSkills};

/// More than any person reads, and few enough to be understood at each start.
const MOST_RULES: usize = 20_000;
/// Larger than any configuration a person writes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

const ONLY_THE_USERS: &str =
    "`write_protected` counts in the user's own bowline.toml alone: a project cannot open what is protected";

const NOT_THE_PROJECTS: &str =
    "answers are remembered in the user's own bowline.toml alone: a project does not answer for its user";

/// A configuration that cannot be followed. bowline does not start with half of one.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{}:{line}:{column}: {message}", .path.display())]
    InFile { path: PathBuf, line: usize, column: usize, message: String },
    #[error("`{argument}`: {message}")]
    Argument { argument: String, message: String },
    #[error(
        "`--config` and `--merge-config` exclude each other: one uses the servers of its file alone, the other lays \
         its file over the known ones"
    )]
    TwoFiles,
    #[error(
        "{argument} cannot be given with `--config`, which uses the servers of its file alone; add it to the file, \
         or use `--merge-config`"
    )]
    NamedBesideFile { argument: String },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the root `{}` cannot be used: {reason}", .path.display())]
    Root { path: PathBuf, reason: String },
    #[error("there is no home directory to keep the audit trail in; say where with `--audit-log FILE`")]
    NoHome,
}

/// Rules whose places in the file are remembered.
pub(crate) type SpannedRules = RulesOptions<Spanned<RuleEntry>, Spanned<String>>;

/// `[servers.NAME]` as it stands there: every key and value with its place.
type ServerTables = BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<Value>>>;

/// What the user's own file may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UserFile {
    rules: SpannedRules,
    pub(crate) index: bowline_workspace::Options,
    pub(crate) calls: bowline_dispatch::Options,
    pub(crate) audit: bowline_audit::Options,
    pub(crate) trusted_projects: Vec<TrustedProject>,
    pub(crate) skills: UserSkills,
    pub(crate) remembered: Vec<Spanned<RememberedEntry>>,
    servers: Servers,
    /// Read with their places, by a reader of their own.
    #[serde(rename = "profile")]
    _profile: IgnoredAny,
    #[serde(rename = "use_profile")]
    _use_profile: IgnoredAny,
    #[serde(skip)]
    profiles: Declared,
}

/// What a project's file may say. It travels with code that was merely cloned, so it can tighten rules, bring skills, tune
/// the index and the servers, and nothing else. What would run programs counts only where the user trusts the project.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ProjectFile {
    rules: SpannedRules,
    pub(crate) index: Option<bowline_workspace::Options>,
    pub(crate) skills: ProjectSkills,
    /// Only to say that it does not belong here.
    remembered: Vec<Spanned<RememberedEntry>>,
    servers: Servers,
    /// Read with their places, by a reader of their own.
    #[serde(rename = "profile")]
    _profile: IgnoredAny,
    #[serde(rename = "use_profile")]
    _use_profile: IgnoredAny,
    #[serde(skip)]
    profiles: Declared,
}

/// `[servers.NAME]`, before and after it has been understood.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "ServerTables")]
pub(crate) struct Servers {
    tables: ServerTables,
    layers: Vec<Layer>,
}

impl From<ServerTables> for Servers {
    fn from(tables: ServerTables) -> Self {
        Self { tables, layers: Vec::new() }
    }
}

/// A kind of file that bowline can be configured by.
pub(crate) trait ConfigFile: DeserializeOwned + Default {
    /// Whether it is the user's own, which alone lets protected places be written, and remembers answers.
    const OPENS: bool;

    fn spanned_rules(&self) -> &SpannedRules;

    fn servers_mut(&mut self) -> &mut Servers;

    fn remembered(&self) -> &[Spanned<RememberedEntry>];

    fn profiles_mut(&mut self) -> &mut Declared;

    /// Understands `[skills]`.
    fn understand_skills(&mut self, path: &Path, text: &str) -> Result<(), Mistake>;

    /// What it declares of profiles.
    fn take_profiles(&mut self) -> Declared {
        std::mem::take(self.profiles_mut())
    }

    /// What it says of servers, in its order.
    fn take_layers(&mut self) -> Vec<Layer> {
        std::mem::take(&mut self.servers_mut().layers)
    }

    /// Reads a file. One that does not exist says nothing.
    fn read(path: &Path) -> Result<Self, ConfigError> {
        match read_text(path, MAX_BYTES) {
            Ok((text, _)) => Self::parse(path, &text),
            // A link to nowhere is a mistake: rules that nobody can read protect nobody.
            Err(ReadError::NotFound(_)) if path.symlink_metadata().is_err() => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Understands a file's text, every rule and every server of it.
    fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut parsed: Self = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            in_file(path, text, offset, error.message().to_owned())
        })?;
        let rules = parsed.spanned_rules();
        let count = rules.allow.len() + rules.ask.len() + rules.deny.len() + rules.write_protected.len();
        let count = count + parsed.remembered().len();
        if count > MOST_RULES {
            let message = format!("there are {count} rules; at most {MOST_RULES} are read");
            return Err(in_file(path, text, 0, message));
        }
        let lists =
            [(Decision::Allow, &rules.allow), (Decision::Ask, &rules.ask), (Decision::Deny, &rules.deny)];
        for (decision, entry) in
            lists.into_iter().flat_map(|(decision, list)| list.iter().map(move |entry| (decision, entry)))
        {
            HostRules::check(decision, entry.get_ref())
                .map_err(|error| in_file(path, text, entry.span().start, error.to_string()))?;
        }
        for place in &rules.write_protected {
            let wrong = |message: String| in_file(path, text, place.span().start, message);
            if !Self::OPENS {
                return Err(wrong(ONLY_THE_USERS.into()));
            }
            Openings::check(place.get_ref()).map_err(|error| wrong(error.to_string()))?;
        }
        let at_its_place = |Mistake { at, message }| in_file(path, text, at, message);
        for entry in parsed.remembered() {
            if !Self::OPENS {
                return Err(in_file(path, text, entry.span().start, NOT_THE_PROJECTS.into()));
            }
            RememberedEntry::check(entry).map_err(at_its_place)?;
        }
        let servers = parsed.servers_mut();
        servers.layers = layers(path, text, std::mem::take(&mut servers.tables)).map_err(at_its_place)?;
        parsed.understand_skills(path, text).map_err(at_its_place)?;
        *parsed.profiles_mut() = profiles::read(text).map_err(at_its_place)?;
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
            write_protected: rules.write_protected.iter().map(|place| place.get_ref().clone()).collect(),
        }
    }
}

impl ConfigFile for UserFile {
    const OPENS: bool = true;

    fn spanned_rules(&self) -> &SpannedRules {
        &self.rules
    }

    fn servers_mut(&mut self) -> &mut Servers {
        &mut self.servers
    }

    fn remembered(&self) -> &[Spanned<RememberedEntry>] {
        &self.remembered
    }

    fn profiles_mut(&mut self) -> &mut Declared {
        &mut self.profiles
    }

    fn understand_skills(&mut self, path: &Path, text: &str) -> Result<(), Mistake> {
        self.skills.understand(path, text)
    }
}

impl ConfigFile for ProjectFile {
    const OPENS: bool = false;

    fn spanned_rules(&self) -> &SpannedRules {
        &self.rules
    }

    fn servers_mut(&mut self) -> &mut Servers {
        &mut self.servers
    }

    fn remembered(&self) -> &[Spanned<RememberedEntry>] {
        &self.remembered
    }

    fn profiles_mut(&mut self) -> &mut Declared {
        &mut self.profiles
    }

    fn understand_skills(&mut self, path: &Path, text: &str) -> Result<(), Mistake> {
        self.skills.understand(path, text)
    }
}

fn layers(path: &Path, text: &str, tables: ServerTables) -> Result<Vec<Layer>, Mistake> {
    // A map has its own order, and people have theirs.
    let mut tables: Vec<_> = tables.into_iter().collect();
    tables.sort_by_key(|(name, _)| name.span().start);
    if tables.len() > MOST_SERVERS {
        let message = format!("there are {} servers; at most {MOST_SERVERS} are read", tables.len());
        return Err(Mistake { at: 0, message });
    }
    let understood = tables.into_iter().map(|(name, table)| {
        let at = name.span().start;
        check_name(name.get_ref()).map_err(|message| Mistake { at, message })?;
        let entries = table.into_iter().map(|(key, value)| Entry {
            key_at: key.span().start,
            key: key.into_inner(),
            value_at: value.span().start,
            value: without_dates(value.into_inner()),
        });
        let options = options_of(entries.collect())?;
        let (line, column) = place(text, at);
        Ok(Layer::new(name.into_inner(), options, Origin::File { path: path.to_owned(), line, column }))
    });
    understood.collect()
}

/// JSON has no dates, and gets those of TOML as texts rather than as the wrapping they are read in.
fn without_dates(value: Value) -> Value {
    match value {
        Value::Object(mut map) => match map.remove("$__toml_private_datetime") {
            Some(date) => date,
            None => map.into_iter().map(|(key, value)| (key, without_dates(value))).collect(),
        },
        Value::Array(list) => list.into_iter().map(without_dates).collect(),
        other => other,
    }
}

fn in_file(path: &Path, text: &str, offset: usize, message: String) -> ConfigError {
    let (line, column) = place(text, offset);
    ConfigError::InFile { path: path.to_owned(), line, column, message }
}

/// Line and column of a byte, as people count them.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
    (line, column)
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
                .starts_with("bowline.toml:2:8: expected an entry such as")
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
    fn only_the_user_opens_protected_places() {
        let text = "[rules]\nwrite_protected = [\".claude/skills/**\"]\n";
        let file = UserFile::parse(Path::new("bowline.toml"), text).unwrap();
        assert_eq!(file.rules().write_protected, [".claude/skills/**"]);
        assert_eq!(
            wrong::<ProjectFile>(text),
            "bowline.toml:2:20: `write_protected` counts in the user's own bowline.toml alone: a project cannot open \
             what is protected"
        );
        assert_eq!(
            wrong::<UserFile>("[rules]\nwrite_protected = [\"../x\"]\n"),
            "bowline.toml:2:20: `../x` must be relative to a root, such as `.claude/skills/**`, without `..`"
        );
    }

    #[test]
    fn only_the_user_remembers() {
        let text = "[[remembered]]\nallow = [\"a\"]\n\n[[remembered]]\nallow = [\"a\", \"@b\"]\n";
        assert_eq!(
            wrong::<UserFile>(text),
            "bowline.toml:5:15: `@b` is not a class: `@read`, `@draft`, `@write` and `@run` are"
        );
        assert_eq!(
            wrong::<ProjectFile>(text),
            "bowline.toml:1:1: answers are remembered in the user's own bowline.toml alone: a project does not answer \
             for its user"
        );
        assert_eq!(
            wrong::<UserFile>("\n[[remembered]]\nallow = []\n"),
            "bowline.toml:2:1: `allow` is empty: nothing is remembered here"
        );
        assert!(wrong::<UserFile>("[[remembered]]\nalow = []\n").contains("unknown field `alow`"));
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
