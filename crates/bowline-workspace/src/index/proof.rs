//! When the index need not be brought up to date: the watcher proves that nothing it depends on has changed.
//!
//! The watcher sees every file that the index reads, with four exceptions that are looked at here: directories that
//! it passes over by their names, ignore files above the roots, git's own list of ignored files, and what other machines
//! write. Where the tree holds one of the first, or is on a file system that others write to, there is no proof, and the
//! tree is walked as without a watcher.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bowline_std::fs::{read_text, reports_all_changes};

use super::IndexReport;
use crate::stamp::{PROVES_NOTHING, changed_ns, kept_ns};

/// Ignore files that count for everything below them.
const RULES: [&str; 3] = [".gitignore", ".ignore", ".bowlineignore"];
/// The list of ignored files that git keeps for one clone.
const EXCLUDE: &str = "info/exclude";
/// A `.git` file holds one path.
const MAX_GIT_FILE: u64 = 16 << 10;

/// Everything that the index depends on, at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The end of the log of changes.
    pub(crate) place: u64,
    /// How many directories have come that the watcher passes over.
    pub(crate) passed_over: u64,
    /// The ignore files that are not watched.
    pub(crate) rules: Vec<RuleFile>,
    /// Counts what other processes have written into the store.
    pub(crate) store: u64,
}

impl Mark {
    /// Whether another moment can be told from this one: an ignore file that has just changed may change again and look
    /// the same.
    pub(super) fn proves(&self) -> bool {
        !self.rules.iter().flatten().any(|(changed_ns, _)| *changed_ns == PROVES_NOTHING)
    }
}

/// When an ignore file changed, and its size. `None`: there is none.
type RuleFile = Option<(i64, u64)>;

/// The last refresh whose moment is known.
#[derive(Debug, Default)]
pub(super) struct Proven(Mutex<Option<(Mark, Arc<IndexReport>)>>);

impl Proven {
    pub(super) fn set(&self, proven: Option<(Mark, Arc<IndexReport>)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = proven;
    }

    /// The last report, if the index is the same now. `is_unchanged` says whether no file of the index changed since a
    /// place in the log.
    pub(super) fn still(&self, now: &Mark, is_unchanged: impl Fn(u64) -> bool) -> Option<Arc<IndexReport>> {
        let mut proven = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mark, report) = proven.as_mut()?;
        let is_same = Mark { place: now.place, ..mark.clone() } == *now && is_unchanged(mark.place);
        is_same.then(|| {
            // What was looked at need not be looked at again.
            mark.place = now.place;
            Arc::clone(report)
        })
    }
}

/// Whether the watcher can hear of every change below these roots. Blocks.
pub(crate) fn are_watchable(roots: &[PathBuf]) -> bool {
    roots.iter().all(|root| reports_all_changes(root))
}

/// The ignore files that count for these roots and are not watched. Blocks.
pub(crate) fn rules_outside(roots: &[PathBuf]) -> Vec<RuleFile> {
    let mut files = Vec::new();
    for root in roots {
        for directory in root.ancestors() {
            if directory != root {
                files.extend(RULES.iter().map(|name| stamp(&directory.join(name))));
            }
            files.extend(excludes(&directory.join(".git")).iter().map(|path| stamp(path)));
        }
    }
    files
}

/// Where git keeps its own list for what is at `.git`: a directory, or a file that names one. Blocks.
fn excludes(git: &Path) -> Vec<PathBuf> {
    let Ok(metadata) = git.symlink_metadata() else {
        return Vec::new();
    };
    if !metadata.is_file() {
        return vec![git.join(EXCLUDE)];
    }
    let line = |path: &Path| read_text(path, MAX_GIT_FILE).map(|(text, _)| text.trim().to_owned()).ok();
    let around = git.parent().unwrap_or(git);
    let Some(directory) = line(git).and_then(|text| Some(around.join(text.strip_prefix("gitdir:")?.trim())))
    else {
        return vec![git.to_owned()];
    };
    let common = line(&directory.join("commondir")).map(|common| directory.join(common).join(EXCLUDE));
    [Some(git.to_owned()), Some(directory.join(EXCLUDE)), common].into_iter().flatten().collect()
}

fn stamp(path: &Path) -> RuleFile {
    let of = |metadata: Metadata| (kept_ns(changed_ns(&metadata), SystemTime::now()), metadata.len());
    path.metadata().ok().map(of)
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::*;

    fn mark(place: u64) -> Mark {
        Mark { place, passed_over: 0, rules: vec![None], store: 0 }
    }

    #[test]
    fn a_report_counts_while_nothing_it_depends_on_changes() {
        let proven = Proven::default();
        let report = Arc::new(IndexReport::default());
        assert_eq!(proven.still(&mark(1), |_| true), None, "nothing is known yet");
        proven.set(Some((mark(1), Arc::clone(&report))));
        assert_eq!(proven.still(&mark(5), |place| place == 1), Some(report), "others changed");
        assert_eq!(proven.still(&mark(9), |place| place != 5), None, "only what came since is looked at");
        let others = [
            Mark { passed_over: 1, ..mark(5) },
            Mark { rules: vec![Some((1, 1))], ..mark(5) },
            Mark { store: 1, ..mark(5) },
        ];
        for other in others {
            assert_eq!(proven.still(&other, |_| true), None, "{other:?}");
        }
    }

    #[test]
    fn rules_above_a_root_and_those_of_git_are_looked_at() {
        let fixture = Fixture::new(
            "//- /work/a.rs\none\n//- /work/.git\ngitdir: ../main/.git/worktrees/work\n\
             //- /main/.git/worktrees/work/commondir\n../..\n//- /main/.git/info/exclude\n# none\n",
        );
        let roots = [fixture.path("work")];
        let before = rules_outside(&roots);
        assert_eq!(rules_outside(&roots), before);
        fixture.write_bytes("main/.git/info/exclude", b"*.rs\n");
        let excluded = rules_outside(&roots);
        assert_ne!(excluded, before);
        fixture.write_bytes(".ignore", b"*.rs\n");
        assert_ne!(rules_outside(&roots), excluded);
        let recent = Mark { rules: rules_outside(&roots), ..mark(1) };
        assert!(!recent.proves(), "they have just been written");
    }
}
