//! What one directory of a project holds, as far as runners ask.

use std::path::{Path, PathBuf};

/// Nobody writes a longer manifest by hand, and a generated one has its beginning here.
const MANIFEST: u64 = 4 << 20;
/// So many entries of a directory are looked at.
const MOST_ENTRIES: usize = 2000;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Folder<'a>(&'a Path);

impl<'a> Folder<'a> {
    pub(crate) fn new(dir: &'a Path) -> Self {
        Self(dir)
    }

    pub(crate) fn path(self) -> &'a Path {
        self.0
    }

    pub(crate) fn join(self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn has(self, name: &str) -> bool {
        self.join(name).is_file()
    }

    pub(crate) fn has_dir(self, name: &str) -> bool {
        self.join(name).is_dir()
    }

    /// The first of these that is there.
    pub(crate) fn first(self, names: &[&str]) -> Option<String> {
        names.iter().find(|name| self.has(name)).map(|name| (*name).to_owned())
    }

    /// The text of a manifest. What cannot be read says nothing.
    pub(crate) fn text(self, name: &str) -> Option<String> {
        bowline_std::fs::read_text(&self.join(name), MANIFEST).ok().map(|(text, _)| text)
    }

    pub(crate) fn toml(self, name: &str) -> Option<toml::Table> {
        self.text(name)?.parse().ok()
    }

    pub(crate) fn json(self, name: &str) -> Option<serde_json::Value> {
        serde_json::from_str(&self.text(name)?).ok()
    }

    /// The names in it, sorted, those that are no text left out.
    pub(crate) fn names(self) -> Vec<String> {
        let Ok(entries) = self.0.read_dir() else { return Vec::new() };
        let names = entries.flatten().take(MOST_ENTRIES);
        let mut names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    /// The first name in it that ends so.
    pub(crate) fn ending(self, endings: &[&str]) -> Option<String> {
        self.names().into_iter().find(|name| endings.iter().any(|ending| name.ends_with(ending)))
    }
}
