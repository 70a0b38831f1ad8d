//! The table: from a program's name to the kind of program it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::interpreters::Interpreter;
use super::project::Project;
use super::readers::Reader;
use super::wrappers::Wrapper;
use super::writers::Writer;
use super::{
    Meaning, agents, archives, awk, builtins, compress, copies, documents, editing, elsewhere, find, git,
    interpreters, kill, look, project, readers, sed, shells, transfer, wrappers, writers,
};
use crate::{Pin, Word};

/// What kind of program it is.
pub(super) enum Kind {
    /// Nothing it is told makes it run or write anything.
    Harmless,
    Reads(Reader),
    Writes(Writer),
    Runs(Wrapper),
    Project(Project),
    Interprets(Interpreter),
    /// It runs or writes what the text does not show, and its words are not looked at. Why.
    Hidden(&'static str),
    /// What it does to the shell cannot be followed. Why.
    Unreadable(&'static str),
    Does(fn(&[Word]) -> Meaning),
}

/// Programs of one kind, by names separated by blanks.
pub(super) type Row = (&'static str, Kind);

const TABLES: &[&[Row]] = &[
    agents::ROWS,
    archives::ROWS,
    awk::ROWS,
    builtins::ROWS,
    compress::ROWS,
    copies::ROWS,
    documents::ROWS,
    editing::ROWS,
    elsewhere::ROWS,
    find::ROWS,
    git::ROWS,
    interpreters::ROWS,
    kill::ROWS,
    project::CHECKERS,
    project::COMPILERS,
    project::ROWS,
    project::TARGETS,
    readers::binaries::ROWS,
    readers::compare::ROWS,
    readers::encodings::ROWS,
    readers::names::ROWS,
    readers::pagers::ROWS,
    readers::search::ROWS,
    readers::structured::ROWS,
    readers::system::ROWS,
    readers::text::ROWS,
    sed::ROWS,
    shells::ROWS,
    transfer::ROWS,
    wrappers::ROWS,
    writers::ROWS,
];

static KINDS: LazyLock<HashMap<&'static str, &'static Kind>> = LazyLock::new(|| {
    let rows = TABLES.iter().copied().flatten();
    rows.flat_map(|(names, kind)| names.split_ascii_whitespace().map(move |name| (name, kind))).collect()
});

/// By the last part of a path. `python3.11`, `git.exe` and `bash-5.2` are found as well.
pub(super) fn kind_of(name: &str) -> Option<&'static Kind> {
    let end = name.len().checked_sub(4).filter(|&end| name.is_char_boundary(end));
    let name = end.filter(|&end| name[end..].eq_ignore_ascii_case(".exe")).map_or(name, |end| &name[..end]);
    let plain =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-');
    KINDS.get(name).or_else(|| KINDS.get(plain)).copied()
}

/// Whether a program of this name does nothing but run the code of the project, or code that it is told.
pub(super) fn runs_the_project(name: &str) -> bool {
    matches!(kind_of(name), Some(Kind::Project(_) | Kind::Interprets(_)))
}

impl Kind {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        match self {
            Self::Harmless => Meaning::default(),
            Self::Reads(reader) => reader.meaning(words),
            Self::Writes(writer) => writer.meaning(words),
            Self::Runs(wrapper) => wrapper.meaning(words),
            Self::Project(project) => project.meaning(words),
            Self::Interprets(interpreter) => interpreter.meaning(words),
            Self::Hidden(_) if look::only_asks_about_itself(words) => Meaning::default(),
            Self::Hidden(why) => Meaning::code(Pin::Everything, *why),
            Self::Unreadable(why) => Meaning::doubtful(*why),
            Self::Does(does) => does(words),
        }
    }
}

#[cfg(test)]
pub(super) fn all_names() -> Vec<&'static str> {
    TABLES.iter().copied().flatten().flat_map(|(names, _)| names.split_ascii_whitespace()).collect()
}
