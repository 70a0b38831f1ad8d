//! Of all symbols of one name, those that are most likely meant.
//!
//! Each step keeps the best kind of candidate that there is, and never empties the list, but for one: a member of
//! a type that the workspace does not have is not in the workspace.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bowline_code::{IndexedSymbol, SymbolKind};
use bowline_syntax::{Language, Role};

use crate::SymbolRow;

/// Where the question is asked.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) path: PathBuf,
    pub(super) language: Language,
    pub(super) role: Role,
    /// The words on the lines that import something.
    imported: HashSet<String>,
    /// Names that imports give to things called otherwise.
    aliases: HashSet<String>,
}

impl Cursor {
    pub(super) fn new(path: &Path, language: Language, role: Role, text: &str) -> Self {
        let mut cursor =
            Self { path: path.to_owned(), language, role, imported: HashSet::new(), aliases: HashSet::new() };
        for line in text.lines().filter(|line| imports(line)) {
            let words =
                line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            let mut before = "";
            for word in words {
                cursor.imported.insert(word.to_owned());
                if before == "as" {
                    cursor.aliases.insert(word.to_owned());
                }
                before = word;
            }
        }
        cursor
    }
}

/// Whether a line imports something, in any of our languages.
fn imports(line: &str) -> bool {
    const BEGINNINGS: [&str; 12] = [
        "import ", "import{", "from ", "use ", "pub use ", "export ", "#include", "require", "using ",
        "} from", "include", "source ",
    ];
    let line = line.trim_start();
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) || line.contains("require(")
}

/// The most likely of the candidates, by path and line.
pub(super) fn narrow(cursor: &Cursor, candidates: Vec<SymbolRow>, qualifier_known: bool) -> Vec<SymbolRow> {
    let mut candidates = candidates;
    if let Role::Qualified(qualifier) = &cursor.role {
        let members = |row: &SymbolRow| last_segment(&row.2.container) == qualifier;
        let of_module = |row: &SymbolRow| row.2.container.is_empty() && is_module(&row.0, qualifier);
        if candidates.iter().any(members) {
            candidates.retain(members);
        } else if candidates.iter().any(of_module) {
            candidates.retain(of_module);
        } else {
            let is_type = qualifier.starts_with(char::is_uppercase);
            if is_type && !qualifier_known && !cursor.aliases.contains(qualifier) {
                return Vec::new();
            }
            // A type may inherit its member; a module gives out what stands at the top of a file.
            prefer(&mut candidates, |row| row.2.container.is_empty() != is_type);
        }
    } else {
        for fits in kinds(cursor) {
            if prefer(&mut candidates, |row| fits(&row.2)) {
                break;
            }
        }
    }
    let directory = cursor.path.parent();
    let _ = prefer(&mut candidates, |row| row.0 == cursor.path)
        || prefer(&mut candidates, |row| is_imported(cursor, &row.0))
        || prefer(&mut candidates, |row| row.0.parent() == directory);
    candidates.sort_by(|left, right| (&left.0, left.2.selection).cmp(&(&right.0, right.2.selection)));
    candidates
}

/// Keeps those that pass, if any do.
fn prefer(candidates: &mut Vec<SymbolRow>, passes: impl Fn(&SymbolRow) -> bool) -> bool {
    let any = candidates.iter().any(&passes);
    if any {
        candidates.retain(passes);
    }
    any
}

/// What a name in such a place can be, most likely first.
fn kinds(cursor: &Cursor) -> [fn(&IndexedSymbol) -> bool; 2] {
    use SymbolKind as K;
    // Inside a class these call its methods without saying `this`.
    let implied_this =
        matches!(cursor.language, Language::Java | Language::CSharp | Language::Cpp | Language::Ruby);
    match cursor.role {
        Role::Call if implied_this => [|s| s.kind.is_callable(), |s| is_type(s.kind)],
        Role::Call => {
            [|s| matches!(s.kind, K::Function | K::EnumMember) || is_type(s.kind), |s| s.kind.is_callable()]
        }
        Role::Type => [|s| is_type(s.kind), |s| !s.kind.is_callable()],
        Role::MemberCall => [|s| s.kind.is_callable() && !s.container.is_empty(), |s| is_member(s.kind)],
        Role::Member | Role::Key => [|s| is_member(s.kind), |s| !s.container.is_empty()],
        Role::Plain if implied_this => [|_| true, |_| true],
        Role::Plain | Role::Qualified(_) => [|s| !is_member(s.kind), |_| true],
    }
}

fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    matches!(
        kind,
        K::Class
            | K::Struct
            | K::Interface
            | K::Enum
            | K::TypeParameter
            | K::Object
            | K::Namespace
            | K::Module
    )
}

fn is_member(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    matches!(kind, K::Method | K::Field | K::Property | K::Constructor | K::EnumMember | K::Event)
}

fn is_imported(cursor: &Cursor, path: &Path) -> bool {
    // Go imports directories, and whatever comes from one is qualified by its name.
    cursor.language != Language::Go && module_name(path).is_some_and(|name| cursor.imported.contains(name))
}

/// Whether a file is, or is part of, the module of this name.
fn is_module(path: &Path, name: &str) -> bool {
    let directory = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let package = Language::of_path(path) == Some(Language::Go) && directory == Some(name);
    package || module_name(path) == Some(name)
}

/// The name by which other files import this one.
fn module_name(path: &Path) -> Option<&str> {
    let stem = path.file_stem()?.to_str()?;
    match stem {
        "mod" | "lib" | "index" | "__init__" | "main" => path.parent()?.file_name()?.to_str(),
        stem => Some(stem),
    }
}

fn last_segment(container: &str) -> &str {
    container.rsplit('.').next().unwrap_or(container)
}
