//! Imports of JavaScript and TypeScript, followed: relative paths, `paths` of the nearest `tsconfig.json`, and packages of
//! the project by their name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bowline_std::fs::{absolute, read_text};
use serde_json::Value;

use crate::dependants::aliases::{plain_json, strings};
use crate::dependants::family::{after_word, name_of, skip};
use crate::dependants::script::{ENDINGS, literal};

/// Larger settings are not read.
const MOST_BYTES: u64 = 1 << 20;
/// So many settings in a row may extend one another.
const MOST_EXTENDED: usize = 8;

/// What the settings above a file say of names, read once for each directory.
pub(super) struct Aliases {
    project: PathBuf,
    paths: Mutex<HashMap<PathBuf, Arc<Paths>>>,
}

/// `paths` and `baseUrl` of one file of settings.
#[derive(Debug, Default)]
struct Paths {
    /// What is written, and the paths that it may stand for. Each has at most one star.
    patterns: Vec<(String, Vec<PathBuf>)>,
    base: Option<PathBuf>,
}

impl Aliases {
    pub(super) fn new(project: &Path) -> Self {
        Self { project: project.to_owned(), paths: Mutex::default() }
    }

    fn above(&self, directory: &Path) -> Arc<Paths> {
        let mut known = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(paths) = known.get(directory) {
            return Arc::clone(paths);
        }
        let above = directory.ancestors().take_while(|above| above.starts_with(&self.project));
        let mut candidates =
            above.flat_map(|above| ["tsconfig.json", "jsconfig.json"].map(|name| above.join(name)));
        let mut paths = Paths::default();
        if let Some(nearest) = candidates.find(|path| path.is_file()) {
            settings(&nearest, MOST_EXTENDED, &mut paths);
        }
        let paths = Arc::new(paths);
        known.insert(directory.to_owned(), Arc::clone(&paths));
        paths
    }
}

pub(super) fn brings_in(aliases: &Aliases, file: &Path, text: &str, other: &Path) -> bool {
    let directory = file.parent().unwrap_or(file);
    let paths = aliases.above(directory);
    specifiers(text).any(|written| {
        let written = written.split('?').next().unwrap_or(written);
        if written.starts_with('.') {
            return is_meant(&absolute(directory, Path::new(written)), other);
        }
        let mut named =
            paths.patterns.iter().filter_map(|(pattern, targets)| Some((star(pattern, written)?, targets)));
        if let Some((taken, targets)) = named.next() {
            return targets.iter().any(|target| is_meant(&filled(target, taken), other));
        }
        let at_base = paths.base.as_ref().is_some_and(|base| is_meant(&base.join(written), other));
        at_base || is_of_package(&aliases.project, written, other)
    })
}

fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = ["from", "import", "require", "mock", "requireActual", "importActual"];
    words
        .into_iter()
        .flat_map(|word| after_word(text, word))
        .filter_map(|rest| literal(skip(rest, &['('])))
        .filter(|written| !written.is_empty())
}

/// Whether a path without an ending, or with the one it will have once it is compiled, means a file.
fn is_meant(written: &Path, file: &Path) -> bool {
    let bare = |path: &Path| {
        let name = name_of(path);
        let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        path.with_file_name(stem)
    };
    let stem = bare(file);
    written == file
        || written == stem
        || bare(written) == stem
        || (name_of(&stem) == "index" && stem.parent() == Some(written))
}

/// What the star of a pattern stands for; nothing where there is none.
fn star<'a>(pattern: &str, written: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => (pattern == written).then_some(""),
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
    }
}

fn filled(target: &Path, taken: &str) -> PathBuf {
    PathBuf::from(target.to_string_lossy().replacen('*', taken, 1))
}

/// The nearest settings win; what they do not say is said by those they extend.
fn settings(path: &Path, most: usize, paths: &mut Paths) {
    let directory = path.parent().unwrap_or(path);
    let Some(Value::Object(read)) =
        read_text(path, MOST_BYTES).ok().and_then(|(text, _)| serde_json::from_str(&plain_json(&text)).ok())
    else {
        return;
    };
    let options = read.get("compilerOptions").and_then(Value::as_object);
    let base = options.and_then(|options| options.get("baseUrl")).and_then(Value::as_str);
    let base = base.map(|base| absolute(directory, Path::new(base)));
    if paths.patterns.is_empty() {
        let written = options.and_then(|options| options.get("paths")).and_then(Value::as_object);
        paths.patterns.extend(written.into_iter().flatten().map(|(pattern, targets)| {
            let mut found = Vec::new();
            strings(targets, &mut found);
            let from = base.as_deref().unwrap_or(directory);
            (pattern.clone(), found.iter().map(|target| absolute(from, Path::new(target))).collect())
        }));
    }
    if paths.base.is_none() {
        paths.base = base;
    }
    let mut extended = Vec::new();
    read.get("extends").into_iter().for_each(|value| strings(value, &mut extended));
    // Those of packages say nothing of this project's files.
    for written in extended.iter().filter(|written| written.starts_with('.') && most > 0) {
        let named = absolute(directory, Path::new(written));
        let named =
            if named.is_file() { named } else { named.with_file_name(format!("{}.json", name_of(&named))) };
        settings(&named, most - 1, paths);
    }
}

/// Whether a name is that of the package that holds the file, and leads to it.
fn is_of_package(project: &Path, written: &str, file: &Path) -> bool {
    let mut above = file.ancestors().skip(1).take_while(|above| above.starts_with(project));
    let Some(directory) = above.find(|above| above.join("package.json").is_file()) else { return false };
    let Some(Value::Object(package)) = read_text(&directory.join("package.json"), MOST_BYTES)
        .ok()
        .and_then(|(text, _)| serde_json::from_str(&text).ok())
    else {
        return false;
    };
    let name = package.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    let Some(rest) = name.and_then(|name| written.strip_prefix(name)) else { return false };
    let stem = |path: &str| crate::dependants::script::stem(path.rsplit('/').next().unwrap_or(path));
    if rest.is_empty() {
        // What is built lies elsewhere than what it is built from, and is called the same.
        let mut entries = vec!["index".to_owned()];
        let fields = ["main", "module", "types", "exports"].iter().filter_map(|field| package.get(*field));
        fields.for_each(|value| strings(value, &mut entries));
        return entries.iter().any(|entry| stem(entry) == stem(&name_of(file)));
    }
    let Some(rest) = rest.strip_prefix('/') else { return false };
    let below = file.strip_prefix(directory).unwrap_or(file);
    let tail =
        |path: &Path| (1..4).map(|skipped| path.iter().skip(skipped).collect()).collect::<Vec<PathBuf>>();
    std::iter::once(below.to_owned()).chain(tail(below)).any(|below| is_meant(Path::new(rest), &below))
}
