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
