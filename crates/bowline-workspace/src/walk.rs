//! Looking through the roots for files, as git and the project's own ignore files want them seen.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::roots::Roots;
use crate::{Options, WorkspaceError};

/// The project's own list of what to leave out, in the syntax of `.gitignore`.
const IGNORE_FILE: &str = ".bowlineignore";

/// Whose files are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// What the project calls its own: git's rules, and the project's.
    Index,
    /// What language servers read too: generated files that git does not keep, hidden ones. Not what is fetched or
    /// built, which is as large as it is seldom changed by hand.
    Servers,
}

/// Directories that no server is told of.
const FETCHED: [&str; 11] = [
    ".git",
    "node_modules",
    "target",
    "__pycache__",
    "venv",
    ".venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".gradle",
    ".cache",
];

/// How the roots are walked.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    sight: Sight,
    roots: Roots,
    options: Options,
    /// What else is left out, per root. Compiled before the first walk, or at once where the user's patterns may be wrong.
    left_out: OnceLock<Vec<Override>>,
}

/// What became of a walk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Walked {
    /// Directories and entries that could not be looked at.
    pub(crate) unreadable: u64,
    /// Links, which were not followed.
    pub(crate) links: u64,
    /// Directories that were gone through and that the watcher for servers passes over, and those that are a
    /// repository of their own, with rules of their own.
    pub(crate) unwatched: u64,
}

impl Walker {
    pub(crate) fn new(roots: &Roots, options: &Options, sight: Sight) -> Result<Self, WorkspaceError> {
        let walker =
            Self { sight, roots: roots.clone(), options: options.clone(), left_out: OnceLock::new() };
        if !options.ignore.is_empty() {
            let _ = walker.left_out.set(walker.compile()?);
        }
        Ok(walker)
    }

    fn compile(&self) -> Result<Vec<Override>, WorkspaceError> {
        let roots = self.roots.all().iter();
        roots.map(|root| overrides(root, &self.options.ignore, self.sight)).collect()
    }

    fn left_out(&self) -> &[Override] {
        self.left_out.get_or_init(|| {
            self.compile().unwrap_or_else(|error| {
                // Only patterns of our own are compiled this late.
                tracing::error!(%error, "what is left out of walks cannot be compiled; nothing is");
                self.roots.all().iter().map(|_| Override::empty()).collect()
            })
        })
    }

    /// Shows every file under the roots to `visit`, from several threads, until it answers `Quit`.
    pub(crate) fn run(&self, visit: &(dyn Fn(&DirEntry) -> WalkState + Sync)) -> Walked {
        let (unreadable, links, unwatched) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        for (root, left_out) in self.roots.all().iter().zip(self.left_out()) {
            self.builder(root).overrides(left_out.clone()).build_parallel().run(|| {
                Box::new(|entry| match entry {
                    Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => visit(&entry),
                    Ok(entry) => {
                        if entry.path_is_symlink() {
                            links.fetch_add(1, Ordering::Relaxed);
                        } else if self.sight == Sight::Index && entry.depth() > 0 {
                            unwatched.fetch_add(u64::from(is_unwatched(entry.path())), Ordering::Relaxed);
                        }
                        WalkState::Continue
                    }
                    Err(error) => {
                        if !vanished(&error, root) {
                            tracing::debug!(%error, "left out of the index");
                            unreadable.fetch_add(1, Ordering::Relaxed);
                        }
                        WalkState::Continue
                    }
                })
            });
        }
        Walked {
            unreadable: unreadable.into_inner(),
            links: links.into_inner(),
            unwatched: unwatched.into_inner(),
        }
    }

    /// Shows every file and every link below one directory, which lies within a root.
    pub(crate) fn run_below(
        &self,
        directory: &Path,
        visit: &(dyn Fn(&DirEntry) -> WalkState + Sync),
    ) -> Walked {
        let unreadable = AtomicU64::new(0);
        let around = self.roots.around(directory);
        let left_out =
            self.roots.all().iter().zip(self.left_out()).find(|(root, _)| Some(root.as_path()) == around);
        let Some((_, left_out)) = left_out else {
            return Walked { unreadable: 1, ..Walked::default() };
        };
        self.builder(directory).overrides(left_out.clone()).build_parallel().run(|| {
            Box::new(|entry| match entry {
                Ok(entry)
                    if entry.path_is_symlink() || entry.file_type().is_some_and(|kind| kind.is_file()) =>
                {
                    visit(&entry)
                }
                Ok(_) => WalkState::Continue,
                Err(error) => {
                    unreadable.fetch_add(u64::from(!vanished(&error, directory)), Ordering::Relaxed);
                    WalkState::Continue
                }
            })
        });
        Walked { unreadable: unreadable.into_inner(), ..Walked::default() }
    }

    /// Where a file leads, if that is within the roots.
    pub(crate) fn real(&self, path: &Path) -> Option<PathBuf> {
        self.roots.resolve(path).ok()
    }

    fn builder(&self, root: &Path) -> WalkBuilder {
        let mut builder = seen(root, self.sight);
        builder.threads(self.options.threads()).follow_links(self.options.follow_links);
        if self.options.follow_links {
            let roots = self.roots.clone();
            builder.filter_entry(move |entry| {
                let within = |path: PathBuf| roots.around(&path).is_some();
                !entry.path_is_symlink() || entry.path().canonicalize().is_ok_and(within)
            });
        }
        builder
    }
}

/// Whether the watcher for servers passes over a directory, or does not see all rules that count in it.
fn is_unwatched(directory: &Path) -> bool {
    directory.file_name().is_some_and(|name| FETCHED.iter().any(|fetched| name == *fetched))
        || directory.join(".git").symlink_metadata().is_ok()
}

/// Something removed while we walked is not unreadable; a root that is not there is.
fn vanished(error: &ignore::Error, root: &Path) -> bool {
    error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound) && root.exists()
}

/// A walk with these eyes.
pub(crate) fn seen(root: &Path, sight: Sight) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    match sight {
        Sight::Index => builder
            .add_custom_ignore_filename(IGNORE_FILE)
            // A tree without `.git`, an unpacked archive say, means its ignore files just the same.
            .require_git(false)
            // The user's own list lies in the home directory, where rooms do not look.
            .git_global(false),
        Sight::Servers => builder.standard_filters(false),
    };
    builder
}

/// What else is left out of a root.
pub(crate) fn overrides(root: &Path, globs: &[String], sight: Sight) -> Result<Override, WorkspaceError> {
    let bad = |glob: &str, error: &ignore::Error| WorkspaceError::BadIgnore {
        glob: glob.to_owned(),
        reason: error.to_string(),
    };
    let mut builder = OverrideBuilder::new(root);
    for glob in globs {
        // Overrides name what is wanted; the mark turns that round.
        builder.add(&format!("!{glob}")).map_err(|error| bad(glob, &error))?;
    }
    if sight == Sight::Servers {
        for name in FETCHED {
            builder.add(&format!("!{name}")).map_err(|error| bad(name, &error))?;
        }
    }
    builder.build().map_err(|error| bad("", &error))
}
