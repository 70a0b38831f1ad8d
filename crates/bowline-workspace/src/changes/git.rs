//! Git, asked so that a hostile repository runs nothing: no hook, no monitor, no filter, no driver, no transport.
//!
//! What is switched off, and why it would run in a mere comparison: `core.fsmonitor` and hooks; `filter.*`, which
//! git puts files of the working tree through; drivers for comparing and for making text (`diff.*`, by options of
//! `git diff`); and fetching what a partial clone lacks, which may run any program that a `remote.*` names.
//! What remains: with its filter switched off, a file that is kept in another form (as Git LFS does) and whose time
//! has changed since git last looked counts as modified even if it is not; and between reading the names of the
//! filters and comparing, somebody could write a new one into the configuration.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ChangesError;
use crate::program::{Output, Run};
use crate::{Patience, ProgramError, WorkspaceError};

const LIMIT: Duration = Duration::from_secs(30);
const MOST_CONFIGURATION: usize = 4 << 20;
/// Nobody has so many, and command lines have a limit.
const MOST_FILTERS: usize = 500;

/// Settings that win over the repository's. An empty monitor is none for every version of git; `false` would be the
/// name of a program for the older ones.
const SETTINGS: [&str; 8] = [
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    // Otherwise `git diff` writes the index whatever is said about locks.
    "diff.autoRefreshIndex=false",
    "diff.relative=false",
    "color.ui=false",
    "core.quotePath=true",
];

/// A repository, and how to ask about it.
pub(super) struct Git<'a> {
    environment: &'a [(OsString, OsString)],
    pub(super) top_level: PathBuf,
    filters: Vec<OsString>,
}

impl<'a> Git<'a> {
    pub(super) async fn open(
        root: &Path,
        environment: &'a [(OsString, OsString)],
        patience: &Patience<'_>,
    ) -> Result<Self, WorkspaceError> {
        let mut git = Self { environment, top_level: root.to_owned(), filters: Vec::new() };
        let said = git.run(root, &["rev-parse", "--show-toplevel"], MOST_CONFIGURATION, patience).await?;
        let complaint = said.complaint();
        if complaint.contains("not a git repository") {
            return Err(ChangesError::NotARepository { root: root.to_owned() }.into());
        }
        if complaint.contains("dubious ownership") {
            return Err(ChangesError::Untrusted { said: complaint }.into());
        }
        let mut top_level = said.successful()?;
        top_level.pop_if(|last| *last == b'\n');
        git.top_level = PathBuf::from(OsString::from_vec(top_level));
        git.filters = git.find_filters(root, patience).await?;
        Ok(git)
    }

    /// Settings that switch off every filter of any configuration file.
    async fn find_filters(
        &self,
        root: &Path,
        patience: &Patience<'_>,
    ) -> Result<Vec<OsString>, WorkspaceError> {
        let listed = ["config", "--list", "--includes", "--name-only", "-z"];
        let keys = self.output(root, &listed, MOST_CONFIGURATION, patience).await?;
        let names: BTreeSet<&[u8]> = keys.split(|byte| *byte == 0).filter_map(filter_of).collect();
        let odd = names.iter().find(|name| name.contains(&b'='));
        if odd.is_some() || names.len() > MOST_FILTERS {
            let name =
                odd.or(names.first()).map_or_else(String::new, |name| String::from_utf8_lossy(name).into());
            return Err(ChangesError::Filters { names: name }.into());
        }
        let off = |name: &&[u8]| {
            [&b"clean="[..], b"smudge=", b"process=", b"required=false"]
                .map(|rest| OsString::from_vec([b"filter.", *name, b".", rest].concat()))
        };
        Ok(names.iter().flat_map(off).collect())
    }

    /// What git writes, or why it does not.
    pub(super) async fn output(
        &self,
        dir: &Path,
        arguments: &[impl AsRef<OsStr>],
        most: usize,
        patience: &Patience<'_>,
    ) -> Result<Vec<u8>, WorkspaceError> {
        Ok(self.run(dir, arguments, most, patience).await?.successful()?)
    }

    /// One line of what git writes, or what it complains.
    pub(super) async fn line(
        &self,
        arguments: &[&str],
        patience: &Patience<'_>,
    ) -> Result<Result<String, String>, WorkspaceError> {
        let said = self.run(&self.top_level, arguments, MOST_CONFIGURATION, patience).await?;
        let complaint = said.complaint();
        Ok(match said.successful() {
            Ok(text) => Ok(String::from_utf8_lossy(&text).trim().to_owned()),
            Err(ProgramError::Failed { .. }) => Err(complaint),
            Err(error) => return Err(error.into()),
        })
    }

    async fn run(
        &self,
        dir: &Path,
        arguments: &[impl AsRef<OsStr>],
        most: usize,
        patience: &Patience<'_>,
    ) -> Result<Output, WorkspaceError> {
        let settings = SETTINGS.iter().map(OsStr::new).chain(self.filters.iter().map(OsString::as_os_str));
        Run::new("git", dir, self.environment, LIMIT)
            .args(["--no-pager", "--literal-pathspecs"])
            .args(settings.flat_map(|setting| [OsStr::new("-c"), setting]))
            .args(arguments)
            // A look must not write the index.
            .env("GIT_OPTIONAL_LOCKS", "0")
            // Nothing is fetched. Where git is too old for the first, the second still allows no transport.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .at_most(most)
            .output(patience)
            .await
    }
}

/// The name of the filter that a key is about. Git writes section and variable in small letters.
fn filter_of(key: &[u8]) -> Option<&[u8]> {
    let inner = key.strip_prefix(b"filter.")?;
    let dot = inner.iter().rposition(|byte| *byte == b'.')?;
    Some(&inner[..dot])
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn names_of_filters_may_hold_anything() {
        let of = |key: &'static str| {
            filter_of(key.as_bytes()).map(|name| OsStr::from_bytes(name).to_str().unwrap())
        };
        assert_eq!(of("filter.lfs.clean"), Some("lfs"));
        assert_eq!(of("filter.a.b c.process"), Some("a.b c"));
        assert_eq!(of("filter.x"), None);
        assert_eq!(of("core.fsmonitor"), None);
    }
}
