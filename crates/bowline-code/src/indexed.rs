//! What one file contributes to an index of the workspace.

use std::path::PathBuf;

use crate::{Span, SymbolKind};

/// A symbol without its tree: the names around it are its container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The names around it, outermost first, joined by dots; empty at the top level.
    pub container: String,
    pub range: Span,
    pub selection: Span,
}

/// One file as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    pub path: PathBuf,
    pub language: String,
    pub modified_ns: i64,
    pub size: u64,
    /// Hash of the content, for files whose stamp proves nothing.
    pub hash: [u8; 32],
    /// Hashes of every identifier written in it, sorted: what it does not hold, it cannot refer to.
    pub words: Vec<u32>,
    pub symbols: Vec<IndexedSymbol>,
}
