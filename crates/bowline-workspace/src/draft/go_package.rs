//! The files of a Go package by syntax: which of them declare a name, or lead to one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bowline_code::{Encoding, IndexedSymbol, SymbolKind};
use bowline_syntax::{Language, Parsed, parse};

use super::affected::Target;
use super::reach::names_in;

/// Larger files are not read to see what they declare, and so may declare anything.
const MAX_GO_BYTES: u64 = 2 << 20;

/// The files of a Go package, with their texts. `None`: it cannot be read. Blocks.
fn package_files(path: &Path) -> Vec<(PathBuf, Option<String>)> {
    let entries = path.parent().and_then(|directory| directory.read_dir().ok());
    let files = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let files = files.filter(|file| file.extension().is_some_and(|it| it == "go"));
    let read = |file: &PathBuf| bowline_std::fs::read_text_straight(file, MAX_GO_BYTES).ok();
    files.map(|file| (file.clone(), read(&file).map(|(text, _)| text))).collect()
}

/// What declarations of an edited file name that they did not name before: a cycle of initialisation may be closed by it.
#[derive(Debug, Default, Clone)]
pub(super) struct NewNames {
    pub(super) names: BTreeSet<String>,
    /// The declarations.
    pub(super) by: BTreeSet<String>,
}

/// The other files of a Go package that declare one of these names: it may be declared twice now. Blocks.
pub(super) fn declaring(path: &Path, names: &BTreeSet<String>) -> Vec<PathBuf> {
    if names.is_empty() {
        return Vec::new();
    }
    let declares = |(file, text): (PathBuf, Option<String>)| {
        let declares = match &text {
            Some(text) => go_declarations(&file, text).iter().any(|it| names.contains(&it.name)),
            None => true,
        };
        (declares && file != path).then_some(file)
    };
    package_files(path).into_iter().filter_map(declares).collect()
}

/// The other files of a Go package with variables that new names lead to, if they lead back to what names them. Blocks.
pub(super) fn in_cycle(path: &Path, new: &NewNames) -> Vec<PathBuf> {
    if new.names.is_empty() {
        return Vec::new();
    }
    let (mut found, mut declared) = (Vec::new(), Vec::new());
    for (file, text) in package_files(path) {
        match text {
            Some(text) => {
                declared.extend(go_declarations(&file, &text).into_iter().map(|it| (file.clone(), it)));
            }
            None => found.push(file),
        }
    }
    let (mut reached, mut named) = (new.names.clone(), BTreeSet::new());
    let mut is_seen = vec![false; declared.len()];
    loop {
        let is_next = |index: &usize| !is_seen[*index] && reached.contains(&declared[*index].1.name);
        let next: Vec<usize> = (0..declared.len()).filter(is_next).collect();
        if next.is_empty() {
            break;
        }
        for index in next {
            is_seen[index] = true;
            let (file, declaration) = &declared[index];
            reached.extend(declaration.names.iter().cloned());
            named.extend(declaration.names.iter().filter(|name| **name != declaration.name).cloned());
            if declaration.is_variable {
                found.push(file.clone());
            }
        }
    }
    if named.is_disjoint(&new.by) {
        return Vec::new();
    }
    found.retain(|file| file != path);
    found.sort_unstable();
    found.dedup();
    found
}

/// What a Go file declares outside of functions.
struct Declaration {
    name: String,
    /// Whatever it names.
    names: BTreeSet<String>,
    is_variable: bool,
}

fn go_declarations(path: &Path, text: &str) -> Vec<Declaration> {
    let parsed = Language::of_path(path).and_then(|language| parse(language, text, &|| false).ok());
    let Some(parsed) = parsed else { return Vec::new() };
    let declaration = |symbol: IndexedSymbol| {
        let is_variable = symbol.kind == SymbolKind::Variable;
        let names = names_in(text_of(&parsed, &symbol)).collect();
        Declaration { name: symbol.name, names, is_variable }
    };
    parsed.flat_symbols().into_iter().map(declaration).collect()
}

/// The same target in the file of the package that declares it. Blocks.
pub(super) fn declared_beside(path: &Path, target: &Target) -> Option<Target> {
    package_files(path).into_iter().find_map(|(file, text)| {
        let parsed = parse(Language::Go, text?, &|| false).ok()?;
        let own = parsed.flat_symbols().into_iter().find(|symbol| {
            symbol.name == target.name && matches!(symbol.kind, SymbolKind::Struct | SymbolKind::Class)
        })?;
        let at = Some(own.selection.start);
        Some(Target { path: file, before: at, after: at, ..target.clone() })
    })
}

/// The whole text of a declaration.
pub(super) fn text_of<'p>(parsed: &'p Parsed, symbol: &IndexedSymbol) -> &'p str {
    let offset = |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap_or_default();
    parsed.text().get(offset(symbol.range.start)..offset(symbol.range.end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_found_however_many_steps_lead_to_it() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        for (name, text) in [
            ("a.go", "package p\n\nfunc f() int { return 1 }\n"),
            ("b.go", "package p\n\nfunc g() int { return X }\n"),
            ("c.go", "package p\n\nvar X = f()\n"),
            ("d.go", "package p\n\nvar Y = 1\n"),
        ] {
            bowline_std::fs::replace_private(&file(name), text.as_bytes()).unwrap();
        }
        let names = |name: &str| BTreeSet::from([name.to_owned()]);
        let new = |name: &str, by: &str| NewNames { names: names(name), by: names(by) };
        assert_eq!(in_cycle(&file("a.go"), &new("g", "f")), [file("c.go")]);
        assert!(in_cycle(&file("a.go"), &new("g", "h")).is_empty(), "nothing leads back");
        assert!(in_cycle(&file("a.go"), &new("Y", "f")).is_empty());
        assert_eq!(declaring(&file("a.go"), &names("g")), [file("b.go")]);
    }
}
