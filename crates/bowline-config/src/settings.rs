//! Everything composed: flags over environment over files over defaults.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bowline_gate::{Grant, RulesOptions};
use bowline_lsp::ServerSpec;
use bowline_std::fs::ReadError;

use crate::Environment;
use crate::file::{ConfigError, ConfigFile, ProjectFile, UserFile};
use crate::profiles::{self, ProfileSettings};
use crate::remembered::UserMemory;
use crate::servers::{Known, Layer, ServerFlags, Sources, Trust, compose, layers_of_words, read_json};
use crate::skills::{self, SkillSettings};

/// The name of the file, in a root and in the user's configuration directory.
const FILE: &str = "bowline.toml";

/// What was said on the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    pub roots: Vec<PathBuf>,
    pub audit_log: Option<PathBuf>,
    pub servers: ServerFlags,
    /// The profile that holds.
    pub profile: Option<String>,
    /// Read in place of the user's own file.
    pub user_file: Option<PathBuf>,
}

/// Files that configure.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub user: Option<PathBuf>,
    /// One for each root, in their order.
    pub projects: Vec<PathBuf>,
}

/// What each room is handed.
#[derive(Debug)]
pub struct Settings {
    /// Real paths, never empty.
    pub roots: Vec<PathBuf>,
    pub user_rules: RulesOptions,
    /// One for each root, in their order.
    pub project_rules: Vec<RulesOptions>,
    pub home: Option<PathBuf>,
    /// Where all that was looked for. Not all of them need be there.
    pub files: Files,
    /// What the user allowed for ever when they were asked.
    pub remembered: Vec<Grant>,
    /// Where more of that is written, if there is such a place.
    pub memory: Option<UserMemory>,
    pub audit: bowline_audit::Options,
    pub calls: bowline_dispatch::Options,
    pub index: bowline_workspace::Options,
    /// Where the symbol index of these roots is kept, if it is kept.
    pub index_file: Option<PathBuf>,
    /// Where answers of language servers are kept, if they are kept.
    pub references_file: Option<PathBuf>,
    /// In order of preference: the first that speaks a file's language is asked.
    pub servers: Vec<ServerSpec>,
    /// What they see of our environment.
    pub child_environment: Vec<(OsString, OsString)>,
    pub skills: SkillSettings,
    pub profiles: ProfileSettings,
    /// What was ignored, and what is probably not meant. Nothing of it keeps bowline from starting.
    pub warnings: Vec<String>,
}

impl Settings {
    pub fn load(environment: &Environment, flags: Flags) -> Result<Self, ConfigError> {
        let roots = roots(environment, flags.roots)?;
        let user_file = match flags.user_file {
            Some(file) => Some(named(environment.current_dir.join(file))?),
            None => environment.config_dir.as_ref().map(|dir| dir.join(FILE)),
        };
        let mut user = user_file.as_deref().map(UserFile::read).transpose()?.unwrap_or_default();
        let of_project = |root: &PathBuf| {
            let file = root.join(FILE);
            // Whoever names a project's file as the user's own means it once.
            let is_named =
                user_file.as_ref().is_some_and(|user| user.canonicalize().ok() == file.canonicalize().ok());
            if is_named && file.exists() { Ok(ProjectFile::default()) } else { ProjectFile::read(&file) }
        };
        let mut projects = roots.iter().map(of_project).collect::<Result<Vec<_>, _>>()?;
        let files =
            Files { user: user_file.clone(), projects: roots.iter().map(|root| root.join(FILE)).collect() };
        let trail = flags
            .audit_log
            .or_else(|| environment.audit_log.clone())
            .map(|path| environment.current_dir.join(path))
            .or_else(|| environment.state_dir.as_ref().map(|dir| dir.join("audit.jsonl")))
            .ok_or(ConfigError::NoHome)?;
        let mut warnings = Vec::new();
        let memory = user_file.clone().map(UserMemory::at);
        let trust = Trust::new(&user.trusted_projects, environment.home.as_deref(), user_file.clone());
        let mut of_projects = Vec::new();
        for (root, project) in roots.iter().zip(&mut projects) {
            let mut layers = project.take_layers();
            trust.sift(root, &mut layers, &mut warnings);
            of_projects.extend(layers);
        }
        let sources = sources(environment, &flags.servers, user.take_layers(), of_projects)?;
        let (servers, doubts) = compose(&sources)?;
        warnings.extend(doubts);
        let of_skills: Vec<_> =
            roots.iter().map(PathBuf::as_path).zip(projects.iter().map(|project| &project.skills)).collect();
        let skills = skills::compose(environment, &user.skills, &of_skills, &mut warnings);
        let users = profiles::Source {
            declared: user.take_profiles(),
            path: user_file.unwrap_or_default(),
            root: None,
        };
        let of_projects = roots.iter().zip(&mut projects).map(|(root, project)| profiles::Source {
            declared: project.take_profiles(),
            path: root.join(FILE),
            root: Some(root),
        });
        let of_projects = of_projects.collect();
        let profiles =
            profiles::compose(users, of_projects, flags.profile.as_deref(), &trust, &mut warnings)?;
        let user_rules = user.rules();
        // The first root that says something about its index is the one that knows best.
        let index = projects.iter().find_map(|project| project.index.clone()).unwrap_or(user.index);
        Ok(Self {
            user_rules,
            remembered: user.remembered.iter().map(|entry| entry.get_ref().grant()).collect(),
            memory,
            project_rules: projects.iter().map(ConfigFile::rules).collect(),
            home: environment.home.clone(),
            files,
            audit: bowline_audit::Options { path: trail, ..user.audit },
            calls: user.calls,
            references_file: environment
                .cache_dir
                .as_ref()
                .map(|dir| index_file(dir, &roots, &index).with_file_name("references.db")),
            index_file: environment.cache_dir.as_ref().map(|dir| index_file(dir, &roots, &index)),
            index,
            roots,
            servers,
            child_environment: environment.child.clone(),
            skills,
            profiles,
            warnings,
        })
    }
}

/// A file that was named has to be there.
fn named(file: PathBuf) -> Result<PathBuf, ConfigError> {
    if file.symlink_metadata().is_err() {
        return Err(ReadError::NotFound(file).into());
    }
    Ok(file)
}

/// Everything that is said of servers.
fn sources(
    environment: &Environment,
    flags: &ServerFlags,
    user: Vec<Layer>,
    projects: Vec<Layer>,
) -> Result<Sources, ConfigError> {
    let words = layers_of_words(flags)?;
    let (file, known) = match (&flags.config, &flags.merge_config) {
        (Some(_), Some(_)) => return Err(ConfigError::TwoFiles),
        (Some(_), None) if let Some(named) = words.first() => {
            return Err(ConfigError::NamedBesideFile { argument: named.origin.to_string() });
        }
        (Some(file), None) => (Some(file), Known::LeftOut),
        (None, Some(file)) => (Some(file), Known::Used),
        (None, None) => (None, if words.is_empty() { Known::Used } else { Known::LeftOut }),
    };
    let file = file.map(|file| read_json(&environment.current_dir.join(file))).transpose()?;
    let located = |layers: Vec<Layer>| {
        let located = |layer: Layer| layer.located(&environment.current_dir, environment.home.as_deref());
        layers.into_iter().map(located).collect()
    };
    Ok(Sources {
        words: located(words),
        file: located(file.unwrap_or_default()),
        user: located(user),
        projects: located(projects),
        known: if flags.auto { Known::Used } else { known },
    })
}

fn roots(environment: &Environment, asked: Vec<PathBuf>) -> Result<Vec<PathBuf>, ConfigError> {
    let asked = if asked.is_empty() { vec![PathBuf::from(".")] } else { asked };
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in asked {
        let wrong = |reason: String| ConfigError::Root { path: path.clone(), reason };
        let real =
            environment.current_dir.join(&path).canonicalize().map_err(|error| wrong(error.to_string()))?;
        if !real.is_dir() {
            return Err(wrong("it is not a directory".into()));
        }
        if !roots.contains(&real) {
            roots.push(real);
        }
    }
    Ok(roots)
}

/// One index for each set of roots and what is read of them, named so that a person can tell which is whose.
fn index_file(cache: &Path, roots: &[PathBuf], options: &bowline_workspace::Options) -> PathBuf {
    let what = format!("{roots:?} {options:?} {}", bowline_workspace::INDEX_REVISION);
    let hash = what.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let name = roots.first().and_then(|root| root.file_name()).unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || "-_.".contains(*c)).take(40).collect();
    cache.join("index").join(format!("{name}-{hash:016x}")).join("symbols.db")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(dir: &Path) -> Environment {
        Environment {
            current_dir: dir.to_owned(),
            config_dir: Some(dir.join("config")),
            state_dir: Some(dir.join("state")),
            cache_dir: Some(dir.join("cache")),
            ..Environment::default()
        }
    }

    fn write(path: &Path, text: &str) {
        #![expect(clippy::disallowed_methods, reason = "a fixture")]
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn flags_win_over_environment_over_the_state_directory() {
        let dir = tempfile::tempdir().unwrap();
        let mut environment = environment(dir.path());
        let trail = |environment: &Environment, flag: Option<&str>| {
            let flags = Flags { audit_log: flag.map(PathBuf::from), ..Flags::default() };
            Settings::load(environment, flags).unwrap().audit.path
        };
        assert_eq!(trail(&environment, None), dir.path().join("state/audit.jsonl"));
        environment.audit_log = Some("/var/env.jsonl".into());
        assert_eq!(trail(&environment, None), PathBuf::from("/var/env.jsonl"));
        assert_eq!(trail(&environment, Some("flag.jsonl")), dir.path().join("flag.jsonl"));
    }

    #[test]
    fn both_files_are_read_and_their_rules_kept_apart() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("config/bowline.toml"), "[rules]\nallow = [\"*\"]\n[calls]\ntimeout_ms = 5\n");
        write(&dir.path().join("bowline.toml"), "[rules]\ndeny = [\"run_*\"]\n");
        let settings = Settings::load(&environment(dir.path()), Flags::default()).unwrap();
        assert_eq!(settings.user_rules.allow[0].pattern(), "*");
        assert_eq!(settings.project_rules[0].deny[0].pattern(), "run_*");
        assert_eq!(settings.calls.timeout_ms, 5);
    }

    #[test]
    fn a_root_must_be_a_directory_that_exists() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("file"), "");
        let with = |root: &str| {
            let flags = Flags { roots: vec![root.into()], ..Flags::default() };
            Settings::load(&environment(dir.path()), flags).unwrap_err().to_string()
        };
        assert_eq!(with("file"), "the root `file` cannot be used: it is not a directory");
        assert!(with("none").starts_with("the root `none` cannot be used: No such file"));
    }

    #[test]
    fn without_a_home_it_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let environment = Environment { current_dir: dir.path().to_owned(), ..Environment::default() };
        let error = Settings::load(&environment, Flags::default()).unwrap_err();
        assert!(matches!(error, ConfigError::NoHome));
    }
}
