//! Files that can use one another, and the files that say how they find one another.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use bowline_syntax::Language;

/// Languages whose files bring in one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// JavaScript and TypeScript.
    Script,
    Python,
    Go,
    /// C, C++ and what is included into them.
    C,
    Rust,
    Other(Language),
}

/// What belongs to C besides what a grammar reads.
const INCLUDED: [&str; 17] = [
    "inl", "ipp", "tpp", "tcc", "txx", "inc", "def", "m", "mm", "cu", "cuh", "ixx", "cppm", "ccm", "cxxm",
    "h++", "hp",
];

/// What holds scripts among other things.
const EMBEDDING: [&str; 4] = ["vue", "svelte", "astro", "mdx"];

impl Family {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending =
            path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        if INCLUDED.contains(&ending.as_str()) {
            return Some(Self::C);
        }
        if EMBEDDING.contains(&ending.as_str()) {
            return Some(Self::Script);
        }
        Some(match Language::of_path(path)? {
            Language::TypeScript | Language::Tsx | Language::JavaScript => Self::Script,
            Language::Python => Self::Python,
            Language::Go => Self::Go,
            Language::C | Language::Cpp => Self::C,
            Language::Rust => Self::Rust,
            other => Self::Other(other),
        })
    }

    /// Whether a file says how files of this family find one another.
    pub(super) fn is_setting(self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
        match self {
            Self::Script => {
                name == "package.json"
                    || name.ends_with(".json")
                        && (name.starts_with("tsconfig") || name.starts_with("jsconfig"))
            }
            Self::Go => matches!(name, "go.mod" | "go.work"),
            Self::C => matches!(name, "compile_commands.json" | "compile_flags.txt" | ".clangd"),
            Self::Rust => name == "Cargo.toml",
            Self::Python | Self::Other(_) => false,
        }
    }
}

/// A name as it is compared: upper and lower case are the same, as they are on some file systems.
pub(super) fn key(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    if name.is_ascii() {
        name.bytes().for_each(|byte| hasher.write_u8(byte.to_ascii_lowercase()));
    } else {
        name.to_lowercase().bytes().for_each(|byte| hasher.write_u8(byte));
    }
    hasher.finish()
}

/// The last name of a path, as text.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What follows each place where a word stands by itself.
pub(super) fn after_word<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    let is_letter = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
    text.match_indices(word).filter_map(move |(at, _)| {
        let rest = &text[at + word.len()..];
        let stands_alone = !text[..at].ends_with(is_letter) && !rest.starts_with(is_letter);
        stands_alone.then_some(rest)
    })
}

/// The text without white space, these letters, and comments before it. Comments begin with `//` or `/*`.
pub(super) fn skip<'a>(mut text: &'a str, also: &[char]) -> &'a str {
    loop {
        let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || also.contains(&c));
        text = if trimmed.starts_with("//") {
            trimmed.find('\n').map_or("", |end| &trimmed[end..])
        } else if trimmed.starts_with("/*") {
            trimmed.find("*/").map_or("", |end| &trimmed[end + 2..])
        } else {
            return trimmed;
        };
    }
}
