//! What the programs see of the environment: what bowline hands to its children, and that nobody is at a terminal.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// No pager, no colours, no questions, no adverts, and messages in one language. Most runners know `CI`: none of them
/// then watches for changes, draws bars or cuts its lines to a terminal's width.
const QUIET: [(&str, &str); 10] = [
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("NO_COLOR", "1"),
    ("CLICOLOR", "0"),
    ("TERM", "dumb"),
    ("LANGUAGE", ""),
    ("LC_ALL", "C.UTF-8"),
    ("CI", "1"),
    ("NO_UPDATE_NOTIFIER", "1"),
];

/// The environment that is handed to children.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Environment<'a>(&'a [(OsString, OsString)]);

impl<'a> Environment<'a> {
    pub(crate) fn new(variables: &'a [(OsString, OsString)]) -> Self {
        Self(variables)
    }

    pub(crate) fn get(self, name: &str) -> Option<&'a OsStr> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Where a program of this name is.
    pub(crate) fn find(self, program: &str) -> Option<PathBuf> {
        let path = self.get("PATH")?;
        bowline_std::process::find_program(OsStr::new(program), path, Path::new("/"))
    }

    /// The `PATH` with these folders before all others.
    pub(crate) fn path_with(self, first: impl IntoIterator<Item = PathBuf>) -> OsString {
        let path = self.get("PATH").unwrap_or_default();
        let all = first.into_iter().chain(std::env::split_paths(path));
        // A folder with a colon in its name can stand in no `PATH`.
        std::env::join_paths(all.filter(|dir| std::env::join_paths([dir]).is_ok())).unwrap_or_default()
    }
}

/// All that a program sees: later ones count.
pub(crate) fn of(
    environment: &[(OsString, OsString)],
    more: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    let quiet = QUIET.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    environment.iter().cloned().chain(quiet).chain(more.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_project_brings_comes_first() {
        let variables = [("PATH".into(), "/a:/b".into()), ("PATH".into(), "/c".into())];
        let environment = Environment::new(&variables);
        assert_eq!(environment.path_with(["/x".into(), "/with:colon".into()]), "/x:/c");
        assert_eq!(environment.find("no-such-program"), None);
        let seen = of(&variables, &[("CI".into(), "0".into())]);
        assert_eq!(seen.last(), Some(&("CI".into(), "0".into())));
    }
}
