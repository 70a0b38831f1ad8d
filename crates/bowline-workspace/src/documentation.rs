//! What a language's own tools say about a symbol: `go doc`, `pydoc`, `rustdoc`.
//!
//! All three run programs, and one of them the project's own code: `cargo doc` runs build scripts and macros. Python's
//! modules are read, not imported. Symbols and paths are hostile: a symbol is looked at letter by letter before it becomes
//! an argument, and none of them ever becomes an option or the text of a shell.

mod escapes;
mod go;
mod html;
mod pages;
mod python;
mod rust;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Patience, ProgramError, Workspace, WorkspaceError};

/// What runs nothing but a look-up has so long.
const LIMIT: Duration = Duration::from_secs(10);
/// `cargo doc` builds, and has so long.
const BUILD_LIMIT: Duration = Duration::from_secs(60);
const LONGEST_SYMBOL: usize = 300;
/// No reader needs more.
const MOST_BYTES: usize = 64 << 10;
const MOST_SIGNATURE: usize = 4 << 10;

/// The languages whose tools can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentedLanguage {
    Go,
    Python,
    Rust,
}

impl DocumentedLanguage {
    pub const ALL: [Self; 3] = [Self::Go, Self::Python, Self::Rust];

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.id() == id)
    }

    pub fn id(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }

    /// What is run for a symbol, as far as it is known before anything is looked at.
    pub fn command(self, symbol: &str) -> String {
        match self {
            Self::Go => format!("go doc {symbol}"),
            Self::Python => format!("python3 -I (reads {symbol})"),
            Self::Rust if rust::is_standard(symbol) => "rustc --print sysroot".to_owned(),
            Self::Rust => "cargo doc --no-deps --offline --document-private-items".to_owned(),
        }
    }

    /// Whether finding out runs code of the project: build scripts and macros do, where rustdoc builds it.
    pub fn runs_the_project(self, symbol: &str) -> bool {
        self == Self::Rust && !rust::is_standard(symbol)
    }

    /// Whether it is written as a symbol of the language may be. A first `-` is in no language's letters.
    fn check(self, symbol: &str) -> Result<(), DocumentationError> {
        let (letters, form): (fn(char) -> bool, _) = match self {
            Self::Go => {
                (|c| matches!(c, '.' | '/' | '-' | '~'), "`Name`, `Type.Method` or `path/to/pkg.Name`")
            }
            Self::Python => (|c| c == '.', "`name`, `Class.method` or `package.module.name`"),
            Self::Rust => {
                (|c| matches!(c, ':' | '.' | '!'), "`Name`, `Type::method` or `crate::module::Name`")
            }
        };
        let fits = |c: char| c.is_alphanumeric() || c == '_' || letters(c);
        let begins = symbol.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let pieces = !symbol.contains("..") && !symbol.ends_with(['.', '/', ':', '-']);
        if begins && pieces && symbol.len() <= LONGEST_SYMBOL && symbol.chars().all(fits) {
            return Ok(());
        }
        Err(DocumentationError::BadSymbol { symbol: bowline_std::text::cut(symbol, 100), form })
    }
}

/// What the tools say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documentation {
    /// How it is declared.
    pub signature: String,
    /// Everything else that was said.
    pub text: String,
}

impl Documentation {
    /// Without control characters, and no longer than anybody reads.
    fn new(signature: &str, text: &str) -> Self {
        let clean = |text: &str, most| bowline_std::text::cut(escapes::strip(text).trim(), most);
        Self { signature: clean(signature, MOST_SIGNATURE), text: clean(text, MOST_BYTES) }
    }
}

/// Why there is no documentation. Each message says what the caller can do.
#[derive(Debug, thiserror::Error)]
pub enum DocumentationError {
    #[error("{symbol:?} is not a symbol; write {form}")]
    BadSymbol { symbol: String, form: &'static str },
    #[error("no documentation for `{symbol}`: {said}")]
    NotFound { symbol: String, said: String },
    #[error("`{symbol}` is the name of several things: {}; write one of these", .candidates.join(", "))]
    Ambiguous { symbol: String, candidates: Vec<String> },
    #[error("`{}` belongs to no Cargo package; give the `file_path` of a file that does", .at.display())]
    NoPackage { at: PathBuf },
    #[error("there are several packages: {}; give `file_path`, or write the crate before the symbol", .members.join(", "))]
    WhichPackage { members: Vec<String> },
    #[error(
        "the documentation of the standard library is not installed; `rustup component add rust-docs` brings it, \
         and inspect_symbol shows it where the symbol is used"
    )]
    NoStandardPages,
    #[error("`{}` cannot be imported, because its name is no name of Python", .file.display())]
    NotImportable { file: PathBuf },
    #[error("`cargo doc` was not done after {} s ({last}); {}", .after.as_secs(), advice(*.kept))]
    Unfinished {
        after: Duration,
        /// What it said last.
        last: String,
        /// Whether the next call goes on where this one ended.
        kept: bool,
    },
    #[error("`{program}` wrote something that cannot be read")]
    Unreadable { program: &'static str },
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

fn advice(kept: bool) -> &'static str {
    if kept {
        "what it has built is kept, so ask again"
    } else {
        "nothing of it is kept; inspect_symbol needs no build"
    }
}

impl From<ProgramError> for DocumentationError {
    fn from(error: ProgramError) -> Self {
        Self::Workspace(error.into())
    }
}

/// One question, with what is known about where it is asked.
struct Question<'a> {
    workspace: &'a Workspace,
    symbol: &'a str,
    file: Option<PathBuf>,
    /// The root that is asked about.
    root: PathBuf,
    patience: &'a Patience<'a>,
}

impl Question<'_> {
    /// Where the symbol is looked for: beside the file, or at the root.
    fn dir(&self) -> &Path {
        match self.file.as_deref() {
            Some(dir) if dir.is_dir() => dir,
            Some(file) => file.parent().unwrap_or(&self.root),
            None => &self.root,
        }
    }

    fn not_found(&self, said: impl Into<String>) -> DocumentationError {
        DocumentationError::NotFound { symbol: self.symbol.to_owned(), said: said.into() }
    }
}

impl Workspace {
    /// The same, with a directory where what `cargo doc` builds is kept. Without one it is built anew each time.
    #[must_use]
    pub fn with_cache(mut self, cache: Option<PathBuf>) -> Self {
        self.cache = cache;
        self
    }

    /// What the language's own tools say about a symbol, seen from a file or from the root.
    pub async fn documentation(
        &self,
        symbol: &str,
        language: DocumentedLanguage,
        file: Option<&Path>,
        patience: &Patience<'_>,
    ) -> Result<Documentation, DocumentationError> {
        language.check(symbol)?;
        let file = file.map(|file| self.resolve(file)).transpose()?;
        let around = file.as_deref().and_then(|file| self.shared.roots.around(file));
        let root = around.map(Path::to_owned).or_else(|| self.root_with(language));
        let root = root.map_or_else(|| self.resolve(Path::new(".")), Ok)?;
        let question = Question { workspace: self, symbol, file, root, patience };
        match language {
            DocumentedLanguage::Go => go::ask(&question).await,
            DocumentedLanguage::Python => python::ask(&question).await,
            DocumentedLanguage::Rust => rust::ask(&question).await,
        }
    }

    /// The first root that is a project of the language.
    fn root_with(&self, language: DocumentedLanguage) -> Option<PathBuf> {
        let marker = match language {
            DocumentedLanguage::Go => "go.mod",
            DocumentedLanguage::Python => return None,
            DocumentedLanguage::Rust => "Cargo.toml",
        };
        self.roots().iter().find(|root| root.join(marker).is_file()).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_symbols_are_symbols() {
        let fits = |language: DocumentedLanguage, symbol: &str| language.check(symbol).is_ok();
        use DocumentedLanguage::{Go, Python, Rust};
        for language in DocumentedLanguage::ALL {
            let long = "x".repeat(5000);
            for bad in [
                "",
                "-h",
                "--help",
                "$(x)",
                "a;b",
                "a b",
                "a\nb",
                "a\0",
                "`x`",
                "a'b",
                "../x",
                "a..b",
                "a.",
                ".a",
                "/etc/passwd",
                "a|b",
                "a=b",
                "@file",
                "9x",
                &long,
            ] {
                assert!(!fits(language, bad), "{language:?} {bad:?}");
            }
            assert!(fits(language, "näme") && fits(language, "_x") && fits(language, "A.b"));
        }
        assert!(
            fits(Go, "encoding/json.Decoder.Decode") && fits(Go, "example.com/a-b/c.X") && !fits(Go, "a::b")
        );
        assert!(
            fits(Rust, "std::vec::Vec") && fits(Rust, "vec!") && !fits(Rust, "a/b") && !fits(Rust, "a::")
        );
        assert!(fits(Python, "os.path.join") && !fits(Python, "os/path") && !fits(Python, "a:b"));
        assert_eq!(
            Go.check("-h").unwrap_err().to_string(),
            "\"-h\" is not a symbol; write `Name`, `Type.Method` or `path/to/pkg.Name`"
        );
    }
}
