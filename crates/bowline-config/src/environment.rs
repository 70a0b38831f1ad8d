//! The environment, read once. Every variable that bowline looks at is named here.
#![expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]

use std::ffi::OsString;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// Where the audit trail is written, unless `--audit-log` says otherwise.
pub const AUDIT_LOG: &str = "BOWLINE_AUDIT_LOG";
/// How much is logged: `error`, `warn`, `info`, `debug` or `trace`.
pub const LOG_LEVEL: &str = "LOG_LEVEL";
/// Where programs are looked for.
pub const PATH: &str = "PATH";
/// Any value: no colours.
pub const NO_COLOR: &str = "NO_COLOR";

/// A variable for the reference page.
pub struct Variable {
    pub name: &'static str,
    pub meaning: &'static str,
}

/// Everything that bowline looks at.
pub const VARIABLES: [Variable; 7] = [
    Variable {
        name: AUDIT_LOG,
        meaning: "Where the audit trail is written. `--audit-log` wins over it; without either it is \
                  `bowline/audit.jsonl` in the state directory.",
    },
    Variable {
        name: LOG_LEVEL,
        meaning: "How much is logged: `error`, `warn` (the default), `info`, `debug` or `trace`. Log lines go to \
                  stderr until a client of the older protocol era has initialized, then to the client.",
    },
    Variable { name: NO_COLOR, meaning: "With any value, nothing is coloured." },
    Variable { name: PATH, meaning: "Where language servers are looked for." },
    Variable {
        name: "XDG_CONFIG_HOME",
        meaning: "Where `bowline/bowline.toml`, the user's configuration, and `bowline/skills`, the user's skills, are.",
    },
    Variable {
        name: "XDG_STATE_HOME",
        meaning: "Where the audit trail, the journal of writes and replaced skills are kept.",
    },
    Variable {
        name: "XDG_CACHE_HOME",
        meaning: "Where the symbol index is kept. It may be deleted at any time.",
    },
];

/// What the environment says.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    pub current_dir: PathBuf,
    pub home: Option<PathBuf>,
    pub config_dir: Option<PathBuf>,
    pub state_dir: Option<PathBuf>,
    pub cache_dir: Option<PathBuf>,
    pub audit_log: Option<PathBuf>,
    pub log_level: Option<String>,
    pub path: OsString,
    /// The program that is running.
    pub executable: Option<PathBuf>,
    /// What language servers see of it.
    pub child: Vec<(OsString, OsString)>,
}

impl Environment {
    pub fn read() -> Self {
        // Without a home there are no such directories; what needs one says so.
        let places = etcetera::choose_base_strategy().ok();
        // One that is relative would be another for each directory that we are started in.
        let absolute = |dir: PathBuf| Some(dir).filter(|dir| dir.is_absolute());
        let ours = |dir: PathBuf| absolute(dir).map(|dir| dir.join("bowline"));
        Self {
            // A directory that is gone is no reason to fail where every path is absolute.
            current_dir: std::env::current_dir().unwrap_or_default(),
            home: places.as_ref().and_then(|places| absolute(places.home_dir().to_owned())),
            config_dir: places.as_ref().and_then(|places| ours(places.config_dir())),
            state_dir: places
                .as_ref()
                .and_then(|places| ours(places.state_dir().unwrap_or_else(|| places.data_dir()))),
            cache_dir: places.as_ref().and_then(|places| ours(places.cache_dir())),
            audit_log: std::env::var_os(AUDIT_LOG).filter(|path| !path.is_empty()).map(PathBuf::from),
            log_level: std::env::var_os(LOG_LEVEL).map(|level| level.to_string_lossy().into_owned()),
            path: std::env::var_os(PATH).unwrap_or_default(),
            executable: std::env::current_exe().ok(),
            child: bowline_lsp::environment::allowed(std::env::vars_os()),
        }
    }
}
