//! Whether a name that is still written can mean what was removed, and whether nothing else can be meant.

use std::collections::HashSet;
use std::path::Path;

use bowline_code::{Location, SymbolKind};
use bowline_syntax::{Language, Occurrence, Role};

use super::Lost;
use crate::workspace::Work;
use crate::{Document, SymbolRow, WorkspaceError};

/// What values of every language's own library have. Such a member of an unknown value says nothing.
const COMMON: [&str; 32] = [
    "add", "append", "apply", "call", "clear", "clone", "close", "contains", "count", "filter", "find",
    "format", "get", "insert", "join", "keys", "len", "length", "map", "name", "next", "open", "pop", "push",
    "read", "remove", "set", "size", "sort", "toString", "values", "write",
];

/// One file, in which names are looked for.
pub(super) struct Reader {
    document: Document,
    language: Language,
    /// The words of what it brings in.
    imported: HashSet<String>,
}

impl Reader {
    /// Blocks.
    pub(super) fn new(work: &Work, path: &Path) -> Result<Self, WorkspaceError> {
        let document = work.read_in_passing(path)?;
        let parsed = document.parsed()?;
        let imports = parsed.imports();
        let imported = imports.iter().flat_map(|import| words(&import.text)).map(str::to_owned).collect();
        Ok(Self { language: parsed.language(), imported, document })
    }

    /// Where the name of what was removed is written, and whether it is sure that it is meant.
    pub(super) fn uses(&self, lost: &Lost, named: &[SymbolRow]) -> Vec<(Location, bool)> {
        let Ok(parsed) = self.document.parsed() else { return Vec::new() };
        let others: Vec<&SymbolRow> = named
            .iter()
            .filter(|row| Language::from_id(&row.1).is_some_and(|it| it.same_names(lost.language)))
            .collect();
        let occurrences = parsed.occurrences(&lost.symbol.name).into_iter();
        occurrences
            .filter(|place| !place.local && !place.declares)
            .filter_map(|place| Some((self.means(&place, lost, &others)?, place.bytes)))
            .map(|(is_sure, bytes)| {
                (Location::new(self.document.path(), parsed.lines().span(parsed.text(), bytes)), is_sure)
            })
            .collect()
    }

    /// `None`: something else is meant.
    fn means(&self, place: &Occurrence, lost: &Lost, others: &[&SymbolRow]) -> Option<bool> {
        let is_member = !lost.owner.is_empty();
        let from_there = self.brings_in(&lost.file);
        match &place.role {
            Role::Qualified(by) if is_member && *by == lost.owner => Some(true),
            Role::Qualified(by) if !is_member && is_module(&lost.file, by) => Some(true),
            Role::Qualified(by) => {
                let is_of = |row: &&SymbolRow| {
                    last_segment(&row.2.container) == by
                        || row.2.container.is_empty() && is_module(&row.0, by)
                };
                (!others.iter().any(is_of)).then_some(from_there && others.is_empty())
            }
            // A member of some value is nothing that stands at the top of a file, unless the value is that file.
            Role::Member | Role::MemberCall if !is_member => from_there.then_some(false),
            Role::Member | Role::MemberCall | Role::Key => {
                Some(is_member && others.is_empty() && !COMMON.contains(&lost.symbol.name.as_str()))
            }
            Role::Call | Role::Plain if is_member && self.says_whose(lost.symbol.kind) => {
                from_there.then_some(false)
            }
            Role::Call | Role::Plain | Role::Type => self.alone(lost, others, from_there),
        }
    }

    /// What a name means that stands alone.
    fn alone(&self, lost: &Lost, others: &[&SymbolRow], from_there: bool) -> Option<bool> {
        let is_own = |row: &&SymbolRow| row.0 == self.document.path() && row.2.container.is_empty();
        if others.iter().any(is_own) {
            return None;
        }
        let is_package = matches!(self.language, Language::Go | Language::Java)
            && self.document.path().parent() == lost.file.parent();
        if others.is_empty() || from_there || is_package {
            return Some(true);
        }
        // It comes from where another of that name is.
        (!others.iter().any(|row| self.brings_in(&row.0))).then_some(false)
    }

    /// Whether the language names the value of every method that it calls.
    fn says_whose(&self, kind: SymbolKind) -> bool {
        let implied =
            matches!(self.language, Language::Java | Language::CSharp | Language::Cpp | Language::Ruby);
        kind.is_callable() && !implied
    }

    fn brings_in(&self, file: &Path) -> bool {
        module_names(file).any(|name| self.imported.contains(name))
    }
}

/// The names by which other files may bring a file in: its own, or its directory's where it stands for that.
fn module_names(path: &Path) -> impl Iterator<Item = &str> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let directory = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let stands_for_directory = Language::of_path(path) == Some(Language::Go)
        || matches!(stem, Some("mod" | "lib" | "index" | "__init__" | "main"));
    let own = stem.filter(|_| !stands_for_directory);
    own.into_iter().chain(directory.filter(|_| stands_for_directory))
}

fn is_module(path: &Path, name: &str) -> bool {
    module_names(path).any(|own| own == name)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).filter(|word| !word.is_empty())
}

pub(super) fn last_segment(container: &str) -> &str {
    container.rsplit('.').next().unwrap_or(container)
}
