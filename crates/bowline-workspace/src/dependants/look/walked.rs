//! Walking through a project for the files of one family.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkState};

use super::push;
use crate::WorkspaceError;
use crate::dependants::family::Family;
use crate::stamp::changed_ns;
use crate::workspace::Work;

/// A file as the walk saw it.
pub(super) struct Seen {
    pub(super) path: PathBuf,
    pub(super) changed_ns: i64,
    pub(super) size: u64,
}

impl Seen {
    /// A file as it is now. Whoever removes one between the listing and here has removed it.
    pub(super) fn now(path: PathBuf) -> Option<Self> {
        let metadata = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { path, changed_ns: changed_ns(&metadata), size: metadata.len() })
    }
}

pub(super) struct Walked {
    pub(super) files: Vec<Seen>,
    pub(super) settings: Vec<Seen>,
    /// What may turn out to belong to them.
    pub(super) others: Vec<PathBuf>,
    pub(super) doubts: Vec<String>,
}

pub(super) fn walk(work: &Work, family: Family, project: &Path) -> Result<Walked, WorkspaceError> {
    let (files, settings) = (Mutex::default(), Mutex::default());
    let (others, links): (Mutex<Vec<PathBuf>>, Mutex<Vec<PathBuf>>) = Default::default();
    let (count, too_many) = (AtomicUsize::new(0), AtomicBool::new(false));
    let most = work.shared.options.max_files;
    let walked = work.shared.of_servers.run_below(project, &|entry: &DirEntry| {
        let path = entry.path();
        if entry.path_is_symlink() {
            push(&links, path.to_owned());
        }
        let to = if entry.file_type().is_none_or(|kind| !kind.is_file()) {
            return WalkState::Continue;
        } else if Family::of(path) == Some(family) {
            &files
        } else if family.is_setting(path) {
            &settings
        } else if family == Family::C
            || family == Family::Script && path.extension().is_some_and(|ending| ending == "json")
        {
            push(&others, path.to_owned());
            return WalkState::Continue;
        } else {
            return WalkState::Continue;
        };
        if let Ok(metadata) = entry.metadata() {
            push(to, Seen { path: path.to_owned(), changed_ns: changed_ns(&metadata), size: metadata.len() });
        }
        if count.fetch_add(1, Ordering::Relaxed) >= most {
            too_many.store(true, Ordering::Relaxed);
        }
        if work.stopped() || too_many.load(Ordering::Relaxed) { WalkState::Quit } else { WalkState::Continue }
    });
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    let mut doubts = Vec::new();
    if walked.unreadable > 0 {
        doubts.push(format!("{} directories or files could not be looked at", walked.unreadable));
    }
    if too_many.into_inner() {
        doubts.push(format!("there are more than {most} files, and only these were looked at"));
    }
    if !work.shared.options.ignore.is_empty() {
        doubts.push("what the settings leave out of the workspace was not looked at".to_owned());
    }
    let mut links = links.into_inner().unwrap_or_else(PoisonError::into_inner);
    links.retain(|link| matters(link, family, project));
    links.sort_unstable();
    if let Some(first) = links.first() {
        doubts.push(format!("`{}` is a link, and what it leads to may have another name", first.display()));
    }
    let all = |of: Mutex<Vec<Seen>>| of.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (files, mut settings) = (all(files), all(settings));
    settings.extend(above(work, family, project));
    let others = others.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Walked { files, settings, others, doubts })
}

/// A link to something that is seen at its own place, under the same name, hides nothing.
fn matters(link: &Path, family: Family, project: &Path) -> bool {
    let Ok(real) = link.canonicalize() else { return false };
    let is_ours =
        real.is_dir() || Family::of(link) == Some(family) || family == Family::C || family.is_setting(link);
    is_ours && !(real.starts_with(project) && real.file_name() == link.file_name())
}

/// Settings above the project that hold in it, too.
fn above(work: &Work, family: Family, project: &Path) -> Vec<Seen> {
    let around = work.shared.roots.around(project);
    let above = project.ancestors().skip(1);
    let directories = above.take_while(|directory| around.is_some_and(|root| directory.starts_with(root)));
    let names = [
        "package.json",
        "tsconfig.json",
        "tsconfig.base.json",
        "jsconfig.json",
        "go.mod",
        "go.work",
        "compile_commands.json",
        "compile_flags.txt",
        ".clangd",
    ];
    let paths = directories.flat_map(|directory| names.map(|name| directory.join(name)));
    paths.filter(|path| family.is_setting(path)).filter_map(Seen::now).collect()
}
