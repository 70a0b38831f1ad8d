//! Where the index is kept. The binary hands in something that outlives the process; without it, memory serves.

use std::path::PathBuf;

use bowline_code::{FileStamp, IndexedFile, SymbolRow};

/// Why a store could not answer. The workspace goes on in memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexStoreError {
    #[error("it is held by another process")]
    Busy,
    #[error("{0}")]
    Failed(String),
}

/// The index of one set of roots. Every operation may block.
pub trait IndexStore: Send + Sync {
    /// The stamps of all files.
    fn files(&self) -> Result<Vec<FileStamp>, IndexStoreError>;

    /// Puts these files in the place of what was known of them, and forgets others: all of it or nothing.
    fn replace(&self, batch: &[IndexedFile], removed: &[PathBuf]) -> Result<(), IndexStoreError>;

    /// Gives files a new time and size; their content has stayed the same.
    fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Result<(), IndexStoreError>;

    /// Symbols whose name holds the query in any case, and how many there are in all. Best first: the very
    /// name, the name in other case, its beginning, its middle; then by name, path, line. Where no name holds
    /// it, those that have its letters in order.
    fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<SymbolRow>, usize), IndexStoreError>;

    /// Symbols of exactly this name.
    fn named(&self, name: &str) -> Result<Vec<SymbolRow>, IndexStoreError>;

    /// Changes whenever another process has written into it.
    fn version(&self) -> Result<u64, IndexStoreError> {
        Ok(0)
    }

    /// Files that hold a word of this hash.
    fn holding(&self, word: u32) -> Result<Vec<PathBuf>, IndexStoreError>;
}
