//! The languages that runners are for, and the names by which callers know them.

use std::fmt;

/// C and C++ are one: what builds the one builds the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Go,
    Rust,
    Python,
    TypeScript,
    JavaScript,
    Java,
    Kotlin,
    Cpp,
    CSharp,
    Swift,
    Zig,
    Ruby,
    Php,
}

/// Each with its names, ours first, and the endings of its files.
const NAMES: [(Language, &[&str], &[&str]); 13] = [
    (Language::Go, &["go", "golang"], &["go"]),
    (Language::Rust, &["rust"], &["rs"]),
    (Language::Python, &["python", "py"], &["py", "pyi"]),
    (Language::TypeScript, &["typescript", "typescriptreact", "ts", "tsx"], &["ts", "tsx", "mts", "cts"]),
    (Language::JavaScript, &["javascript", "javascriptreact", "js", "jsx"], &["js", "jsx", "mjs", "cjs"]),
    (Language::Java, &["java"], &["java"]),
    (Language::Kotlin, &["kotlin"], &["kt", "kts"]),
    (Language::Cpp, &["cpp", "c", "c++", "cxx"], &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx"]),
    (Language::CSharp, &["csharp", "c#", "dotnet"], &["cs"]),
    (Language::Swift, &["swift"], &["swift"]),
    (Language::Zig, &["zig"], &["zig"]),
    (Language::Ruby, &["ruby"], &["rb"]),
    (Language::Php, &["php"], &["php"]),
];

impl Language {
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(language, ..)| *language == self).map_or("", |(_, names, _)| names[0])
    }

    /// By any of its names, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        NAMES.iter().find(|(_, names, _)| names.contains(&lower.as_str())).map(|(language, ..)| *language)
    }

    /// By the ending of a file's name.
    pub(crate) fn of_ending(ending: &str) -> Option<Self> {
        NAMES.iter().find(|(.., endings)| endings.contains(&ending)).map(|(language, ..)| *language)
    }

    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(language, ..)| *language)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_is_found_by_its_own_name_and_no_other_has_it() {
        for language in Language::all() {
            assert_eq!(Language::named(language.name()), Some(language));
        }
        assert_eq!(Language::named("C++"), Some(Language::Cpp));
        assert_eq!(Language::named("cobol"), None);
        assert_eq!(Language::of_ending("tsx"), Some(Language::TypeScript));
    }
}
