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

pub(super) fn of_script(path: &Path) -> Option<String> {
    read_text(path, MOST_BYTES).ok().map(|(text, _)| text)
}

/// Macros of the standard library that take in no code.
const PLAIN_MACROS: [&str; 24] = [
    "println",
    "print",
    "eprintln",
    "eprint",
    "format",
    "write",
    "writeln",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "vec",
    "matches",
    "todo",
    "unimplemented",
    "unreachable",
    "env",
    "option_env",
    "concat",
    "stringify",
    "cfg",
    "include_str",
    "include_bytes",
];

/// Whether a build script takes in no other file of Rust: it names no module, and has no macro that could.
pub(super) fn stands_alone(text: &str) -> bool {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    let words = text.split(|c: char| !is_word(c));
    if words.clone().any(|word| matches!(word, "mod" | "include" | "macro_rules" | "cfg_attr"))
        || text.contains("#!")
        || text.contains("#[path")
    {
        return false;
    }
    let macros = text.match_indices('!').filter_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let name = before.rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        let is_call = after.trim_start().starts_with(['(', '[', '{']) && !name.is_empty();
        is_call.then_some(name)
    });
    macros.into_iter().all(|name| PLAIN_MACROS.contains(&name))
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
    fn scripts_without_modules_stand_alone() {
        assert!(stands_alone(
            "fn main() {\n    if !x { println!(\"a\"); }\n    let a = format!(\"{}\", 1) != b;\n}\n"
        ));
        for taking in [
            "mod x;\nfn main() {}",
            "fn main() { include!(\"x\") }",
            "all_of!(\"src\");",
            "#![feature(x)]",
            "macro_rules! a {}",
        ] {
            assert!(!stands_alone(taking), "{taking}");
        }
    }

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
