//! Which runner is meant: by the files of the project, nearest first, and by what the caller said.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::Request;
use crate::folder::Folder;
use crate::project::Target;
use crate::{ALL, Language, PlanError, Runner};

/// Projects are looked for this far below the directory that was named, in so many folders.
const DEPTH: usize = 3;
const MOST_FOLDERS: usize = 500;
const MOST_LISTED: usize = 20;

/// Folders whose projects are other people's, or made by a build.
const PASSED_OVER: [&str; 11] = [
    "node_modules",
    "target",
    "build",
    "dist",
    "out",
    "vendor",
    "venv",
    "__pycache__",
    "testdata",
    "fixtures",
    "third_party",
];

#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) runner: &'static Runner,
    pub(super) dir: PathBuf,
    file: String,
    weak: bool,
}

pub(super) fn choose(
    request: &Request<'_>,
    target: Option<&Target>,
    named: Option<Language>,
) -> Result<Chosen, PlanError> {
    let file = target.filter(|target| !target.is_dir).map(|target| target.path.as_path());
    let by_file = file.and_then(Path::extension).and_then(|ending| Language::of_ending(ending.to_str()?));
    let language = named.or(by_file);
    let start = match (target, file) {
        (_, Some(file)) => file.parent().unwrap_or(request.dir),
        (Some(target), None) => &target.path,
        (None, None) => request.dir,
    };
    let mut found = above(request, start, language);
    if found.is_empty() && target.is_none() {
        found = below(request, start, language);
    }
    if found.len() > 1 {
        let mut said: Vec<String> = found.iter().map(|one| told(request.dir, one)).collect();
        if said.len() > MOST_LISTED {
            let more = said.len() - MOST_LISTED;
            said.truncate(MOST_LISTED);
            said.push(format!("and {more} more"));
        }
        return Err(PlanError::Several { found: said });
    }
    found.pop().ok_or_else(|| {
        let fits = |runner: &&&Runner| {
            runner.task == request.task
                && language.is_none_or(|language| runner.languages.contains(&language))
        };
        let looked_for: Vec<&str> = ALL.iter().filter(fits).map(|runner| runner.by).collect();
        let looked_for = if looked_for.is_empty() { "nothing".into() } else { looked_for.join("; ") };
        PlanError::Nothing { task: request.task, dir: start.to_owned(), language, looked_for }
    })
}

/// `backend (go: go.mod)`
fn told(dir: &Path, one: &Chosen) -> String {
    let place = one.dir.strip_prefix(dir).unwrap_or(&one.dir);
    let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
    format!("`{}` ({}: {})", place.display(), one.runner.languages[0], one.file)
}

/// In the folder or the nearest one around it that is a project.
fn above(request: &Request<'_>, start: &Path, language: Option<Language>) -> Vec<Chosen> {
    let mut weak = Vec::new();
    for dir in start.ancestors().take_while(|dir| dir.starts_with(request.root)) {
        let (weaker, strong): (Vec<_>, Vec<_>) =
            here(request, dir, language).into_iter().partition(|one| one.weak);
        if !strong.is_empty() {
            return strong;
        }
        if weak.is_empty() {
            weak = weaker;
        }
    }
    weak
}

/// The nearest ones inside the folder.
fn below(request: &Request<'_>, start: &Path, language: Option<Language>) -> Vec<Chosen> {
    let mut found = Vec::new();
    let mut queue = VecDeque::from([(start.to_owned(), 0)]);
    let mut looked_at = 0;
    while let Some((dir, depth)) = queue.pop_front() {
        for name in Folder::new(&dir).names() {
            let inside = dir.join(&name);
            let skipped = name.starts_with('.') || PASSED_OVER.contains(&name.as_str());
            // A link may lead out of the project, or round in a circle.
            let is_dir = || inside.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
            if skipped || looked_at == MOST_FOLDERS || !is_dir() {
                continue;
            }
            looked_at += 1;
            let here: Vec<Chosen> = here(request, &inside, language)
                .into_iter()
                .filter(|one| !one.weak || language.is_some())
                .collect();
            if here.is_empty() && depth + 1 < DEPTH {
                queue.push_back((inside, depth + 1));
            }
            found.extend(here);
        }
    }
    found
}

/// What one folder is a project of, one runner for each language.
fn here(request: &Request<'_>, dir: &Path, language: Option<Language>) -> Vec<Chosen> {
    let fits = |runner: &&&Runner| {
        runner.task == request.task && language.is_none_or(|language| runner.languages.contains(&language))
    };
    let mut runners: Vec<&'static Runner> = ALL.iter().filter(fits).copied().collect();
    // The one that is made for the language before one that knows it too.
    runners.sort_by_key(|runner| language.is_some_and(|language| runner.languages[0] != language));
    let mut found: Vec<Chosen> = Vec::new();
    for runner in runners {
        let known = |one: &Chosen| language.is_some() || one.runner.languages.contains(&runner.languages[0]);
        if found.iter().any(known) {
            continue;
        }
        if let Some(mark) = (runner.finds)(Folder::new(dir)) {
            found.push(Chosen { runner, dir: dir.to_owned(), file: mark.file, weak: mark.weak });
        }
    }
    if found.iter().any(|one| !one.weak) {
        found.retain(|one| !one.weak);
    }
    found
}
