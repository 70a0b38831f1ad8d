//! Where answers are kept that a server gave in a world that may come back. The binary hands in something that
//! outlives the process; without it nothing is remembered, and everything works the same.

use std::path::Path;

use bowline_code::Location;

use crate::IndexStoreError;

/// A question in a world. Whatever an answer depends on is in the world, so an entry is right or it is not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecollectionKey {
    /// Everything that the server read, who it is, and how it was set up.
    pub world: [u8; 32],
    pub question: [u8; 32],
}

/// Places that are remembered. Their files are relative to the root of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recollected {
    pub places: Vec<Location>,
    /// It came with a file that somebody else made.
    pub shared: bool,
}

/// Answers of servers by what they depend on. Every operation may block.
pub trait Recollection: Send + Sync {
    /// Whether it is worth asking. One that cannot be opened is not.
    fn is_there(&self) -> bool {
        true
    }

    /// One for each key, in order.
    fn recall(&self, keys: &[RecollectionKey]) -> Result<Vec<Option<Recollected>>, IndexStoreError>;

    /// Keeps answers, the files of their places relative to the root.
    fn remember(&self, entries: Vec<(RecollectionKey, Vec<Location>)>) -> Result<(), IndexStoreError>;

    /// Writes everything into one file, and says how many entries that are. The file is there whole or not at all.
    fn export(&self, to: &Path) -> Result<usize, IndexStoreError>;

    /// Takes over what such a file holds, and says how many entries that are: all of it or nothing.
    fn import(&self, from: &Path) -> Result<usize, IndexStoreError>;
}
