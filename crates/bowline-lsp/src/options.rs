//! What can be set about a language server, and what it is made from.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::known::{KNOWN, KnownServer};

/// One server, as `[servers.NAME]` of a configuration says it. What is left out is taken from the known server of
/// that language.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerOptions {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How the names of its files end, without the dot.
    pub extensions: Vec<String>,
    /// What its documents are said to be. Default: the name of the table.
    pub language_id: Option<String>,
    /// Handed to the server when it starts.
    pub initialization_options: Option<Value>,
    /// What the server is answered when it asks for configuration.
    pub settings: Option<Value>,
    /// Variables that the server sees besides the ordinary ones.
    pub env: BTreeMap<String, String>,
    /// Files that mark the root of a project.
    pub root_markers: Vec<String>,
    /// `false`: not started for this language, even if it is installed.
    pub enabled: Option<bool>,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

/// The limits of one server. Times are in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitOptions {
    /// How long the handshake may take. Default: 300 000.
    pub initialize_timeout_ms: Option<u64>,
    /// How long an ordinary request may take. Default: 30 000.
    pub request_timeout_ms: Option<u64>,
    /// How long a search for references may take. Default: 120 000.
    pub references_timeout_ms: Option<u64>,
    /// The server is stopped when nobody has asked it anything for so long. Default: 1 800 000; 0 is never.
    pub idle_timeout_ms: Option<u64>,
    /// The server is started anew when it and its children use more memory than this. Default: no limit.
    pub memory_limit_mb: Option<u64>,
}

impl ServerOptions {
    /// This one where it says something, `under` where it does not.
    #[must_use]
    pub fn over(self, under: Self) -> Self {
        let list = |over: Vec<String>, under| if over.is_empty() { under } else { over };
        let mut env = under.env;
        env.extend(self.env);
        Self {
            command: list(self.command, under.command),
            extensions: list(self.extensions, under.extensions),
            language_id: self.language_id.or(under.language_id),
            initialization_options: self.initialization_options.or(under.initialization_options),
            settings: self.settings.or(under.settings),
            env,
            root_markers: list(self.root_markers, under.root_markers),
            enabled: self.enabled.or(under.enabled),
            limits: self.limits.over(under.limits),
        }
    }
}

impl LimitOptions {
    fn over(self, under: Self) -> Self {
        Self {
            initialize_timeout_ms: self.initialize_timeout_ms.or(under.initialize_timeout_ms),
            request_timeout_ms: self.request_timeout_ms.or(under.request_timeout_ms),
            references_timeout_ms: self.references_timeout_ms.or(under.references_timeout_ms),
            idle_timeout_ms: self.idle_timeout_ms.or(under.idle_timeout_ms),
            memory_limit_mb: self.memory_limit_mb.or(under.memory_limit_mb),
        }
    }
}

/// One language as a server knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenLanguage {
    /// What its documents are said to be.
    pub id: String,
    /// How their names end, without the dot, in lower case.
    pub extensions: Vec<String>,
    /// Whole names of files without such an ending.
    pub names: Vec<String>,
}

/// How to get to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A program, by path or by a name to be looked for, and its arguments.
    Program { program: String, args: Vec<String> },
    /// One that runs already and listens on this address. It is never ended by us.
    Address(String),
}

/// Everything that is known about a server before it is started.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSpec {
    /// The name by which people know it: that of its program.
    pub name: String,
    pub reach: Reach,
    /// Somebody named this server. One that is merely known may be missing without a word.
    pub asked_for: bool,
    pub languages: Vec<SpokenLanguage>,
    pub root_markers: Vec<String>,
    pub initialization_options: Option<Value>,
    pub settings: Option<Value>,
    pub env: BTreeMap<String, String>,
    pub limits: Limits,
}

/// How long things may take, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub initialize: Duration,
    pub request: Duration,
    pub references: Duration,
    pub hierarchy: Duration,
    pub highlight: Duration,
    /// A server that is asked to end has this long.
    pub shutdown: Duration,
    /// How long to wait before a server that failed is started again, the first time. Later it is longer.
    pub pause: Duration,
    pub idle: Option<Duration>,
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::from(&LimitOptions::default())
    }
}

impl From<&LimitOptions> for Limits {
    fn from(options: &LimitOptions) -> Self {
        let time = |given: Option<u64>, usual| Duration::from_millis(given.unwrap_or(usual));
        let request = time(options.request_timeout_ms, 30_000);
        Self {
            initialize: time(options.initialize_timeout_ms, 300_000),
            references: time(options.references_timeout_ms, 120_000),
            hierarchy: request.max(Duration::from_secs(60)),
            highlight: request.min(Duration::from_secs(10)),
            request,
            shutdown: Duration::from_secs(3),
            pause: Duration::from_millis(100),
            idle: Some(time(options.idle_timeout_ms, 1_800_000)).filter(|idle| !idle.is_zero()),
            memory: options.memory_limit_mb.map(|mb| mb.saturating_mul(1 << 20)),
        }
    }
}

/// A server that nobody could be: said once, when the configuration is read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("the server `{0}` has no command, and `{0}` is not a language that bowline knows a server for")]
    NoCommand(String),
    #[error(
        "the server `{0}` has no extensions, and `{0}` is not a language that bowline knows the files of"
    )]
    NoExtensions(String),
}

impl ServerSpec {
    /// The server of `[servers.NAME]`. What it leaves out comes from the known server of that name.
    pub fn from_options(name: &str, options: ServerOptions) -> Result<Self, SpecError> {
        let id = options.language_id.clone().unwrap_or_else(|| name.to_owned());
        let of_language = |language: &str| KNOWN.iter().find(|known| known.language == language);
        let known = of_language(&id).or_else(|| of_language(name));
        let (program, args) = match (options.command.split_first(), known) {
            (Some((program, args)), _) => (program.clone(), args.to_vec()),
            (None, Some(known)) => (known.binary.to_owned(), owned(known.args)),
            (None, None) => return Err(SpecError::NoCommand(name.to_owned())),
        };
        let extensions: Vec<String> = match (options.extensions.is_empty(), known) {
            (false, _) => options.extensions.iter().map(|extension| plain(extension)).collect(),
            (true, Some(known)) => owned(known.extensions),
            (true, None) => return Err(SpecError::NoExtensions(name.to_owned())),
        };
        let markers = known.map_or_else(Vec::new, |known| owned(known.markers));
        Ok(Self {
            name: base_name(&program).to_owned(),
            languages: vec![SpokenLanguage {
                id,
                extensions,
                names: known.map_or_else(Vec::new, |known| owned(known.names)),
            }],
            root_markers: if options.root_markers.is_empty() { markers } else { options.root_markers },
            initialization_options: options.initialization_options.or_else(|| {
                // Another server of the language would not understand them.
                known.filter(|known| known.binary == base_name(&program))?.initialization_options()
            }),
            settings: options.settings,
            env: options.env,
            limits: Limits::from(&options.limits),
            asked_for: true,
            reach: Reach::Program { program, args },
        })
    }

    /// The known server of a language, as it is started when nobody says otherwise.
    pub fn from_known(known: &KnownServer) -> Self {
        Self {
            name: known.binary.to_owned(),
            asked_for: false,
            reach: Reach::Program { program: known.binary.to_owned(), args: owned(known.args) },
            languages: vec![SpokenLanguage {
                id: known.language.to_owned(),
                extensions: owned(known.extensions),
                names: owned(known.names),
            }],
            root_markers: owned(known.markers),
            initialization_options: known.initialization_options(),
            settings: None,
            env: BTreeMap::new(),
            limits: Limits::default(),
        }
    }

    /// Servers that are the same but for their languages made one: clangd speaks C and C++, and wants to be asked
    /// about both at once.
    pub fn joined(specs: Vec<Self>) -> Vec<Self> {
        let mut joined: Vec<Self> = Vec::new();
        for spec in specs {
            match joined.iter_mut().find(|other| other.is_same_server(&spec)) {
                Some(other) => {
                    let news = spec.root_markers.into_iter().filter(|new| !other.root_markers.contains(new));
                    let news: Vec<String> = news.collect();
                    other.root_markers.extend(news);
                    other.languages.extend(spec.languages);
                }
                None => joined.push(spec),
            }
        }
        joined
    }

    fn is_same_server(&self, other: &Self) -> bool {
        self.reach == other.reach
            && self.asked_for == other.asked_for
            && self.initialization_options == other.initialization_options
            && self.settings == other.settings
            && self.env == other.env
            && self.limits == other.limits
    }

    /// The language that this server would take a file of this name for.
    pub fn language_of(&self, path: &std::path::Path) -> Option<&SpokenLanguage> {
        let name = path.file_name()?.to_str()?;
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
        self.languages.iter().find(|language| {
            language.names.iter().any(|known| known == name)
                || extension.as_ref().is_some_and(|extension| language.extensions.contains(extension))
        })
    }

    /// By their names, for messages.
    pub fn language_names(&self) -> String {
        let names: Vec<&str> = self.languages.iter().map(|language| language.id.as_str()).collect();
        names.join(", ")
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// An extension as it is compared: people write `.GO` and mean `go`.
fn plain(extension: &str) -> String {
    extension.trim_start_matches('.').to_lowercase()
}

fn base_name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(program)
}
