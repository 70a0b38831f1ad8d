//! What has changed in a project, as git knows it: which files, how, and which of their lines.
//!
//! A repository is somebody else's, configuration included, so git is asked in a way that runs nothing but git
//! (`git`), and what it says is read byte by byte (`parse`). Nothing is written, not even git's own index.

mod git;
mod parse;
mod range;
mod since;
#[cfg(test)]
mod tests;
mod versions;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::{Patience, ProgramError, Workspace, WorkspaceError};
use git::Git;
use parse::{Entry, Letter};

/// So many are told; a change of more is no change that anybody reads.
const MOST: usize = 5000;
/// A comparison that is longer is told without its lines.
const MOST_PATCH: usize = 64 << 20;
const MOST_NAMES: usize = 32 << 20;

/// Which changes are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeSet {
    /// The files as they are now against what is staged, and files that git does not know and does not ignore.
    Unstaged,
    /// What is staged against the last commit, or against nothing where there is none.
    Staged,
    /// `a..b`, `a...b` (since they parted) or `a` (up to `HEAD`); without a range what the last commit changed.
    Committed { range: Option<String> },
}

/// Changed files, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    pub changes: Vec<Change>,
    /// How many there are; more than are listed if there are very many.
    pub total: usize,
    /// Changed files of the repository that lie outside the directory that was asked about.
    pub outside: usize,
    /// Changed submodules and untracked repositories: they are not files.
    pub submodules: usize,
    /// The comparison was too long, so that changed files count as changed from end to end, and files whose time alone
    /// has changed may be among them.
    pub whole: bool,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Where it is, or was. It is absolute, and may be no UTF-8.
    pub path: PathBuf,
    pub status: ChangeStatus,
    /// What changed, in ascending order, by the lines of the file as it is now. Of a deleted file there is nothing.
    pub lines: Vec<LineRange>,
    pub since: Since,
    /// What it was, and what the change made of it: texts that git keeps.
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
}

/// What has become of a file after the change. Only of what is staged or committed there is an after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Since {
    /// Its lines are known.
    Known,
    /// It has changed in a way that nobody can follow, so that all its lines count.
    Lost,
    /// It has been removed, or has another name.
    Gone,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeStatus {
    Added,
    /// Also a file of another kind than before, and one with conflicts.
    Modified,
    Deleted,
    Renamed {
        from: PathBuf,
    },
    /// Git does not know it.
    Untracked,
}

/// Lines of one version, counted from 1. Where lines were only taken away, the range is empty: it lies between
/// `last` and `first`, which are neighbours now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRange {
    pub first: u32,
    pub last: u32,
}

impl LineRange {
    /// The whole file, however long.
    pub const WHOLE: Self = Self { first: 1, last: u32::MAX };

    /// Whether the change is within these lines. Lines that were taken away between two things touch neither.
    pub fn touches(self, first: u32, last: u32) -> bool {
        self.first <= last && first <= self.last
    }
}

/// Why it cannot be told what has changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("`{}` is in no git repository", .root.display())]
    NotARepository { root: PathBuf },
    /// Git does not trust who owns the repository; its own words say what helps.
    #[error("git does not trust this repository: {said}")]
    Untrusted { said: String },
    #[error("`{range}` is no range of commits: {why}; write `main..HEAD`, `main...HEAD` or one commit")]
    BadRange { range: String, why: &'static str },
    #[error("there is no commit `{revision}` in this repository{}", .said.as_ref().map_or_else(String::new, |said| format!(": {said}")))]
    UnknownRevision { revision: String, said: Option<String> },
    #[error("the repository of `{}` has no commit yet; ask for what is staged", .root.display())]
    NoCommits { root: PathBuf },
    #[error("`{first}` and `{second}` have no commit in common")]
    NoCommonCommit { first: String, second: String },
    #[error(
        "the clone is shallow, and the commit before the last one is not in it; `git fetch --deepen 1` brings it"
    )]
    Shallow,
    /// A filter is a program that git runs on files; one that cannot be switched off could do anything.
    #[error("the repository's configuration has filters that cannot be switched off: {names}")]
    Filters { names: String },
    #[error("git wrote something that cannot be read: {what}")]
    Unreadable { what: &'static str },
}

impl ChangesError {
    /// Whether other arguments would help.
    pub fn is_callers(&self) -> bool {
        matches!(self, Self::BadRange { .. } | Self::UnknownRevision { .. } | Self::NoCommonCommit { .. })
    }
}

impl Workspace {
    /// What has changed under a directory, which may be any of the repository. Git is all that is run.
    pub async fn changed_files(
        &self,
        root: &Path,
        what: ChangeSet,
        patience: &Patience<'_>,
    ) -> Result<Changes, WorkspaceError> {
        let root = self.resolve(root)?;
        let git = Git::open(&root, self.fleet.environment(), patience).await?;
        // What the working tree is compared with to see what has become of the change.
        let mut later = (what == ChangeSet::Staged).then(|| "--ours".to_owned());
        let (entries, whole) = match &what {
            ChangeSet::Unstaged => differences(&git, &["--ours"], &[], patience).await?,
            ChangeSet::Staged => differences(&git, &["--cached"], &[], patience).await?,
            ChangeSet::Committed { range } => {
                let (before, after) = range::resolve(&git, range.as_deref(), patience).await?;
                let said = differences(&git, &[&before, &after], &[], patience).await?;
                later = Some(after);
                said
            }
        };
        let mut found = Changes { whole, ..Changes::default() };
        for entry in entries {
            found.add(entry, &git.top_level, &root);
        }
        if what == ChangeSet::Unstaged {
            let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
            let names = git.output(&root, &arguments, MOST_NAMES, patience).await?;
            found.add_untracked(&names, &root);
        }
        let mut found = found.finish();
        if let Some(version) = later {
            found = self
                .blocking(patience, move |_| {
                    since::mark_gone(&mut found.changes);
                    Ok(found)
                })
                .await?;
            since::follow(&git, &version, &mut found.changes, patience).await?;
        }
        Ok(found)
    }
}

/// What git says when it compares all files or these, and whether it had to be asked for the names alone.
async fn differences(
    git: &Git<'_>,
    sides: &[&str],
    paths: &[&OsStr],
    patience: &Patience<'_>,
) -> Result<(Vec<Entry>, bool), WorkspaceError> {
    // The repository's settings must not change what is written, nor start anything: drivers for comparing and for
    // making text of files are programs, and so is looking for changes inside a submodule.
    let form = [
        "diff",
        "--raw",
        "-z",
        "--no-abbrev",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        "--submodule=short",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--find-renames",
        "-O/dev/null",
    ];
    let with_lines = [&form[..], &["--patch", "--unified=0", "--inter-hunk-context=0"]].concat();
    let arguments = |form: &[&str]| -> Vec<OsString> {
        let words = form.iter().chain(sides).chain(&["--"]).map(OsStr::new);
        words.chain(paths.iter().copied()).map(OsStr::to_owned).collect()
    };
    let top_level = git.top_level.clone();
    match git.output(&top_level, &arguments(&with_lines), MOST_PATCH, patience).await {
        Err(WorkspaceError::Program(ProgramError::TooMuch { .. })) => {
            let names = git.output(&top_level, &arguments(&form), MOST_NAMES, patience).await?;
            Ok((parse::entries(&names)?, true))
        }
        said => Ok((parse::entries(&said?)?, false)),
    }
}

impl Changes {
    fn add(&mut self, entry: Entry, top_level: &Path, root: &Path) {
        if entry.is_submodule {
            self.submodules += 1;
            return;
        }
        let lines = entry.lines().unwrap_or_else(|| vec![LineRange::WHOLE]);
        let absolute = |bytes: Vec<u8>| top_level.join(OsString::from_vec(bytes));
        let (path, from) = (absolute(entry.path), entry.from.map(absolute));
        let (old, new) = (entry.old, entry.new);
        let (path, status, lines) = match (entry.letter, from) {
            (Letter::Renamed, Some(from)) if path.starts_with(root) => {
                (path, ChangeStatus::Renamed { from }, lines)
            }
            // It has left the directory.
            (Letter::Renamed, Some(from)) if from.starts_with(root) => (from, ChangeStatus::Deleted, vec![]),
            (Letter::Deleted, _) => (path, ChangeStatus::Deleted, vec![]),
            (Letter::Added, _) => (path, ChangeStatus::Added, vec![LineRange::WHOLE]),
            (Letter::Modified | Letter::Renamed | Letter::Unmerged, _) => {
                (path, ChangeStatus::Modified, lines)
            }
        };
        if !path.starts_with(root) {
            self.outside += 1;
        // A file with conflicts is told twice: that it has them, and how it differs from our side.
        } else if let Some(twice) = self.changes.iter_mut().rev().take(3).find(|change| change.path == path) {
            (twice.lines, twice.old) = (lines, old);
        } else {
            self.changes.push(Change { path, status, lines, since: Since::Known, old, new });
        }
    }

    fn add_untracked(&mut self, names: &[u8], root: &Path) {
        for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            if name.ends_with(b"/") {
                // Another repository, which git does not look into.
                self.submodules += 1;
            } else {
                let path = root.join(OsStr::from_bytes(name));
                self.changes.push(Change {
                    path,
                    status: ChangeStatus::Untracked,
                    lines: vec![LineRange::WHOLE],
                    since: Since::Known,
                    old: None,
                    new: None,
                });
            }
        }
    }

    fn finish(mut self) -> Self {
        self.changes.sort();
        self.total = self.changes.len();
        self.changes.truncate(MOST);
        self
    }
}
