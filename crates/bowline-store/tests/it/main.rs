//! The stores, from outside.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests make and damage files on purpose, and fail by panicking"
)]

mod broken_files;
mod conversations;
mod foreign_imports;
mod references;
mod search;
mod sharing;
mod symbols;

use std::path::{Path, PathBuf};

use bowline_code::{IndexedFile, IndexedSymbol, Position, Span, SymbolKind, SymbolRow};
use bowline_store::SymbolStore;

/// A file whose symbols are written `name` or `container.name`, one per line from line 1.
fn file(path: &str, symbols: &str) -> IndexedFile {
    let symbol = |(index, qualified): (usize, &str)| {
        let (container, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
        let line = u32::try_from(index).unwrap() + 1;
        let span = Span::new(Position::new(line, 1), Position::new(line, 9));
        IndexedSymbol {
            name: name.into(),
            kind: SymbolKind::Function,
            container: container.into(),
            range: span,
            selection: span,
        }
    };
    IndexedFile {
        path: PathBuf::from(path),
        language: "rust".into(),
        modified_ns: 1_700_000_000_123_456_789,
        size: u64::try_from(symbols.len()).unwrap(),
        hash: [7; 32],
        words: vec![1, 5, 70_000],
        symbols: symbols.split_whitespace().enumerate().map(symbol).collect(),
    }
}

fn store(files: &[IndexedFile]) -> SymbolStore {
    let store = SymbolStore::in_memory().unwrap();
    store.replace(files, &[]).unwrap();
    store
}

fn written((path, _, symbol): &SymbolRow) -> String {
    format!("{}:{} {}", path.display(), symbol.selection.start.line, symbol.name)
}

/// The names of all files in a directory, sorted.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
