//! What code that runs takes in from elsewhere: by links, and by what it says.

use std::path::{Path, PathBuf};

use bowline_std::fs::read_text;

/// Of a package with more than this, nothing is said.
const MOST_ENTRIES: usize = 10_000;
const MOST_BYTES: u64 = 8 << 20;
/// So far from its beginning an attribute or a call is read.
const MOST_CHARS: usize = 400;

/// The Rust of a package.
#[derive(Default)]
pub(super) struct Within {
    pub(super) texts: Vec<String>,
    /// Where its links lead.
    pub(super) linked: Vec<PathBuf>,
    pub(super) is_unclear: bool,
    entries: usize,
}

/// All of a package but some of its directories, and other packages inside.
pub(super) fn within(dir: &Path, but: &[&str]) -> Within {
    let mut within = Within::default();
    within.walk(dir, but);
    within
}

impl Within {
    pub(super) fn says(&self, words: &[&str]) -> bool {
        self.texts.iter().any(|text| words.iter().any(|word| text.contains(word)))
    }

    fn walk(&mut self, dir: &Path, but: &[&str]) {
        let Ok(entries) = dir.read_dir() else {
            self.is_unclear = true;
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                self.is_unclear = true;
                return;
            }
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_symlink() {
                self.linked.extend(path.canonicalize().ok());
            } else if kind.is_dir() {
                let is_other = || path.join("CACHEDIR.TAG").exists() || path.join("Cargo.toml").exists();
                if !name.starts_with('.') && name != "node_modules" && !but.contains(&&*name) && !is_other() {
                    self.walk(&path, &[]);
                }
            } else if name.ends_with(".rs") {
                match read_text(&path, MOST_BYTES) {
                    Ok((text, _)) => self.texts.push(text),
                    Err(_) => self.is_unclear = true,
                }
            }
        }
    }
}

/// Whether a text takes in code from outside its package, or from where only the compiler can tell.
pub(super) fn reaches_out(text: &str) -> bool {
    let takes_in = ["#[path", "#![path", "cfg_attr(", "include!"].into_iter().flat_map(|word| {
        let found = text.match_indices(word);
        found.map(move |(at, _)| (word, &text[at + word.len()..]))
    });
    takes_in.into_iter().any(|(word, rest)| {
        let end = rest.find([']', ';']).unwrap_or(rest.len());
        let said: String = rest[..end].chars().take(MOST_CHARS).collect();
        let is_made = said.contains("\"OUT_DIR\"");
        let is_about = word != "cfg_attr(" || said.contains("path");
        let is_elsewhere = said.contains("..") || (!is_made && (said.contains("\"/") || !said.contains('"')));
        is_about && is_elsewhere
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_from_elsewhere_is_told_from_code_of_the_package() {
        for out in [
            "#[path = \"../../core/src/x.rs\"]\nmod x;",
            "#[cfg_attr(unix, path = \"../x.rs\")]",
            "include!(\"/x.rs\");",
            "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../x.rs\"));",
            "include!(place!());",
        ] {
            assert!(reaches_out(out), "{out}");
        }
        for inside in [
            "#[path = \"x/y.rs\"] mod x; const A: &str = \"..\";",
            "include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));",
            "#[cfg_attr(test, allow(unused))]",
            "include_str!(\"../x\");",
        ] {
            assert!(!reaches_out(inside), "{inside}");
        }
    }
}
