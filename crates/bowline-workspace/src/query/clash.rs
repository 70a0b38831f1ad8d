//! A new name that is there already: what a rename would fall together with, as far as syntax tells.

use std::path::PathBuf;

use bowline_code::{IndexedSymbol, Location, Position};
use bowline_syntax::{Language, Parsed};

use crate::{Patience, Workspace, WorkspaceError};

/// No more files are looked at, and no more places told.
const MOST_FILES: usize = 500;
const MOST_PLACES: usize = 100;

/// Where the new name stands already in the files that a rename changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clashes {
    /// A declaration beside the renamed one, which it would fall together with.
    pub declared: Option<Location>,
    /// Every other place. It may mean something else after the rename.
    pub written: Vec<Location>,
}

impl Workspace {
    /// `edits` are the places of the old name, by file, before anything is changed. Files that no grammar reads say
    /// nothing.
    pub async fn clashes(
        &self,
        edits: Vec<(PathBuf, Vec<Position>)>,
        new_name: &str,
        patience: &Patience<'_>,
    ) -> Result<Clashes, WorkspaceError> {
        let new_name = new_name.to_owned();
        self.reading(patience, move |work| {
            let mut found = Clashes::default();
            for (path, places) in edits.iter().take(MOST_FILES) {
                if work.stopped() {
                    return Err(WorkspaceError::Cancelled);
                }
                let Ok(document) = work.read(path) else { continue };
                let Ok(parsed) = document.parsed() else { continue };
                look(parsed, path, places, &new_name, &mut found);
            }
            found.written.truncate(MOST_PLACES);
            Ok(found)
        })
        .await
    }
}

fn look(parsed: &Parsed, path: &PathBuf, places: &[Position], new_name: &str, found: &mut Clashes) {
    let symbols = parsed.flat_symbols();
    let is_renamed = |symbol: &&IndexedSymbol| {
        places.iter().any(|at| symbol.selection.start <= *at && *at < symbol.selection.end)
    };
    let renamed: Vec<&IndexedSymbol> = symbols.iter().filter(is_renamed).collect();
    let falls_together = |symbol: &&IndexedSymbol| {
        symbol.name == new_name
            && !is_renamed(symbol)
            && renamed.iter().any(|renamed| exclude_each_other(parsed.language(), renamed, symbol))
    };
    if let Some(symbol) = symbols.iter().find(falls_together).filter(|_| found.declared.is_none()) {
        found.declared = Some(Location::new(path, symbol.selection));
    }
    let written = parsed.occurrences(new_name).into_iter();
    let written = written.map(|one| Location::new(path, parsed.lines().span(parsed.text(), one.bytes)));
    found.written.extend(written.take(MOST_PLACES));
}

/// Whether two declarations of one name in one place cannot both be meant. Where a language lets several functions share
/// a name, or types and values, it is not said.
fn exclude_each_other(language: Language, one: &IndexedSymbol, other: &IndexedSymbol) -> bool {
    let are_callable = one.kind.is_callable() && other.kind.is_callable();
    one.container == other.container
        && match language {
            Language::Python | Language::Go | Language::JavaScript | Language::Ruby | Language::Bash => true,
            // Several implementations of one type are one container, and names of types and of values are apart.
            Language::Rust => one.container.is_empty() && one.kind == other.kind,
            Language::C | Language::Php => one.kind == other.kind || are_callable,
            Language::TypeScript | Language::Tsx | Language::Java | Language::Cpp | Language::CSharp => {
                one.kind == other.kind && !are_callable
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clashes(
        language: Language,
        text: &str,
        renamed: (u32, u32),
        new_name: &str,
    ) -> (Option<u32>, Vec<u32>) {
        let parsed = bowline_syntax::parse(language, text, &|| false).unwrap();
        let mut found = Clashes::default();
        look(&parsed, &"/a".into(), &[Position::new(renamed.0, renamed.1)], new_name, &mut found);
        (found.declared.map(|at| at.line), found.written.iter().map(|at| at.line).collect())
    }

    #[test]
    fn a_declaration_in_the_same_place_is_a_clash_and_any_other_is_told() {
        let python = "def one(): return 1\ndef two(): return 2\nclass K:\n    def m(self): return one()\n    def n(self): return two()\n";
        let of = |renamed, new_name| clashes(Language::Python, python, renamed, new_name);
        assert_eq!(of((1, 5), "two"), (Some(2), vec![2, 5]));
        assert_eq!(of((4, 9), "n"), (Some(5), vec![5]));
        assert_eq!(of((4, 9), "two"), (None, vec![2, 5]), "another place");
        assert_eq!(of((1, 5), "three"), (None, vec![]));
        assert_eq!(of((1, 5), "one").0, None, "itself");
    }

    #[test]
    fn what_a_language_lets_share_a_name_is_no_clash() {
        let java = "class A {\n  void a() {}\n  void b(int x) {}\n  int c;\n  int d;\n}\n";
        assert_eq!(clashes(Language::Java, java, (2, 8), "b"), (None, vec![3]));
        assert_eq!(clashes(Language::Java, java, (4, 7), "d").0, Some(5));
        let rust = "fn a() {}\nmod b {}\nfn c() {}\n";
        assert_eq!(clashes(Language::Rust, rust, (1, 4), "b"), (None, vec![2]));
        assert_eq!(clashes(Language::Rust, rust, (1, 4), "c").0, Some(3));
    }
}
