//! Real repositories, pinned: fetched once with the ordinary package clients into the folder of the tools, never committed.
//!
//! Each has a folder of its own with `source/`, which nothing here changes once it is made. Edits and
//! compilers work in copies.

mod fetch;
mod serve;
mod setup;
mod table;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bench::scratch;
use crate::{install, paths};

pub(in crate::bench) use serve::warm_up;
pub(in crate::bench) use table::REPOSITORIES;

/// Raised when what [`setup`] writes changes: then everything is fetched again.
const SETUP: u32 = 1;

pub(in crate::bench) struct Repository {
    pub(in crate::bench) name: &'static str,
    pub(in crate::bench) version: &'static str,
    pub(in crate::bench) language: Language,
    source: Source,
    setup: Setup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bench) enum Language {
    Python,
    TypeScript,
    Go,
    Rust,
    C,
    Cpp,
}

/// The client that fetches it.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A source distribution by pip, and what it imports, each with its version.
    Sdist(&'static [&'static str]),
    /// A package by npm that ships its sources, and what they import.
    Npm(&'static [&'static str]),
    /// A module by go.
    Module(&'static str),
    /// A crate by cargo.
    Crate,
    /// The upstream sources of this package of Debian, by apt-get. Its version begins with ours.
    Debian(&'static str),
}

/// What a package lacks to be a project that compilers and servers understand.
#[derive(Debug, Clone, Copy)]
enum Setup {
    Nothing,
    /// A `tsconfig.json` over `src`.
    TsConfig,
    /// A text in `Cargo.toml` that is replaced: a crate of the registry compiles next to nothing without its features.
    Features(&'static str, &'static str),
    /// A `compile_commands.json`.
    Units {
        folders: &'static [&'static str],
        /// Parts of the names of files that are not compiled by themselves, or need what is not there.
        without: &'static [&'static str],
        command: &'static [&'static str],
    },
}

impl Language {
    /// As the commands of bowline and the handshakes of servers name it.
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Go => "go",
            Self::Rust => "rust",
            Self::C => "c",
            Self::Cpp => "cpp",
        }
    }

    pub(in crate::bench) fn variable(self) -> &'static str {
        match self {
            Self::Python => "BOWLINE_SERVER_PYRIGHT",
            Self::TypeScript => "BOWLINE_SERVER_TYPESCRIPT",
            Self::Go => "BOWLINE_SERVER_GOPLS",
            Self::Rust => "BOWLINE_SERVER_RUST_ANALYZER",
            Self::C | Self::Cpp => "BOWLINE_SERVER_CLANGD",
        }
    }

    pub(in crate::bench) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Python | Self::TypeScript => &["--stdio"],
            Self::C | Self::Cpp => &["--use-dirty-headers", "--limit-references=0"],
            Self::Go | Self::Rust => &[],
        }
    }

    /// How the names of its files end.
    pub(in crate::bench) fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py"],
            Self::TypeScript => &["ts"],
            Self::Go => &["go"],
            Self::Rust => &["rs"],
            Self::C => &["c", "h"],
            Self::Cpp => &["cc", "h"],
        }
    }

    /// A comment of one line.
    pub(in crate::bench) fn comment(self) -> &'static str {
        if self == Self::Python { "# One more line.\n" } else { "// One more line.\n" }
    }
}

impl Repository {
    /// Those with these names or languages; all, if none is named.
    pub(in crate::bench) fn chosen(words: &[&str]) -> Result<Vec<&'static Self>> {
        let is_meant = |one: &Self, word: &str| one.short() == word || one.language.name() == word;
        for word in words {
            if !REPOSITORIES.iter().any(|one| is_meant(one, word)) {
                let names: Vec<&str> = REPOSITORIES.iter().map(Self::short).collect();
                bail!("there is no repository `{word}`; there are {}", names.join(", "));
            }
        }
        let wanted = |one: &&Self| words.is_empty() || words.iter().any(|word| is_meant(one, word));
        Ok(REPOSITORIES.iter().filter(wanted).collect())
    }

    /// Without the scope of npm.
    pub(in crate::bench) fn short(&self) -> &'static str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }

    /// The folder that is its own among the tools.
    pub(in crate::bench) fn folder(&self) -> PathBuf {
        paths::tools().join("repositories").join(format!("{}-{}", self.short(), self.version))
    }

    /// Where its sources are, fetched now if they were not.
    pub(in crate::bench) fn source(&self) -> Result<PathBuf> {
        let folder = self.folder();
        let parent = folder.parent().context("it is among others")?;
        fs::create_dir_all(parent).with_context(|| format!("cannot make `{}`", parent.display()))?;
        let lock = File::create(folder.with_added_extension("lock"))?;
        lock.lock()?;
        let source = folder.join("source");
        let stamp = format!("{} {} {:?} {:?} {SETUP}\n", self.name, self.version, self.source, self.setup);
        install::once(&folder, &stamp, &source, || {
            eprintln!("fetching {} {} …", self.name, self.version);
            fetch::fetch(self, &folder)?;
            setup::once(self, &folder)
        })
        .with_context(|| format!("cannot fetch {} {}", self.name, self.version))?;
        Ok(source)
    }

    /// Two copies that stay: what compilers and servers keep beside the sources is there the next time.
    pub(in crate::bench) fn two_copies(&self) -> Result<(PathBuf, PathBuf)> {
        let place = |name: &str| -> Result<PathBuf> {
            let place = scratch()?.join("real").join(self.short()).join(name).join(self.short());
            self.copy_to(&place)?;
            Ok(place.canonicalize()?)
        };
        Ok((place("raw")?, place("ours")?))
    }

    /// Copies it to a folder, and writes what depends on where it is.
    pub(in crate::bench) fn copy_to(&self, place: &Path) -> Result<()> {
        copy(&self.source()?, place, &|_| true)?;
        setup::here(self, place)
    }
}

/// Files with names that are wanted, writable; what Go keeps is not. Links are left out.
pub(in crate::bench) fn copy(from: &Path, to: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make `{}`", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list `{}`", from.display()))? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &to, is_wanted)?;
        } else if kind.is_file() && is_wanted(&entry.file_name().to_string_lossy()) {
            let text = fs::read(entry.path())?;
            // What is right keeps its time: programs that go by it have nothing to do.
            if fs::read(&to).ok().as_ref() != Some(&text) {
                fs::write(to, text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_chosen_by_name_or_language() {
        let names = |words: &[&str]| {
            Repository::chosen(words).unwrap().iter().map(|one| one.short()).collect::<Vec<_>>()
        };
        assert_eq!(names(&["flask", "go"]), ["flask", "cobra", "cli"]);
        assert_eq!(names(&["query-core"]), ["query-core"]);
        assert_eq!(names(&[]).len(), REPOSITORIES.len());
        assert!(Repository::chosen(&["cobol"]).is_err());
    }

    #[test]
    fn at_least_ten_in_at_least_five_languages() {
        let languages: std::collections::BTreeSet<Language> =
            REPOSITORIES.iter().map(|one| one.language).collect();
        assert!(REPOSITORIES.len() >= 10 && languages.len() >= 5);
    }
}
