//! One file as it is on disk now, with its tree, and the trees of those read lately.
//!
//! A file is read anew every time: its content is the only proof that a tree still fits. What is saved is parsing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bowline_code::{Encoding, LineTable, Position};
use bowline_std::fs::{Stamp, read_text_straight};
use bowline_syntax::{Language, Parsed, SyntaxError, parse};

use crate::WorkspaceError;

/// The text of one file, at one moment.
#[derive(Debug, Clone)]
pub struct Document {
    path: PathBuf,
    stamp: Stamp,
    hash: [u8; 32],
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Parsed(Arc<Parsed>),
    /// Text without a tree: no grammar, or one that could not read it.
    Plain {
        text: Arc<str>,
        lines: Arc<LineTable>,
        why: Option<SyntaxError>,
    },
}

impl Document {
    /// Its real path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn text(&self) -> &str {
        match &self.content {
            Content::Parsed(parsed) => parsed.text(),
            Content::Plain { text, .. } => text,
        }
    }

    pub fn lines(&self) -> &LineTable {
        match &self.content {
            Content::Parsed(parsed) => parsed.lines(),
            Content::Plain { lines, .. } => lines,
        }
    }

    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// BLAKE3 of the bytes.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    pub fn language(&self) -> Option<Language> {
        Language::of_path(&self.path)
    }

    /// Its tree, or why it has none.
    pub fn parsed(&self) -> Result<&Arc<Parsed>, WorkspaceError> {
        let path = self.path.clone();
        match &self.content {
            Content::Parsed(parsed) => Ok(parsed),
            Content::Plain { why: Some(source), .. } => {
                Err(WorkspaceError::Parse { path, source: source.clone() })
            }
            Content::Plain { why: None, .. } => Err(WorkspaceError::UnknownLanguage { path }),
        }
    }

    /// The byte offset of a position that the text has.
    pub fn offset(&self, at: Position) -> Result<usize, WorkspaceError> {
        self.lines().offset(self.text(), at, Encoding::Utf16).map_err(|exists| WorkspaceError::BadPosition {
            path: self.path.clone(),
            at,
            exists,
        })
    }

    /// The text of a line without its end.
    pub(crate) fn line(&self, line: u32) -> &str {
        let bytes = self.lines().line_bytes(self.text(), line);
        bytes.and_then(|bytes| self.text().get(bytes)).unwrap_or_default()
    }
}

/// The trees of files read lately.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    trees: HashMap<PathBuf, Tree>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct Tree {
    hash: [u8; 32],
    parsed: Arc<Parsed>,
    used: u64,
}

/// Whether a tree is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Somebody asked for this file, and is likely to ask again.
    Tree,
    /// One of many in a scan, which must not drive the others out.
    Nothing,
    /// Only the text is wanted: what is in it is known from before.
    Text,
}

impl Documents {
    /// Text whose trees are kept. A tree is some ten times larger than its text.
    const MOST_TEXT: usize = 8 << 20;
    /// The tree of a dense line of generated code may be a hundred times larger.
    const MOST_TEXT_OF_ONE: usize = 1 << 20;

    /// Reads a file by its real path.
    pub(crate) fn read(
        &self,
        real: &Path,
        max_bytes: u64,
        keep: Keep,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Document, WorkspaceError> {
        let (text, stamp) = read_text_straight(real, max_bytes)?;
        let hash = *blake3::hash(text.as_bytes()).as_bytes();
        let document = |content| Document { path: real.to_owned(), stamp, hash, content };
        if let Some(parsed) = self.lock().find(real, &hash) {
            return Ok(document(Content::Parsed(parsed)));
        }
        let text: Arc<str> = text.into();
        let plain =
            |why| Content::Plain { lines: Arc::new(LineTable::new(&text)), text: Arc::clone(&text), why };
        let Some(language) = Language::of_path(real).filter(|_| keep != Keep::Text) else {
            return Ok(document(plain(None)));
        };
        match parse(language, Arc::clone(&text), stopped) {
            Ok(parsed) => {
                let parsed = Arc::new(parsed);
                if keep == Keep::Tree && parsed.text().len() <= Self::MOST_TEXT_OF_ONE {
                    self.lock().insert(real.to_owned(), hash, Arc::clone(&parsed));
                }
                Ok(document(Content::Parsed(parsed)))
            }
            Err(SyntaxError::Cancelled) => Err(WorkspaceError::Cancelled),
            Err(why) => Ok(document(plain(Some(why)))),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find(&mut self, path: &Path, hash: &[u8; 32]) -> Option<Arc<Parsed>> {
        self.clock += 1;
        let tree = self.trees.get_mut(path).filter(|tree| tree.hash == *hash)?;
        tree.used = self.clock;
        Some(Arc::clone(&tree.parsed))
    }

    fn insert(&mut self, path: PathBuf, hash: [u8; 32], parsed: Arc<Parsed>) {
        self.remove(&path);
        self.bytes += parsed.text().len();
        let tree = Tree { hash, parsed, used: self.clock };
        self.trees.insert(path, tree);
        while self.bytes > Documents::MOST_TEXT
            && let Some(oldest) = self.trees.iter().min_by_key(|(_, tree)| tree.used)
        {
            let oldest = oldest.0.clone();
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, path: &Path) {
        if let Some(tree) = self.trees.remove(path) {
            self.bytes -= tree.parsed.text().len();
        }
    }
}
