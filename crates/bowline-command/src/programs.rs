//! What programs do with their arguments: which commands they run, which files they touch, what is not known.
//!
//! One small file for each kind of program, and one table that leads there.

mod agents;
mod archives;
mod awk;
mod builtins;
mod compress;
mod copies;
mod documents;
mod editing;
mod elsewhere;
pub(crate) mod environment;
mod find;
mod git;
mod interpreters;
mod kill;
mod line;
mod look;
mod meaning;
pub(crate) mod names;
pub(crate) mod patch;
mod project;
mod readers;
mod sed;
mod shells;
mod table;
mod transfer;
mod wrappers;
mod writers;

#[cfg(test)]
mod tests;

pub(crate) use wrappers::INPUT;

use crate::{Access, Core, Doubt, Filter, Pin, Word};

/// What one command does, by its words alone. Paths are as written; the walk knows where the command runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// Commands that it runs, as words: `env`, `xargs`, `find -exec`, `timeout`.
    pub(crate) runs: Vec<Vec<Word>>,
    /// Code of the shell that it runs: `bash -c`, `eval`, `trap`, `watch`, `su -c`.
    pub(crate) shell: Vec<Word>,
    /// It runs as shell code what it is given on its standard input: `bash`, `sh -s`.
    pub(crate) shell_from_stdin: bool,
    /// Where what it finds stands, in the words of what it runs: `{}` of `find -exec`.
    pub(crate) found: Option<Found>,
    /// What it reads unless its standard input is a pipe.
    pub(crate) unless_piped: Vec<Touched>,
    /// It takes a patch on its standard input, as `apply_patch` does.
    pub(crate) patch_from_stdin: bool,
    pub(crate) touches: Vec<Touched>,
    pub(crate) doubts: Vec<Doubt>,
    pub(crate) is_wrapper: bool,
    pub(crate) pin: Option<Pin>,
    /// The command without options that change nothing of what it is; see `Command::core`.
    pub(crate) core: Option<Core>,
    /// Other names that files get: links.
    pub(crate) aliases: Vec<Alias>,
    /// The working directory of what follows: `cd`, `pushd`; of what it runs: `env -C`.
    pub(crate) moves_to: Option<Word>,
    /// It is refused whatever the rules say, and why: it would end the gate, or start an agent without one.
    pub(crate) forbidden: Option<String>,
}

/// A link that comes to stand at `name`, or in it if it is a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: Word,
    pub(crate) leads: Word,
    /// What it leads to is meant from where the link stands.
    pub(crate) is_relative: bool,
}

/// A path that a program touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) access: Access,
    pub(crate) path: Word,
    pub(crate) is_deep: bool,
    pub(crate) filter: Filter,
}

/// Files that a program finds, and gives to another in the place of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it searches.
    pub(crate) starts: Vec<Word>,
    /// What it finds there.
    pub(crate) filter: Filter,
    /// It finds no directories, so that nothing below them is meant.
    pub(crate) is_files: bool,
}

impl Found {
    /// How the word is written that stands for what was found.
    pub(crate) const WORD: &str = "{}";
}

/// What this command does. The first word is a literal; it is looked up by its last part (`/usr/bin/env` is `env`).
pub(crate) fn meaning(words: &[Word]) -> Meaning {
    let Some(first) = words.first() else { return Meaning::default() };
    let Some(program) = first.literal() else {
        return Meaning::doubtful("which program runs is known only when it runs");
    };
    let Some((directory, name)) = program.rsplit_once('/') else {
        let mut meaning = table::kind_of(program).map_or_else(Meaning::default, |kind| kind.meaning(words));
        meaning.is_wrapper |= builtins::is_own(program);
        return meaning;
    };
    let known = table::kind_of(name).map(|kind| kind.meaning(words));
    if PROGRAM_PLACES.contains(&directory) {
        return known.unwrap_or_else(|| {
            Meaning::code(Pin::Words(1), format!("`{program}` is a program by its path"))
        });
    }
    // Whatever its name promises, it is a file that somebody wrote. What a program of that name would do is counted
    // against it, and never for it.
    let mut meaning = Meaning { is_wrapper: false, doubts: Vec::new(), ..known.unwrap_or_default() };
    meaning.opaque(Pin::Words(1), format!("`{program}` is a program by its path"));
    meaning
}

/// There is a program of this name.
pub(crate) fn is_known(name: &str) -> bool {
    table::kind_of(name).is_some()
}

/// Whether the shell itself does what this word says, without starting a program or touching a file.
pub fn is_word_of_shell(name: &str) -> bool {
    builtins::is_own(name)
}

/// Where the system keeps its programs.
const PROGRAM_PLACES: &[&str] = &[
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/run/current-system/sw/bin",
];
