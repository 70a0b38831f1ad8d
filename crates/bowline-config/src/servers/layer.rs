//! What one source says of one server.

use std::path::{Path, PathBuf};

use bowline_lsp::ServerOptions;
use bowline_lsp::known::KNOWN;

use crate::ConfigError;

#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// The language, as a rule. Layers of one name are laid over each other.
    pub(crate) name: String,
    pub(crate) options: ServerOptions,
    pub(crate) origin: Origin,
    /// It gives a command, which is not followed.
    pub(crate) command_withheld: bool,
}

/// Where it is said.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    Argument(String),
    File { path: PathBuf, line: usize, column: usize },
}

impl Layer {
    pub(crate) fn new(name: String, options: ServerOptions, origin: Origin) -> Self {
        Self { name, options, origin, command_withheld: false }
    }

    /// Makes the program's path absolute, if it is a path. One in a file counts from there.
    pub(crate) fn located(mut self, here: &Path, home: Option<&Path>) -> Self {
        let base = match &self.origin {
            Origin::File { path, .. } => path.parent().unwrap_or(here),
            Origin::Argument(_) => here,
        };
        if let Some(program) = self.options.command.first_mut() {
            *program = located(program, base, home);
        }
        self
    }
}

impl Origin {
    /// A mistake in what is said there.
    pub(crate) fn error(&self, message: String) -> ConfigError {
        match self.clone() {
            Self::Argument(argument) => ConfigError::Argument { argument, message },
            Self::File { path, line, column } => ConfigError::InFile { path, line, column, message },
        }
    }
}

/// For warnings.
impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Argument(argument) => write!(f, "`{argument}`"),
            Self::File { path, line, column } => write!(f, "{}:{line}:{column}", path.display()),
        }
    }
}

/// Whether there is a known server of this name.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.language == name)
}

/// A path with `~/` expanded, where there is a home.
pub(crate) fn expanded(path: &str, home: Option<&Path>) -> PathBuf {
    let below = if path == "~" { Some("") } else { path.strip_prefix("~/") };
    match (below, home) {
        (Some(below), Some(home)) => home.join(below),
        _ => PathBuf::from(path),
    }
}

/// A bare name is looked for on the PATH, later; only what has a separator is a path.
fn located(program: &str, base: &Path, home: Option<&Path>) -> String {
    if !program.contains(std::path::is_separator) {
        return program.to_owned();
    }
    // Through its components, which leaves out `.` but not `..`: that one would have to follow links.
    let path: PathBuf = base.join(expanded(program, home)).components().collect();
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_a_separator_is_a_path() {
        let at = |program| located(program, Path::new("/base"), Some(Path::new("/home/me")));
        assert_eq!(at("gopls"), "gopls");
        assert_eq!(at("./gopls"), "/base/gopls");
        assert_eq!(at("tools/../gopls"), "/base/tools/../gopls");
        assert_eq!(at("/usr/bin/gopls"), "/usr/bin/gopls");
        assert_eq!(at("~/go/bin/gopls"), "/home/me/go/bin/gopls");
        assert_eq!(at("~gopls"), "~gopls");
    }
}
