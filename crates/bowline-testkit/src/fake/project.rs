//! What the fake can see: open documents, and the files under its roots where nothing is open.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::script::PositionEncoding;
use super::uri::{file_uri, to_path};

/// Files that are larger are not source.
const LARGEST: u64 = 8 << 20;

/// A fixture has a handful of files; whoever points the fake at a whole disk shall not wait for ever.
const MOST_FILES: usize = 20_000;

#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) unit: PositionEncoding,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) open: BTreeMap<PathBuf, Document>,
    /// What it is limited to, if not empty. Open documents are seen all the same.
    pub(crate) include: Arc<Mutex<Vec<PathBuf>>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// As the client wrote it: only so will it know its document again.
    pub(crate) uri: String,
    pub(crate) version: i64,
    pub(crate) text: String,
}

/// The text of an open document or of a file.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) uri: String,
    pub(crate) version: Option<i64>,
    pub(crate) text: String,
}

impl Project {
    /// What the client asks about: open, or on disk below a root.
    pub(crate) fn source(&self, uri: &str) -> Option<Source> {
        let path = to_path(uri);
        if let Some(document) = self.open.get(&path) {
            return Some(open_source(&path, document));
        }
        let dots = path.components().any(|part| part == Component::ParentDir);
        let ours = !dots && self.roots.iter().any(|root| path.starts_with(root));
        ours.then(|| file_source(&path)).flatten()
    }

    /// Everything that is open or below a root, by path.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let mut paths: Vec<PathBuf> = self.open.keys().cloned().collect();
        for root in &self.roots {
            walk(root, &mut paths);
        }
        let include = self.include.lock().unwrap_or_else(PoisonError::into_inner).clone();
        paths.retain(|path| {
            include.is_empty()
                || self.open.contains_key(path)
                || include.iter().any(|place| path.starts_with(place))
        });
        paths.sort();
        paths.dedup();
        let source = |path: &PathBuf| match self.open.get(path) {
            Some(document) => Some(open_source(path, document)),
            None => file_source(path),
        };
        paths.iter().filter_map(source).collect()
    }

    /// The path as people would name it inside the project.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let inside = self.roots.iter().find_map(|root| path.strip_prefix(root).ok());
        inside.unwrap_or(path).display().to_string()
    }
}

fn open_source(path: &Path, document: &Document) -> Source {
    Source {
        path: path.to_owned(),
        uri: document.uri.clone(),
        version: Some(document.version),
        text: document.text.clone(),
    }
}

fn file_source(path: &Path) -> Option<Source> {
    let (text, _) = bowline_std::fs::read_text(path, LARGEST).ok()?;
    Some(Source { path: path.to_owned(), uri: file_uri(path), version: None, text })
}

/// Hidden entries and what builds leave behind are passed over, and links are not followed: they may be loops.
fn walk(directory: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        if paths.len() >= MOST_FILES {
            return;
        }
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), paths),
            Ok(kind) if kind.is_file() => paths.push(entry.path()),
            _ => {}
        }
    }
}
