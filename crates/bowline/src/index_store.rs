//! Joins the index that the workspace asks for with the database that keeps it. Neither knows the other.
//!
//! The database is opened at the first question: most conversations begin with none.

use std::path::PathBuf;
use std::sync::OnceLock;

use bowline_code::IndexedFile;
use bowline_store::{StoreError, SymbolStore};
use bowline_workspace::{FileStamp, IndexStore, IndexStoreError, SymbolRow};

pub(crate) struct KeptIndex {
    path: PathBuf,
    store: OnceLock<Result<SymbolStore, String>>,
}

impl KeptIndex {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path, store: OnceLock::new() }
    }

    fn ask<T>(
        &self,
        question: impl FnOnce(&SymbolStore) -> Result<T, StoreError>,
    ) -> Result<T, IndexStoreError> {
        let opened =
            self.store.get_or_init(|| SymbolStore::open(&self.path).map_err(|error| error.to_string()));
        match opened {
            Ok(store) => question(store).map_err(|error| match error {
                StoreError::Busy => IndexStoreError::Busy,
                other => IndexStoreError::Failed(other.to_string()),
            }),
            Err(why) => Err(IndexStoreError::Failed(why.clone())),
        }
    }
}

impl IndexStore for KeptIndex {
    fn files(&self) -> Result<Vec<FileStamp>, IndexStoreError> {
        self.ask(SymbolStore::files)
    }

    fn replace(&self, batch: &[IndexedFile], removed: &[PathBuf]) -> Result<(), IndexStoreError> {
        self.ask(|store| store.replace(batch, removed))
    }

    fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Result<(), IndexStoreError> {
        self.ask(|store| store.restamp(stamps))
    }

    fn version(&self) -> Result<u64, IndexStoreError> {
        self.ask(SymbolStore::version)
    }

    fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<SymbolRow>, usize), IndexStoreError> {
        self.ask(|store| store.search(query, limit, offset))
    }

    fn named(&self, name: &str) -> Result<Vec<SymbolRow>, IndexStoreError> {
        self.ask(|store| store.named(name))
    }

    fn holding(&self, word: u32) -> Result<Vec<PathBuf>, IndexStoreError> {
        self.ask(|store| store.holding(word))
    }
}

#[cfg(test)]
mod tests {
    use bowline_code::{IndexedSymbol, Position, Span, SymbolKind};
    use bowline_workspace::MemoryStore;

    use super::*;

    fn file(path: &str, names: &[&str]) -> IndexedFile {
        let symbol = |(line, name): (u32, &&str)| {
            let span = Span::new(Position::new(line, 1), Position::new(line, 9));
            IndexedSymbol {
                name: (*name).into(),
                kind: SymbolKind::Function,
                container: String::new(),
                range: span,
                selection: span,
            }
        };
        IndexedFile {
            path: path.into(),
            language: "rust".into(),
            modified_ns: 1,
            size: 2,
            hash: [3; 32],
            words: vec![1, 5, 9],
            symbols: (1..).zip(names).map(symbol).collect(),
        }
    }

    /// Whether the index is kept or not must not change an answer.
    #[test]
    fn answers_as_the_index_in_memory_does() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, memory) = (KeptIndex::at(dir.path().join("symbols.db")), MemoryStore::default());
        let many: Vec<String> = (0..2500).map(|index| format!("x{index}_y_z")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let files = [
            file("/b.rs", &["find_references", "Find", "refind", "find"]),
            file("/a.rs", &["find", "größe"]),
            file("/m.rs", &many),
        ];
        for store in [&kept as &dyn IndexStore, &memory] {
            store.replace(&files, &[]).unwrap();
        }
        for query in ["", "find", "FIND", "frf", "fr", "xyz", "größe", "%", "_", "nothing at all"] {
            for (limit, offset) in [(10, 0), (2, 1), (10_000, 0)] {
                assert_eq!(kept.search(query, limit, offset), memory.search(query, limit, offset), "{query}");
            }
        }
        assert_eq!(kept.named("find"), memory.named("find"));
        assert_eq!(kept.holding(5), memory.holding(5));
        assert_eq!(kept.files(), memory.files());
    }
}
