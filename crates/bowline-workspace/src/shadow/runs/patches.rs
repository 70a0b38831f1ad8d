//! Packages on disk that stand in for others: a macro of strangers may depend on them, and no manifest of the project
//! says so. Few words of TOML are read for it; where more would have to be understood, nothing is known.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bowline_std::fs::{absolute, read_text};

const MOST_BYTES: u64 = 4 << 20;
const STAND_IN: [&str; 2] = ["patch", "replace"];

/// What the manifest of a workspace and the settings of cargo say.
pub(super) struct Configured {
    /// Directories of packages that stand in for others.
    pub(super) patched: Vec<PathBuf>,
    pub(super) is_unclear: bool,
    /// The settings, which may name programs that cargo runs.
    settings: Vec<String>,
}

impl Configured {
    pub(super) fn of(root: &Path, environment: &[(OsString, OsString)]) -> Self {
        let mut all = Self { patched: Vec::new(), is_unclear: false, settings: Vec::new() };
        match read_text(&root.join("Cargo.toml"), MOST_BYTES) {
            Ok((text, _)) => all.take(root, &text),
            Err(_) => all.is_unclear = true,
        }
        let variable = |name: &str| {
            let mut set = environment.iter().rev().filter(|(key, _)| key == name);
            set.next().map(|(_, value)| PathBuf::from(value))
        };
        let home = variable("CARGO_HOME").or_else(|| variable("HOME").map(|home| home.join(".cargo")));
        let above = root.ancestors().map(|dir| dir.join(".cargo"));
        for dir in above.chain(home) {
            for file in ["config.toml", "config"].map(|name| dir.join(name)) {
                let Ok((text, _)) = read_text(&file, MOST_BYTES) else { continue };
                all.take(dir.parent().unwrap_or(&dir), &text);
                all.settings.push(text);
            }
        }
        all
    }

    /// Whether the settings speak of a file: it may be a program that wraps the compiler, or links for it.
    pub(super) fn names(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return true };
        self.settings.iter().any(|text| text.contains(name))
    }

    fn take(&mut self, base: &Path, text: &str) {
        let is_of = |line: &str, words: &[&str]| {
            let key = line.trim_start_matches(['[', '"', '\'', ' ']);
            words.iter().any(|word| key.starts_with(word))
        };
        let (mut is_inside, mut is_at_top) = (false, true);
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                (is_inside, is_at_top) = (is_of(line, &STAND_IN), false);
            } else if is_at_top {
                self.is_unclear |= is_of(line, &STAND_IN) || is_of(line, &["paths"]);
            } else if is_inside && !line.starts_with('#') && line.contains("path") {
                match value_of_path(line) {
                    Some(path) => self.patched.extend(absolute(base, Path::new(path)).canonicalize().ok()),
                    None => self.is_unclear = true,
                }
            }
        }
    }
}

/// The value of `path = "…"` in a line.
fn value_of_path(line: &str) -> Option<&str> {
    line.match_indices("path").find_map(|(at, word)| {
        let rest = line[at + word.len()..].trim_start_matches(['"', '\'']).trim_start();
        let rest = rest.strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        rest[1..].split(quote).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_found_in_every_usual_form() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        for name in ["one", "two", "three", "no"] {
            std::fs::create_dir(base.join(name)).unwrap();
        }
        let mut all = Configured { patched: Vec::new(), is_unclear: false, settings: Vec::new() };
        all.take(
            &base,
            "[dependencies]\npatch = \"1\"\nno = { path = \"no\" }\n[patch.crates-io]\none = { path = \"one\" }\n\
             b = { git = \"x\" }\n[patch.\"https://x\".two]\npath = 'two'\n[replace]\n\"a:1.0.0\" = { path = \"three\" }\n",
        );
        assert_eq!(all.patched, ["one", "two", "three"].map(|name| base.join(name)));
        assert!(!all.is_unclear);
        all.take(&base, "paths = [\"one\"]\n");
        assert!(all.is_unclear);
    }
}
