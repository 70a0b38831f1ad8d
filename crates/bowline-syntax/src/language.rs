//! The languages, and how they are told apart.

use std::{path::Path, sync::OnceLock};

use crate::{compiled::Compiled, grammar::Grammar};

mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod php;
mod python;
mod ruby;
mod rust;
mod typescript;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Rust,
    Python,
    Go,
    TypeScript,
    Tsx,
    /// With or without JSX.
    JavaScript,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Bash,
}

impl Language {
    pub const ALL: [Language; 13] = [
        Self::Rust,
        Self::Python,
        Self::Go,
        Self::TypeScript,
        Self::Tsx,
        Self::JavaScript,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Ruby,
        Self::Php,
        Self::Bash,
    ];

    /// Its identifier in the language server protocol.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Go => "go",
            Self::TypeScript => "typescript",
            Self::Tsx => "typescriptreact",
            Self::JavaScript => "javascript",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::CSharp => "csharp",
            Self::Ruby => "ruby",
            Self::Php => "php",
            Self::Bash => "shellscript",
        }
    }

    /// Also by the names that people use; upper or lower case.
    pub fn from_id(id: &str) -> Option<Language> {
        let id = id.to_ascii_lowercase();
        if let Some(language) = Self::ALL.into_iter().find(|language| language.id() == id) {
            return Some(language);
        }
        Some(match id.as_str() {
            "rs" => Self::Rust,
            "py" => Self::Python,
            "golang" => Self::Go,
            "ts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "js" | "jsx" | "javascriptreact" => Self::JavaScript,
            "c++" | "cxx" => Self::Cpp,
            "c#" | "cs" => Self::CSharp,
            "rb" => Self::Ruby,
            "bash" | "sh" | "shell" => Self::Bash,
            _ => return None,
        })
    }

    /// By the file's name alone. `.h` is C: a C++ header of that name is read as far as C goes.
    pub fn of_path(path: &Path) -> Option<Language> {
        let name = path.file_name()?.to_str()?;
        match name {
            "Rakefile" | "Gemfile" | "Guardfile" | "Capfile" | "Vagrantfile" | "Podfile" | "Fastfile" => {
                return Some(Self::Ruby);
            }
            ".bashrc" | ".bash_profile" | ".bash_login" | ".bash_logout" | ".bash_aliases" | ".profile" => {
                return Some(Self::Bash);
            }
            _ => {}
        }
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "rs" => Self::Rust,
            "py" | "pyw" | "pyi" => Self::Python,
            "go" => Self::Go,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            "java" => Self::Java,
            "c" | "h" => Self::C,
            "cpp" | "cc" | "cxx" | "c++" | "hpp" | "hxx" | "hh" | "h++" => Self::Cpp,
            "cs" | "csx" => Self::CSharp,
            "rb" | "rake" | "gemspec" | "ru" => Self::Ruby,
            "php" | "phtml" => Self::Php,
            "sh" | "bash" => Self::Bash,
            _ => return None,
        })
    }

    /// Whether a name in the one may mean a definition in the other.
    pub fn same_names(self, other: Language) -> bool {
        self.family() == other.family()
    }

    fn family(self) -> Language {
        match self {
            Self::Cpp => Self::C,
            Self::Tsx | Self::JavaScript => Self::TypeScript,
            other => other,
        }
    }

    fn grammar(self) -> &'static Grammar {
        match self {
            Self::Rust => &rust::GRAMMAR,
            Self::Python => &python::GRAMMAR,
            Self::Go => &go::GRAMMAR,
            Self::TypeScript => &typescript::GRAMMAR,
            Self::Tsx => &typescript::TSX,
            Self::JavaScript => &javascript::GRAMMAR,
            Self::Java => &java::GRAMMAR,
            Self::C => &c::GRAMMAR,
            Self::Cpp => &cpp::GRAMMAR,
            Self::CSharp => &csharp::GRAMMAR,
            Self::Ruby => &ruby::GRAMMAR,
            Self::Php => &php::GRAMMAR,
            Self::Bash => &bash::GRAMMAR,
        }
    }

    pub(crate) fn compiled(self) -> &'static Compiled {
        static COMPILED: [OnceLock<Compiled>; 13] = [const { OnceLock::new() }; 13];
        COMPILED[self as usize].get_or_init(|| Compiled::new(self.grammar()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_name_only_what_their_grammar_has() {
        for language in Language::ALL {
            assert_eq!(language.compiled().unknown, [""; 0], "{language:?}");
        }
    }

    #[test]
    fn ids_come_back() {
        for (index, language) in Language::ALL.into_iter().enumerate() {
            assert_eq!(language as usize, index);
            assert_eq!(Language::from_id(language.id()), Some(language));
        }
        assert_eq!(Language::from_id("C++"), Some(Language::Cpp));
        assert_eq!(Language::from_id("javascriptreact"), Some(Language::JavaScript));
        assert_eq!(Language::from_id("cobol"), None);
    }

    #[test]
    fn paths_tell_the_language() {
        let of = |path: &str| Language::of_path(Path::new(path));
        assert_eq!(of("a/B.RS"), Some(Language::Rust));
        assert_eq!(of("x.d.ts"), Some(Language::TypeScript));
        assert_eq!(of("Rakefile"), Some(Language::Ruby));
        assert_eq!(of("home/.bashrc"), Some(Language::Bash));
        assert_eq!(of("rs"), None);
        assert_eq!(of("a.txt"), None);
    }

    #[test]
    fn only_relatives_share_names() {
        assert!(Language::C.same_names(Language::Cpp));
        assert!(Language::Tsx.same_names(Language::JavaScript));
        assert!(!Language::Java.same_names(Language::JavaScript));
    }
}
