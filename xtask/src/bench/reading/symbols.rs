//! What is asked about: some twenty symbols of a repository, spread over its files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::drafts::open::Open;
use crate::bench::repositories::Repository;
use crate::bench::servers::raw::uri;

/// So many, and so many of one file.
const SYMBOLS: usize = 20;
const OF_A_FILE: usize = 2;
/// Smaller files have next to nothing in them.
const SMALL: u64 = 800;
const LIMIT: Duration = Duration::from_secs(60);

/// Classes, methods, enums, interfaces, functions, structs, as the protocol numbers them.
const KINDS: [u64; 6] = [5, 6, 10, 11, 12, 23];

pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) file: PathBuf,
    /// From zero, in UTF-16.
    pub(super) line: u64,
    pub(super) character: u64,
}

/// The files of a repository that its server reads, in the order of their names.
pub(super) fn files(repository: &Repository, root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !["node_modules", "target", "deps"].contains(&name.as_str()) && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|ending| repository.language.endings().iter().any(|wanted| ending == *wanted))
                && entry.metadata().is_ok_and(|file| file.len() >= SMALL)
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Symbols of files that lie as far apart as there are files.
pub(super) fn sample(open: &mut Open, files: &[PathBuf]) -> Result<Vec<Symbol>> {
    let mut symbols = Vec::new();
    let step = (files.len() / SYMBOLS).max(1);
    // One round over the list, then those between.
    let order = (0..step).flat_map(|first| (first..files.len()).step_by(step));
    for at in order {
        let file = &files[at];
        open.open(file)?;
        let params = json!({ "textDocument": { "uri": uri(file) } });
        let answer =
            open.client.ask("textDocument/documentSymbol", &params, LIMIT)?.context("no symbols in time")?;
        let mut found = Vec::new();
        collect(file, &answer.result.unwrap_or_default(), &mut found);
        // Not always the first of each.
        let skip = found.len() / 2;
        symbols.extend(found.into_iter().skip(skip).take(OF_A_FILE));
        if symbols.len() >= SYMBOLS {
            break;
        }
    }
    symbols.truncate(SYMBOLS);
    Ok(symbols)
}

fn collect(file: &Path, symbols: &Value, found: &mut Vec<Symbol>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let start = &symbol["selectionRange"]["start"];
        let name = symbol["name"].as_str().unwrap_or_default();
        // Methods of Go and of C++ come with the name of their type.
        let name = name.rsplit(['.', ':']).next().unwrap_or(name);
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if let (true, true, Some(line), Some(character)) = (
            is_plain,
            symbol["kind"].as_u64().is_some_and(|kind| KINDS.contains(&kind)),
            start["line"].as_u64(),
            start["character"].as_u64(),
        ) {
            found.push(Symbol { name: name.to_owned(), file: file.to_owned(), line, character });
        }
        collect(file, &symbol["children"], found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_taken_with_their_place_and_those_in_them() {
        let symbol = |name: &str, kind: u64, children: Value| {
            json!({ "name": name, "kind": kind, "children": children,
                    "selectionRange": { "start": { "line": 3, "character": 4 } } })
        };
        let tree =
            json!([symbol("A", 5, json!([symbol("(*A).run", 6, json!([])), symbol("x", 13, json!([]))]))]);
        let mut found = Vec::new();
        collect(Path::new("/a.go"), &tree, &mut found);
        let names: Vec<&str> = found.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["A", "run"]);
        assert_eq!((found[1].line, found[1].character), (3, 4));
    }
}
