//! A store that outlives its workspace, and does beforehand what a test wants.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_code::IndexedFile;
use bowline_workspace::{FileStamp, IndexStore, IndexStoreError, MemoryStore, SymbolRow};

type Answer<T> = Result<T, IndexStoreError>;

#[derive(Clone)]
pub(crate) struct ScriptedStore {
    rows: Arc<MemoryStore>,
    /// Hears the name of every operation before it happens; an error is its answer.
    before: Arc<dyn Fn(&'static str) -> Answer<()> + Send + Sync>,
}

impl ScriptedStore {
    pub(crate) fn new(before: impl Fn(&'static str) -> Answer<()> + Send + Sync + 'static) -> Self {
        Self { rows: Arc::default(), before: Arc::new(before) }
    }

    pub(crate) fn boxed(&self) -> Box<dyn IndexStore> {
        Box::new(self.clone())
    }
}

impl IndexStore for ScriptedStore {
    fn files(&self) -> Answer<Vec<FileStamp>> {
        (self.before)("files")?;
        self.rows.files()
    }

    fn replace(&self, batch: &[IndexedFile], removed: &[PathBuf]) -> Answer<()> {
        (self.before)("replace")?;
        self.rows.replace(batch, removed)
    }

    fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Answer<()> {
        (self.before)("restamp")?;
        self.rows.restamp(stamps)
    }

    fn search(&self, query: &str, limit: usize, offset: usize) -> Answer<(Vec<SymbolRow>, usize)> {
        (self.before)("search")?;
        self.rows.search(query, limit, offset)
    }

    fn named(&self, name: &str) -> Answer<Vec<SymbolRow>> {
        (self.before)("named")?;
        self.rows.named(name)
    }

    fn holding(&self, word: u32) -> Answer<Vec<PathBuf>> {
        (self.before)("holding")?;
        self.rows.holding(word)
    }
}
