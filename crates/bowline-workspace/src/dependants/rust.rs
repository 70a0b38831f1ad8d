//! Crates of Rust: all of a crate belongs together, and crates are found by what their manifests name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::facts::Facts;
use super::family::{after_word, key, name_of, skip};

/// Files that are brought in by their path, perhaps into another crate.
pub(super) fn read(text: &str) -> Facts {
    let mut facts = Facts::default();
    for word in ["path", "include"] {
        for rest in after_word(text, word) {
            let Some(path) = skip(rest, &['=', '!', '(', '[', '{']).strip_prefix('"') else { continue };
            let path = path.split('"').next().unwrap_or_default();
            facts.mentions.extend(path.rsplit(['/', '\\']).next().map(key));
        }
    }
    facts
}

/// One `Cargo.toml`.
#[derive(Debug, Default, Clone)]
pub(super) struct Manifest {
    pub(super) directory: PathBuf,
    /// What others call it, or what a workspace calls it for others.
    names: HashSet<String>,
    /// Every word in it: one of them is the name of each crate that it uses.
    words: HashSet<String>,
    /// Other names, and what they stand for.
    renamed: Vec<(String, String)>,
}

impl Manifest {
    pub(super) fn read(path: &Path, text: &str) -> Self {
        let directory = path.parent().unwrap_or(path).to_owned();
        let mut manifest =
            Self { names: HashSet::from([plain(&name_of(&directory))]), directory, ..Self::default() };
        for line in text.lines() {
            let words: Vec<String> =
                line.split(|c: char| !(c == '_' || c == '-' || c.is_alphanumeric())).map(plain).collect();
            if line.trim_start().starts_with("name") {
                manifest.names.extend(words.iter().skip(1).filter(|word| !word.is_empty()).cloned());
            }
            if let Some(at) = words.iter().position(|word| word == "package")
                && at > 0
            {
                let stands_for = words[at..].iter().skip(1).find(|word| !word.is_empty());
                manifest.renamed.extend(stands_for.map(|name| (words[0].clone(), name.clone())));
            }
            manifest.words.extend(words.into_iter().filter(|word| !word.is_empty()));
        }
        manifest
    }

    /// Whether it may use the other.
    pub(super) fn uses(&self, other: &Self, all: &[&Self]) -> bool {
        let renamed = all.iter().flat_map(|manifest| &manifest.renamed);
        let others = renamed.filter(|(_, name)| other.names.contains(name)).map(|(called, _)| called);
        other.names.iter().chain(others).any(|name| self.words.contains(name))
    }
}

/// `-` and `_` are the same in the name of a crate.
fn plain(name: &str) -> String {
    name.replace('-', "_").to_lowercase()
}
